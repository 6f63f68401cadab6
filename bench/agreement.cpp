#include "bench/agreement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "oracle/search.hpp"

namespace cellproof::bench {

Agreement judge_outputs(const Problem& problem, const std::vector<std::optional<Tensor>>& outputs) {
  oracle::EngineContext context;
  context.names_faults = false;
  const Judgement judgement = oracle::search(problem, outputs, context);
  const bool holds = judgement.verdict == Verdict::Conforms || judgement.verdict == Verdict::Reading;
  Agreement agreement{holds, std::string(name(judgement.verdict.value_or(Verdict::Undecided))),
                      holds ? "" : judgement.message};
  for (const std::string& reading : judgement.readings) agreement.verdict += " " + reading;
  return agreement;
}

std::optional<double> largest_difference(const std::vector<std::optional<Tensor>>& one,
                                         const std::vector<std::optional<Tensor>>& other) {
  if (one.size() != other.size()) return std::nullopt;
  double largest = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (one[i].has_value() != other[i].has_value()) return std::nullopt;
    if (!one[i]) continue;
    if (one[i]->shape() != other[i]->shape()) return std::nullopt;
    for (std::size_t k = 0; k < one[i]->size(); ++k) {
      const double a = one[i]->value(k), b = other[i]->value(k);
      if (a == b || (std::isnan(a) && std::isnan(b))) continue;
      const double distance = std::abs(a - b);
      largest = std::isnan(distance) ? std::numeric_limits<double>::infinity() : std::max(largest, distance);
    }
  }
  return largest;
}

}  // namespace cellproof::bench
