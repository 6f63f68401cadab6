// cellproof-gpu-bench ROW: measures the subjects of one row of the grid (bench/gpu/grid.hpp) on the current device
// and prints their figures (bench/gpu/table.hpp) as one line of JSON.
// Exit codes: 0 measured (a subject may still have failed), 1 the device failed, 2 bad usage, 77 no device.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "lab/bench/gpu/measure/event_timer.hpp"
#include "lab/bench/gpu/measure/rates.hpp"
#include "lab/bench/gpu/measure/subject.hpp"
#include "optimized/cuda/backend.hpp"
#include "optimized/cuda/elements.hpp"

namespace cellproof::lab::bench::gpu {
namespace {

constexpr int rounds = 7, warming_runs = 4;  // the second run of a plan of ours is the first that is replayed
constexpr double seconds_of_a_round = 0.03;

struct Entry {
  std::string name;
  std::unique_ptr<Subject> subject;
  std::vector<double> seconds;
  nlohmann::json figures = nlohmann::json::object();
};

Entry entry(const std::string& name, const std::function<std::unique_ptr<Subject>()>& make) {
  Entry made{.name = name, .subject = nullptr, .seconds = {}};
  try {
    made.subject = make();
    for (int i = 0; i < warming_runs; ++i) made.subject->issue();
    seconds_on_device(made.subject->stream(), seconds_of_a_round, [&] { made.subject->issue(); });
    made.figures["version"] = made.subject->version();
  } catch (const Unavailable& reason) {
    made.subject.reset();
    made.figures = {{"missing", reason.what()}};
  } catch (const std::bad_alloc&) {
    made.subject.reset();
    made.figures = {{"missing", "the device's memory does not suffice"}};
  } catch (const std::runtime_error& error) {
    // The others may still have their times; a device that is lost fails for each of them.
    made.subject.reset();
    made.figures = {{"failed", error.what()}};
  }
  return made;
}

/// The first outputs of a run, as far as they are compared.
std::vector<double> outputs_of(const Subject& subject, const Row& row) {
  constexpr std::size_t most = std::size_t{64} << 20;
  const auto storage = row.element == Element::Float     ? cuda::Storage::Float
                       : row.element == Element::Float16 ? cuda::Storage::Float16
                                                         : cuda::Storage::BFloat16;
  const std::size_t element = row.element == Element::Float ? 4 : 2;
  std::vector<std::byte> bytes(std::min(most, subject.Y().bytes()));
  subject.Y().download(bytes.data(), bytes.size());
  std::vector<double> values(bytes.size() / element);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<double>(cuda::load<float>(storage, bytes.data(), static_cast<cuda::Index>(i)));
  return values;
}

/// NaN where one of the two has one.
double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (const double here = std::fabs(a[i] - b[i]); !(here <= most)) most = here;
  return most;
}

/// Difference that the types' own roundings may come to over many steps of weights that let differences fade.
double tolerated_difference(Element element) {
  return element == Element::Float ? 1e-4 : element == Element::Float16 ? 2e-2 : 1e-1;
}

void compare_outputs(std::vector<Entry>& entries, const Row& row) {
  std::optional<std::vector<double>> first;
  for (Entry& one : entries) {
    if (one.subject == nullptr || one.name == "cudnn-nearest") continue;
    const std::vector<double> outputs = outputs_of(*one.subject, row);
    one.figures["difference"] = nullptr;
    if (!first) {
      first = outputs;
      continue;
    }
    const double difference = largest_difference(*first, outputs);
    if (!(difference <= tolerated_difference(row.element)))
      one.figures = {{"failed", fmt::format("outputs differ from the first subject's by {:.3g}", difference)}};
    else
      one.figures["difference"] = difference;
  }
}

nlohmann::json measure(const Row& row) {
  nlohmann::json figures{{"row", row.name()}, {"device", cuda::describe_device()}};
  const Rates rates = measure_rates();
  figures["rates"] = {
      {"bytes", rates.bytes}, {"operations", rates.operations}, {"operations_of_16", rates.operations_of_16}};
  const RowData data(row);
  const DeviceMemory other(std::size_t{64} << 20);
  std::vector<Entry> entries;
  if (row.cell == Cell::GruBefore)
    entries.push_back(entry("cudnn-nearest", [&] { return make_direct_cudnn(data, CudnnWay::Nearest); }));
  else
    entries.push_back(entry("cudnn", [&] { return make_direct_cudnn(data, CudnnWay::Plain); }));
  // The same under another name: what the two differ by is no finding of anybody else.
  if (row.cell != Cell::GruBefore) {
    entries.push_back(entry("cudnn-again", [&] { return make_direct_cudnn(data, CudnnWay::Plain); }));
    entries.push_back(entry("cudnn-recorded", [&] { return make_direct_cudnn(data, CudnnWay::Recorded); }));
  }
  entries.push_back(entry("cellproof-cudnn", [&] { return make_our_cudnn(data); }));
  entries.push_back(entry("cellproof-cuda", [&] { return make_our_kernels(data, false); }));
  // Nobody else computes such a row: our other path is its witness.
  if (row.cell == Cell::GruBefore)
    entries.push_back(entry("cellproof-cuda-steps", [&] { return make_our_kernels(data, true); }));
  // Each round begins with the next one, so that nobody always runs behind the same one's heat.
  for (std::size_t round = 0; round < rounds; ++round)
    for (std::size_t k = 0; k < entries.size(); ++k) {
      Entry& one = entries[(k + round) % entries.size()];
      if (one.subject == nullptr) continue;
      one.seconds.push_back(
          seconds_on_device(one.subject->stream(), seconds_of_a_round, [&] { one.subject->issue(); }));
    }
  for (Entry& one : entries) {
    if (one.subject == nullptr) continue;
    one.figures["seconds"] = one.seconds;
    one.figures["device_seconds"] =
        seconds_behind_other_work(one.subject->stream(), other.data(), other.bytes(), [&] { one.subject->issue(); });
  }
  compare_outputs(entries, row);
  for (const Entry& one : entries) figures["subjects"][one.name] = one.figures;
  return figures;
}

}  // namespace
}  // namespace cellproof::lab::bench::gpu

int main(int count, char** arguments) {
  using namespace cellproof;
  constexpr int failed = 1, usage = 2, absent = 77;
  try {
    unsetenv("NVIDIA_TF32_OVERRIDE");  // it would change what some subjects are asked for, and not others
    const lab::bench::gpu::Row& row = lab::bench::gpu::row_named(count == 2 ? arguments[1] : "");
    cuda::probe_device();
    fmt::print("{}\n", lab::bench::gpu::measure(row).dump());
    return 0;
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "cellproof-gpu-bench: {}\n", error.what());
    return usage;
  } catch (const cuda::Unavailable& error) {
    fmt::print(stderr, "{}\n", error.what());
    return absent;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return failed;
  }
}
