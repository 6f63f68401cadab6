#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

#include "oracle/element_evaluation.hpp"
#include "oracle/hypothesis.hpp"
#include "oracle/observed.hpp"
#include "oracle/place.hpp"
#include "oracle/question.hpp"
#include "oracle/row_evaluation.hpp"
#include "oracle/step/known_cells.hpp"
#include "spec/finding.hpp"

namespace cellproof::oracle {

/// Depth to which a hypothesis is to be known; what is cheaper comes first.
enum class Depth {
  Excluded,        ///< is an element beyond its certified bound, as `double` has it? DIVERGES, or no verdict
  SurelyExcluded,  ///< likewise, but in balls, so that it is certain
  Admitted,        ///< as Verdict, but UNDECIDED stands for CONFORMS, too: how much is verified is not asked
  Verdict,    ///< the verdict alone. UNDECIDED where more bits might verify enough; of what `double` finds beyond a
              ///< bound nothing is confirmed
  Counted,    ///< as Described, but what `double` finds beyond a bound is neither confirmed nor described
  Described,  ///< every field of the Judgement but `readings` and `faults`
};

/// The first element beyond a bound, as numbers.
struct FirstElement {
  Place place;
  double expected = 0;    ///< one perfect step, rounded to the type
  bool by_value = false;  ///< the step, not the structure, says what is expected
};

/// Elements that exclude a hypothesis: none of them depends on more than is said here.
struct ExcludedBy {
  bool structure = false;                         ///< padding, or a last state that is no computed value
  std::optional<Stretch> stretch = std::nullopt;  ///< of values; nullopt: any
};

/// Fate of a hypothesis. The verdict is CONFORMS, SUSPECT, DIVERGES or UNDECIDED.
struct Evaluation {
  Judgement judgement;
  std::optional<FirstElement> first;                     ///< from Described on, where something is beyond a bound
  std::optional<ExcludedBy> excluded_by = std::nullopt;  ///< of Excluded and SurelyExcluded, where it is

  bool is(Verdict verdict) const { return judgement.verdict == verdict; }
  bool excluded() const { return is(Verdict::Diverges); }
};

/// The judge of one answer: do these outputs follow from this problem under a hypothesis? The residual judge where Y
/// was asked for, the forward judge elsewhere, and all structural checks (number, type, shape, padding, Y_h against Y,
/// Y_c). A fault that cannot act on the problem changes nothing; one that the outputs show not to be there is excluded.
class Evaluator {
 public:
  /// `seen` must outlive it.
  explicit Evaluator(const Observed& seen) : seen_(seen), known_cells_(seen.problem) {}

  Evaluation evaluate(const Hypothesis& hypothesis, Depth depth);
  /// The outputs beside the problem as these readings have it: where they take another layout for 0, everything has
  /// another place. nullptr: then the problem is invalid, and the readings are excluded.
  const Observed* seen_under(const Readings& readings);

 private:
  /// The problem in layout 0, where its own layout is neither 0 nor 1.
  struct InLayout0 {
    Problem problem;
    std::optional<Observed> seen;  ///< nullopt: the problem is invalid
  };

  const Observed& seen_;
  KnownCells known_cells_;
  std::unique_ptr<InLayout0> in_layout_0_;
  /// Stretch in which a hypothesis was found to be excluded: the next one most likely is there, too, so that this is
  /// looked at first. It changes no verdict.
  std::optional<Stretch> likeliest_;
  /// Without Y: how far the last states may be off where nothing is wrong, once a fault was supposed, and the row of
  /// the hypothesis that was off by far, where the next one most likely is, too.
  std::optional<double> reach_;
  std::optional<BatchRow> far_off_;

  /// A question that is not excluded, with its verdict where that was asked.
  struct Standing {
    Question question;
    std::optional<Verdict> verdict;
  };
  /// The last ones, since each holds its weights: to know that a hypothesis stands takes most of the time.
  std::deque<Standing> standing_;

  /// Is a fault's hypothesis so wrong that its bound need not be computed?
  bool is_out_of_reach(const Task& task, Depth depth);
  /// Verdict or SurelyExcluded, of each question once. `changed`: by faults, or null.
  Evaluation evaluated_once(const Task& task, ContractId contract, const Observed* changed, Depth depth,
                            std::optional<Stretch>* likeliest);
  Evaluation evaluate_on(const Observed& seen, const Hypothesis& hypothesis, Depth depth);
};

/// One hypothesis by itself.
Evaluation evaluate(const Observed& seen, const Hypothesis& hypothesis, Depth depth);

}  // namespace cellproof::oracle
