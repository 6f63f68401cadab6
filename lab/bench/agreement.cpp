#include "lab/bench/agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <future>
#include <limits>

#include "lab/bench/some_sequences.hpp"
#include "oracle/search.hpp"
#include "spec/reason_words.hpp"

namespace cellproof::lab::bench {

namespace {

Judgement judgement_of(const Problem& problem, const Outputs& outputs, std::optional<ContractId> declared) {
  return oracle::search(oracle::Observed(problem, outputs), {.declared = declared}, {});
}

/// Under the contract that was declared, where the type's default does not explain the outputs. A wide one may leave
/// too little verified, which accuses nobody.
bool follows_as_declared(const Judgement& judgement, std::optional<ContractId> declared) {
  return (judgement.verdict == Verdict::Precision && declared == judgement.contract) ||
         (judgement.verdict == Verdict::Undecided && declared);
}

bool follows(const Judgement& judgement, std::optional<ContractId> declared) {
  return judgement.verdict == Verdict::Conforms || judgement.verdict == Verdict::Reading ||
         follows_as_declared(judgement, declared);
}

/// Outputs that all have the shape that was asked for can be cut into sequences.
bool can_be_cut(const Problem& problem, const Outputs& outputs) {
  const auto [T, N, I, H, D] = dimensions_of(problem);
  const bool batch_first = problem.attributes.layout.value_or(0) != 0;
  const Shape Y = batch_first ? Shape{N, T, D, H} : Shape{T, D, N, H},
              state = batch_first ? Shape{N, D, H} : Shape{D, N, H};
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i] && outputs[i]->shape() != (i == output::Y ? Y : state)) return false;
  return N > 1 && !is_quantised(problem.version.op);
}

}  // namespace

Agreement judge_outputs(const Problem& problem, const Outputs& outputs, std::optional<ContractId> declared, int jobs) {
  std::vector<Judgement> judgements;
  if (jobs > 1 && can_be_cut(problem, outputs)) {
    const std::int64_t N = dimensions_of(problem).N, parts = std::min<std::int64_t>(jobs, N);
    std::vector<std::future<Judgement>> running;
    for (std::int64_t part = 0; part < parts; ++part) {
      const std::int64_t first = part * N / parts, count = (part + 1) * N / parts - first;
      running.push_back(std::async(std::launch::async, [&, first, count] {
        return judgement_of(some_sequences(problem, first, count),
                            outputs_of_some_sequences(problem, outputs, first, count), declared);
      }));
    }
    for (auto& judgement : running) judgements.push_back(judgement.get());
  } else {
    judgements.push_back(judgement_of(problem, outputs, declared));
  }
  // The first part that does not hold speaks for all, else the first that needs a reading.
  auto speaker = std::ranges::find_if_not(judgements, [&](const Judgement& j) { return follows(j, declared); });
  if (speaker == judgements.end())
    speaker = std::ranges::find(judgements, Verdict::Reading, [](const Judgement& j) { return j.verdict; });
  const Judgement& judgement = speaker == judgements.end() ? judgements.front() : *speaker;
  const bool holds = follows(judgement, declared);
  Agreement agreement{holds, std::string(name(judgement.verdict.value_or(Verdict::Undecided))),
                      holds ? "" : sentence_of(judgement)};
  if (follows_as_declared(judgement, declared)) agreement.verdict += fmt::format(" {}", name(*declared));
  for (const std::string& reading : judgement.readings.differences()) agreement.verdict += " " + reading;
  return agreement;
}

std::optional<double> largest_difference(const Outputs& one, const Outputs& other) {
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

}  // namespace cellproof::lab::bench
