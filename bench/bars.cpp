#include "bench/bars.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace cellproof::bench {
namespace {

struct Place {
  const Row& row;
  int threads;
  Operator op() const { return row.c.version.op; }
  bool is(std::string_view group) const { return row.group == group; }
};

using Peers = std::vector<std::string_view>;
const Peers onnx_runtime{"onnxruntime"}, onednn{"onednn-3", "onednn-2"},
    everybody{"onnxruntime", "onednn-3", "onednn-2", "openblas-per-step"}, machine{};

struct Rule {
  std::string_view what;
  bool (*applies)(const Place&);
  const Peers& peers;  ///< of whom the best counts; `machine`: the limit
  double at_least;     ///< of their time to ours
};

bool is_for_engines(const Place& place) {
  return !place.is("judge") && !place.is("case");
}
bool is_long_and_plain(const Place& place) {
  return (place.is("float") || place.is("long")) && place.row.c.T >= 32 && place.threads == 1;
}
bool is_quantised(const Place& place, std::int64_t H) {
  return place.is("quantised") && place.row.c.H == H && place.threads == 1;
}
bool is_one_small_step(const Place& place) {
  return place.is("float") && place.row.c.T == 1 && place.threads == 1;
}
bool is_of_rnn(const Place& place) {
  return place.is("float") && place.op() == Operator::RNN;
}

const Rule rules[] = {
    {"as fast as the best other", [](const Place& p) { return is_for_engines(p) && p.threads == 1; }, everybody, 1},
    {"as fast as the best other", [](const Place& p) { return is_for_engines(p) && p.threads > 1; }, everybody, 0.98},
    {"against ONNX Runtime", [](const Place& p) { return is_long_and_plain(p) && p.op() != Operator::RNN; },
     onnx_runtime, 1.05},
    {"of the machine's limit", [](const Place& p) { return is_long_and_plain(p) && p.op() == Operator::LSTM; }, machine,
     0.95},
    {"of the machine's limit", [](const Place& p) { return is_long_and_plain(p) && p.op() == Operator::GRU; }, machine,
     0.92},
    {"against ONNX Runtime", is_of_rnn, onnx_runtime, 1.5},
    {"against the best oneDNN", is_of_rnn, onednn, 1.2},
    {"against ONNX Runtime", is_one_small_step, onnx_runtime, 5},
    {"against the best oneDNN", is_one_small_step, onednn, 3},
    {"against ONNX Runtime", [](const Place& p) { return p.is("odd") || p.is("ragged"); }, onnx_runtime, 1.2},
    {"against ONNX Runtime", [](const Place& p) { return is_quantised(p, 128); }, onnx_runtime, 1.8},
    {"against ONNX Runtime", [](const Place& p) { return is_quantised(p, 256); }, onnx_runtime, 1.3},
    {"against ONNX Runtime", [](const Place& p) { return is_quantised(p, 512); }, onnx_runtime, 1.2},
};

std::optional<double> measured(const Rule& rule, const reports::BenchRow& result) {
  if (rule.peers.empty()) {
    if (!result.limit || !result.limit->ratio) return std::nullopt;
    return result.limit->ratio->median;
  }
  std::optional<double> best;
  for (const reports::BenchContestant& c : result.contestants) {
    if (c.failed || !c.ratio || !std::ranges::count(rule.peers, c.name)) continue;
    best = std::min(best.value_or(c.ratio->median), c.ratio->median);
  }
  return best;
}

}  // namespace

std::vector<reports::BenchBar> bars_of(const Row& row, const reports::BenchRow& result) {
  std::vector<reports::BenchBar> bars;
  if (result.contestants.empty() || result.contestants.front().name != "cellproof-cpu") return bars;
  if (result.contestants.front().failed || !result.contestants.front().seconds) return bars;
  for (const Rule& rule : rules)
    if (rule.applies({row, result.threads}))
      bars.push_back({std::string(rule.what), rule.at_least, measured(rule, result)});
  return bars;
}

}  // namespace cellproof::bench
