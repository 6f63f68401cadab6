#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "oracle/element_evaluation.hpp"
#include "oracle/quantized/product.hpp"
#include "oracle/quantized/quantized_forward.hpp"
#include "oracle/quantized/weights.hpp"

namespace cellproof::oracle {

/// The two matrices of a direction.
struct Matrices {
  QuantizedMatrix W, R;
};

/// All sequences of one direction of DynamicQuantizeLSTM, step by step together.
template <class Real>
class DirectionWalk {
 public:
  using Set = Enclosure<Real>;

  /// Codes of one step: of x and then of h, row after row; none of rows that do not take it.
  using Codes = std::vector<Digit>;

  /// Everything that a step starts from: what a walk has to go back to.
  struct State {
    std::vector<Set> h;              ///< [N][H] as they are quantised
    std::vector<Set> C, unrounded;   ///< [N][H]
    std::uint8_t carried_flags = 0;  ///< of states that were fed back
    bool open = false;               ///< a code that was used is in doubt, and with it all that follows
    std::vector<std::optional<ForwardState<Real>>> followed;  ///< [N] rows with codes that were left open
    Codes codes;
    std::shared_ptr<const Quantiser<Real>> x_quantiser;
    std::vector<std::shared_ptr<const Quantiser<Real>>> h_quantisers;  ///< of the step, by chunk
  };

  /// `only_row`: takes no other row through its steps; ranges then need the states that were observed. `unit`: looks at
  /// no other.
  DirectionWalk(const Task& task, std::int64_t direction, Tier tier, std::int64_t chunk, std::int64_t only_row = -1,
                std::int64_t unit = Task::every_unit);

  std::int64_t steps() const { return longest_; }

  /// Finds the codes of step `rank`, in which a caller may leave one choice where arithmetic leaves several.
  void quantise(std::int64_t rank);
  Codes& codes() { return state_.codes; }
  const State& state() const { return state_; }
  void go_back_to(const State& state) { state_ = state; }

  /// Takes every sequence that has step `rank` through it, with the codes found; with Y, fills its elements. False
  /// where one is beyond its bound.
  bool take(std::int64_t rank, ElementEvaluation* evaluation, std::int64_t traced = -1, Trace* trace = nullptr);
  /// Both.
  bool step(std::int64_t rank, ElementEvaluation* evaluation, std::int64_t traced = -1, Trace* trace = nullptr) {
    quantise(rank);
    return take(rank, evaluation, traced, trace);
  }

  /// An element whose honest values are `set`.
  Element judged(const Set& set, const Match& match, double observed) const;

  Set last_h(std::int64_t b, std::int64_t j) const;
  Set last_c(std::int64_t b, std::int64_t j) const;

 private:
  using Shared = std::shared_ptr<const Quantiser<Real>>;

  /// Takes the initial states of the rows that run at that rank.
  void start(std::int64_t rank);
  bool is_walked(std::int64_t rank, std::int64_t b) const;
  void quantise_block();
  void quantise_step(std::int64_t rank);
  void add_x(DataRange<Real>& range, std::int64_t t, std::int64_t b) const;
  bool counts(std::int64_t rank, std::int64_t b) const;
  Shared quantiser_of_h(std::int64_t rank, std::int64_t first, std::int64_t last);
  Shared quantiser_over_h(std::int64_t rank, std::int64_t first, std::int64_t last) const;
  const double* x_of(std::int64_t rank, std::int64_t b) const {
    const std::int64_t input_rank = task_.fault_hooks.input_rank(rank, f_.lengths[at(b)]);
    return task_.X.data() + f_.x_offset(f_.time(d_, b, input_rank), b);
  }
  bool row(std::int64_t rank, std::int64_t b, ElementEvaluation* evaluation, Trace* trace);
  void take_codes(std::int64_t count);
  bool observe(std::int64_t rank, std::int64_t b, const double* observed, ElementEvaluation* evaluation);
  void start_from_observed(std::int64_t rank, std::int64_t b);
  bool carry_on(std::int64_t b);
  /// Without Y, narrows a row's new sets to what the bound that follows the Jacobians leaves, from the first step on
  /// that has open codes.
  void follow(std::int64_t b, const StepInput<Real>& in);
  std::optional<ForwardState<Real>> followed_from_sets(std::int64_t b) const;

  const Task& task_;
  const Layout& f_;
  const Arithmetic& m_;
  std::int64_t d_, chunk_, only_row_;
  FaultyCell cell_;
  Matrices matrices_;
  QuantiserSwitches switches_;
  std::unique_ptr<QuantizedProduct<Real>> by_W_, by_R_;
  std::unique_ptr<Step<Real>> step_;
  std::optional<QuantizedForward<Real>>
      forward_;  ///< where states are not observed, and no fault is supposed of a step
  bool x_per_step_;
  std::int64_t longest_;
  std::vector<Shared> first_h_quantisers_;  ///< by chunk; only for a fault
  State state_;
  std::vector<Set> next_h_;  ///< [N][H]
  Codes::const_iterator next_code_;
  Codes digits_;
  std::vector<Set> from_x_, from_h_;
  StepSets<Real> row_;
  std::vector<Real> h_centre_;
  std::vector<double> h_radius_;
};

extern template class DirectionWalk<double>;
extern template class DirectionWalk<Ball>;

}  // namespace cellproof::oracle
