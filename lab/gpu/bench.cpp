#include "lab/gpu/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <vector>

#include "engines/paths.hpp"
#include "lab/bench/gpu/grid.hpp"
#include "lab/bench/gpu/roofline.hpp"
#include "lab/bench/gpu/table.hpp"
#include "lab/gpu/case_lines.hpp"
#include "lab/gpu/process.hpp"
#include "spec/files/output_file.hpp"

namespace cellproof::lab {
namespace {

namespace gpu = bench::gpu;

constexpr int most_seconds_of_a_row = 90;
constexpr double least_seconds_of_a_row = 20;

std::string end_text(const ProcessEnd& end, int seconds) {
  if (end.exit_code == timed_out_code) return fmt::format("no figures in {} s", seconds);
  return fmt::format("exit code {}: {}", end.exit_code, first_words(end.output));
}

nlohmann::json measure_torch(const gpu::Row& row, int seconds) {
  const char* named = std::getenv("CELLPROOF_TORCH_PYTHON");
  const std::string name = row.name();
  const std::string words = name.substr(0, name.find("-T"));
  const std::size_t dash = words.rfind('-');
  const ProcessEnd end = run_bounded(
      {named == nullptr ? "python3" : named, (engines::project_root() / "lab/bench/gpu/torch_row.py").string(),
       words.substr(0, dash), words.substr(dash + 1), std::to_string(row.T), std::to_string(row.N),
       std::to_string(row.H), row.ragged ? "ragged" : "full"},
      "", seconds);
  if (end.exit_code == nothing_ran) return {{"missing", first_words(end.output)}};
  nlohmann::json figures = end.exit_code == 0 ? json_among(end.output) : nlohmann::json();
  // PyTorch is not ours: what it cannot do is no failure of the row.
  if (!figures.is_object() || !figures.contains("seconds")) return {{"missing", end_text(end, seconds)}};
  return figures;
}

/// "measured", or who failed.
std::string text_of_row(const nlohmann::json& figures) {
  if (gpu::is_well(figures)) return "measured";
  if (figures.contains("failed")) return "failed: " + figures["failed"].get<std::string>();
  std::string text;
  for (const auto& [name, one] : figures["subjects"].items())
    if (one.contains("failed"))
      text += fmt::format("{}{}: {}", text.empty() ? "failed: " : "; ", name, one["failed"].get<std::string>());
  return text.empty() ? "failed: nobody has a time" : text;
}

/// Prints each bar and each row that misses it. Whether all bars are met.
bool tell_bars(const nlohmann::json& rows) {
  bool met = true;
  for (const gpu::Bar& bar : gpu::bars_of(rows)) {
    met = met && bar.is_met();
    fmt::print("bench: {}: {}\n", bar.what,
               bar.rows == 0 ? "not measured"
                             : fmt::format("{} of {} rows miss it, worst {:.3f} ({})", bar.missed.size(), bar.rows,
                                           bar.worst.ratio, bar.worst.row));
    for (const gpu::RowRatio& miss : bar.missed) fmt::print("bench: missed by {}: {:.3f}\n", miss.row, miss.ratio);
  }
  return met;
}

struct GpuBenchArguments {
  bool full = false, list = false, bars = false;
  std::vector<std::string> rows;
  std::string json;
};

std::vector<std::string> rows_of(const GpuBenchArguments& arguments) {
  std::vector<std::string> names;
  for (const std::string& name : arguments.rows) names.push_back(gpu::row_named(name).name());
  if (!names.empty()) return names;
  for (const gpu::Row& row : arguments.full ? gpu::full_grid() : gpu::pairwise_grid()) names.push_back(row.name());
  return names;
}

int bench_gpu(const GpuBenchArguments& arguments) {
  const std::vector<std::string> names = rows_of(arguments);
  if (arguments.bars) {
    for (const std::string& name : names)
      if (const gpu::Row& row = gpu::row_named(name); gpu::has_bar(row))
        fmt::print("{} {:.2f}\n", name, gpu::bar_of_design(row));
    return ok;
  }
  if (arguments.list) {
    for (const std::string& name : names) fmt::print("{}\n", name);
    return ok;
  }
  nlohmann::json rows = nlohmann::json::object();
  for (const std::string& name : names) {
    rows[name] = measure_gpu_row(name, 600);
    if (rows[name].contains("absent")) {
      fmt::print(stderr, "bench gpu: nothing was measured: {}\n", rows[name]["absent"].get<std::string>());
      return nothing_ran;
    }
    fmt::print(stderr, "cellproof: {}\n", name);
    if (!arguments.json.empty()) write_file(arguments.json, rows.dump(1) + "\n");
  }
  fmt::print("{}", gpu::render_table(rows));
  return std::ranges::all_of(rows, [](const nlohmann::json& row) { return gpu::is_well(row); }) ? ok : unexpected;
}

}  // namespace

nlohmann::json measure_gpu_row(const std::string& row, int seconds) {
  const ProcessEnd end =
      run_bounded({(engines::worker_directory() / "cellproof-gpu-bench").string(), row}, "", seconds);
  if (end.exit_code == nothing_ran) return {{"absent", first_words(end.output)}};
  nlohmann::json figures = end.exit_code == 0 ? json_among(end.output) : nlohmann::json();
  if (!figures.is_object()) return {{"failed", end_text(end, seconds)}};
  figures["subjects"]["torch"] = measure_torch(gpu::row_named(row), seconds);
  return figures;
}

int check_speed(GpuPart& part) {
  nlohmann::json& rows = part.disk.record["bench"];
  const std::size_t all = gpu::pairwise_grid().size();
  std::size_t measured = 0;
  bool finished = true;
  for (const gpu::Row& row : gpu::pairwise_grid()) {
    const std::string name = row.name();
    if (rows.contains(name) && gpu::is_well(rows[name])) {
      ++measured;
      continue;
    }
    // Rows that come after may have been measured by an earlier call.
    const double left = part.clock.left();
    finished = finished && left >= least_seconds_of_a_row;
    if (!finished) continue;
    rows[name] = measure_gpu_row(name, std::min(most_seconds_of_a_row, static_cast<int>(left / 2)));
    if (rows[name].contains("absent")) {
      fmt::print(stderr, "bench: nothing was measured: {}\n", rows[name]["absent"].get<std::string>());
      rows.erase(name);
      return measured > 0 ? unexpected : nothing_ran;
    }
    part.disk.save();
    measured += gpu::is_well(rows[name]) ? 1 : 0;
    fmt::print("bench {}: {}\n", name, text_of_row(rows[name]));
  }
  fmt::print("bench: {} of {} rows are measured{}\n", measured, all, finished ? "" : ": the same command goes on");
  const bool met = tell_bars(rows);
  return measured == all && met ? ok : unexpected;
}

void add_gpu_bench(CLI::App& bench, Work& work) {
  auto arguments = std::make_shared<GpuBenchArguments>();
  CLI::App* command = bench.add_subcommand(
      "gpu", "Our kernels beside cuDNN, our layer around it and PyTorch, by the device's events (docs/gpu.md)");
  command->add_flag("--full", arguments->full, "The whole grid; by default a subset in which every pair occurs");
  command->add_option("--row", arguments->rows, "A row of the grid by name; may be repeated")->allow_extra_args(false);
  command->add_flag("--list", arguments->list, "Only say which rows these are");
  command->add_flag("--bars", arguments->bars, "Only say which bar each row has, if it has one");
  command->add_option("--json", arguments->json, "Write all figures, every round too");
  command->footer("Example:\n  cellproof lab bench gpu --row lstm-f32-T32-N1-H512\n\nWithout a GPU: exit code 77.");
  command->callback([arguments, &work] { work = [arguments] { return bench_gpu(*arguments); }; });
}

}  // namespace cellproof::lab
