#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "causes/answered.hpp"
#include "causes/cover.hpp"
#include "causes/rivals.hpp"

#include "oracle/answers.hpp"
#include "spec/cause.hpp"

namespace cellproof::causes {

using cellproof::Cause;
using Status = CauseStatus;

struct EngineModel {
  std::vector<Cause> causes;    ///< faults, contracts, readings, then what is unexplained; each by number of cases
  FaultSet faults;              ///< of the causes, in the order in which they act
  Scopes scopes;                ///< of those that do not hold everywhere
  std::int64_t failing = 0;     ///< cases
  std::int64_t explained = 0;   ///< of these: by faults or a contract
  bool is_cut_short = false;    ///< the bounds ended the search
  std::int64_t judgements = 0;  ///< that it took
  std::int64_t calls = 0;       ///< of the engine, for cases that were made to tell faults apart
};

/// A model as a reduction needs it.
struct Modelled {
  std::vector<Cause> causes;
  /// Do the faults that act on the problem, all together, explain what the engine answers to it? Judged as the case of
  /// the finding is, and asked from several threads. May be empty.
  std::function<bool(const Finding& like, const Problem& problem, const oracle::Answers& answers)> explains = {};
};

/// Reduces cases of the causes. Returns whether any finding has a better reduction now.
using ReduceCauses = std::function<bool(const Modelled&)>;

/// Models an engine by all its findings of a run, in two steps: the first takes most of the time, and looks at nothing
/// that an explanation adds to a finding. So the findings can be reduced meanwhile.
class ModelSearch {
 public:
  /// The answers must outlive it.
  explicit ModelSearch(std::span<const Answered> answers, const Bounds& bounds = {});
  ~ModelSearch();

  /// Looks for the faults that explain the failing cases.
  void search();
  /// Behind search(). `ask`: may be empty; else cases are made and asked that tell faults apart which explain as much.
  /// `reduce`: may be empty; is called until nothing is better, a few times at most.
  EngineModel model(const AskEngine& ask = {}, const ReduceCauses& reduce = {});

 private:
  class Modelling;
  std::unique_ptr<Modelling> modelling_;
};

/// Does both steps.
EngineModel model_of(std::span<const Answered> answers, const Bounds& bounds = {}, const AskEngine& ask = {});

}  // namespace cellproof::causes
