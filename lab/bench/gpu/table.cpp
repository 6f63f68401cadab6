#include "lab/bench/gpu/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "lab/bench/gpu/floor.hpp"
#include "lab/bench/gpu/roofline.hpp"
#include "lab/bench/report/report.hpp"
#include "lab/bench/statistics.hpp"

namespace cellproof::lab::bench::gpu {
namespace {

const char* const subjects[] = {"cudnn",           "cudnn-again",    "cudnn-recorded",       "cudnn-nearest",
                                "cellproof-cudnn", "cellproof-cuda", "cellproof-cuda-steps", "torch"};

Rates rates_of(const nlohmann::json& figures) {
  const auto& rates = figures.at("rates");
  return {rates.at("bytes").get<double>(), rates.at("operations").get<double>(),
          rates.at("operations_of_16").get<double>()};
}

const nlohmann::json* find(const nlohmann::json& figures, const std::string& subject) {
  const auto all = figures.find("subjects");
  if (all == figures.end()) return nullptr;
  const auto one = all->find(subject);
  return one == all->end() ? nullptr : &*one;
}

std::string time_text(const nlohmann::json& figures, const std::string& subject) {
  const nlohmann::json* one = find(figures, subject);
  if (one == nullptr) return "";
  if (one->contains("failed")) return "**failed**";
  if (one->contains("missing")) return "–";
  const double seconds = median_seconds(figures, subject);
  const bool is_of_host = one->contains("device_seconds") && (*one)["device_seconds"].get<double>() < seconds / 2;
  return duration_text(seconds) + (is_of_host ? " (host)" : "");
}

/// A row misses a bar where, in three rounds of four, the ratio is beyond `most` of the row and cuDNN's own noise.
struct BarRule {
  const char* what;
  const char* measured;
  const char* against;
  double (*most)(const Row& row);
  bool (*is_about)(const Row& row);
};

std::vector<double> seconds_of(const nlohmann::json& figures, const std::string& subject) {
  const nlohmann::json* one = find(figures, subject);
  return one == nullptr ? std::vector<double>() : one->value("seconds", std::vector<double>());
}

/// Ratios of two subjects' times in the rounds that both were measured in.
std::optional<Spread> ratio_of(const nlohmann::json& figures, const char* measured, const char* against) {
  const std::vector<double> above = seconds_of(figures, measured), below = seconds_of(figures, against);
  const std::size_t rounds = std::min(above.size(), below.size());
  if (rounds == 0) return std::nullopt;
  return spread_of_ratios(std::span(above).first(rounds), std::span(below).first(rounds));
}

/// Returns what cuDNN differs from itself by in a quarter of the rounds, as a ratio of at least 1.
double noise_of(const nlohmann::json& figures) {
  const auto again = ratio_of(figures, "cudnn-again", "cudnn");
  return again ? std::max(1.0, again->upper) : 1;
}

constexpr BarRule bar_rules[] = {
    {"our layer's time over cuDNN's, T >= 32: at most 1.01 and what cuDNN differs from itself by", "cellproof-cudnn",
     "cudnn", [](const Row&) { return 1.01; }, [](const Row& row) { return row.T >= 32; }},
    {"our kernels' time over cuDNN's, N <= 4, H <= 1024: at most the row's bar", "cellproof-cuda", "cudnn",
     bar_of_design, [](const Row& row) { return has_bar(row) && row.cell != Cell::GruBefore; }},
    {"our kernels' time over cuDNN's for the nearest case that it can do, N >= 64: at most the row's bar",
     "cellproof-cuda", "cudnn-nearest", bar_of_design,
     [](const Row& row) { return has_bar(row) && row.cell == Cell::GruBefore; }},
};

Bar bar_of(const BarRule& rule, const nlohmann::json& rows) {
  Bar bar{.what = rule.what};
  for (const auto& [name, figures] : rows.items()) {
    const auto ratio = ratio_of(figures, rule.measured, rule.against);
    if (!ratio || !rule.is_about(row_named(name))) continue;
    ++bar.rows;
    if (ratio->lower > rule.most(row_named(name)) * noise_of(figures)) bar.missed.push_back({name, ratio->median});
    if (ratio->median > bar.worst.ratio) bar.worst = {name, ratio->median};
  }
  return bar;
}

std::string line_of(const std::string& name, const nlohmann::json& figures) {
  const Row& row = row_named(name);
  const Rates rates = rates_of(figures);
  std::string line = fmt::format("| {} | {} ({}) | {} |", name, duration_text(floor_of(row, rates)),
                                 bound_of(row, rates), has_bar(row) ? fmt::format("{:.2f}", bar_of_design(row)) : "");
  for (const char* subject : subjects) line += fmt::format(" {} |", time_text(figures, subject));
  return line + "\n";
}

std::string remarks_of(const std::string& name, const nlohmann::json& figures) {
  std::string text;
  for (const char* subject : subjects) {
    const nlohmann::json* one = find(figures, subject);
    if (one != nullptr && one->contains("failed"))
      text += fmt::format("- {}, {}: failed: {}\n", name, subject, (*one)["failed"].get<std::string>());
  }
  return text;
}

}  // namespace

double median_seconds(const nlohmann::json& figures, const std::string& subject) {
  const std::vector<double> seconds = seconds_of(figures, subject);
  return seconds.empty() ? 0 : quantile_of(seconds, 0.5);
}

std::vector<Bar> bars_of(const nlohmann::json& rows) {
  std::vector<Bar> bars;
  for (const BarRule& rule : bar_rules) bars.push_back(bar_of(rule, rows));
  return bars;
}

bool is_well(const nlohmann::json& figures) {
  bool anybody = false;
  for (const char* subject : subjects) {
    const nlohmann::json* one = find(figures, subject);
    if (one != nullptr && one->contains("failed")) return false;
    anybody = anybody || median_seconds(figures, subject) > 0;
  }
  return anybody;
}

std::string render_table(const nlohmann::json& rows) {
  std::string text, remarks, device;
  for (const auto& [name, figures] : rows.items()) {
    if (!figures.contains("rates")) {
      remarks += fmt::format("- {}: {}\n", name, figures.value("failed", "no figures"));
      continue;
    }
    device = figures.value("device", "");
    text += line_of(name, figures);
    remarks += remarks_of(name, figures);
  }
  std::string page =
      "Device time of one run, median over rounds. The floor is the greater of two times: the operations over the "
      "rate\n"
      "of a matrix product, and the bytes over the rate of a copy. Both rates are measured in the row's own process.\n"
      "A row's bar is the ratio of our time to cuDNN's that a roofline of an H100 leaves (roofline.cpp); its rates "
      "are\n"
      "assumed. Every run uses the same memory: what fits into the L2 cache is read from there, and such rows may "
      "beat\n"
      "their floor. Our kernels are replayed from a graph, cuDNN is issued call by call, and once recorded. (host): "
      "the\n"
      "device works for less than half of that time, as the host issues the calls.\n\n";
  if (!device.empty()) page += device + "\n\n";
  page +=
      "| row | floor | bar | cuDNN | cuDNN again | cuDNN, recorded | cuDNN, nearest case | our layer around cuDNN | "
      "our kernels | our kernels, "
      "steps | PyTorch |\n";
  page += "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n" + text;
  if (!remarks.empty()) page += "\n" + remarks;
  page += "\n| bar | rows | missed | worst |\n| --- | --- | --- | --- |\n";
  std::string misses;
  for (const Bar& bar : bars_of(rows)) {
    page += fmt::format("| {} | {} | {} | {} |\n", bar.what, bar.rows,
                        bar.rows == 0 ? "not measured" : fmt::format("{}", bar.missed.size()),
                        bar.rows == 0 ? "" : fmt::format("{:.3f} ({})", bar.worst.ratio, bar.worst.row));
    for (const RowRatio& miss : bar.missed)
      misses += fmt::format("- {} misses it with {:.3f}: {}\n", miss.row, miss.ratio, bar.what);
  }
  return misses.empty() ? page : page + "\n" + misses;
}

}  // namespace cellproof::lab::bench::gpu
