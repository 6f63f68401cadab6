#include "optimized/cuda/single_step_recurrence.hpp"

#include <type_traits>

namespace cellproof::cuda {

template <class Real>
SingleStep<Real> SingleStepRecurrence<Real>::of_direction(Index direction) {
  const auto& g = this->node_.geometry;
  const auto d = static_cast<std::size_t>(direction);
  const std::size_t element = size_of(this->node_.inputs[CELLPROOF_X].type);
  const auto& inputs = this->arguments_.inputs;
  const auto weights = [&](std::size_t input, Index width) {
    const auto skipped = static_cast<std::size_t>(direction * this->columns() * width) * element;
    return static_cast<const void*>(static_cast<const std::byte*>(inputs.at(input)) + skipped);
  };
  SingleStep<Real> step{};
  step.walk = this->walk_of(direction, 0);
  step.X = inputs[CELLPROOF_X];
  step.in_x = this->in_x_.at(d).data();
  step.I = g.I;
  step.W = weights(CELLPROOF_W, g.I);
  step.R = weights(CELLPROOF_R, g.H);
  step.initial_h = this->node_.has(CELLPROOF_INITIAL_H) ? inputs[CELLPROOF_INITIAL_H] : nullptr;
  step.initial_c = this->node_.has(CELLPROOF_INITIAL_C) ? inputs[CELLPROOF_INITIAL_C] : nullptr;
  step.in_state = this->in_state_.at(d).data();
  step.Y_h = this->arguments_.outputs[CELLPROOF_Y_H];
  step.Y_c = this->node_.has_cell() ? this->arguments_.outputs[CELLPROOF_Y_C] : nullptr;
  step.running = this->schedule().rows();
  return step;
}

template <class Real>
template <Phase phase, Storage storage>
void SingleStepRecurrence<Real>::take_stored() {
  const Index directions = this->node_.geometry.D;
  const SingleStep<Real> first = of_direction(0), last = of_direction(directions - 1);
  if (this->node_.geometry.N == 1)
    this->backend_.groups(SingleStepSums<Real, phase, storage, 1>{{first, last}, directions});
  else
    this->backend_.groups(SingleStepSums<Real, phase, storage, rows_at_once>{{first, last}, directions});
}

template <class Real>
template <Phase phase>
void SingleStepRecurrence<Real>::take_phase() {
  with_storage(this->node_.storage, [&](auto storage) {
    if constexpr (std::is_same_v<RealOf<storage>, Real>) take_stored<phase, storage>();
  });
}

template <class Real>
void SingleStepRecurrence<Real>::compute() {
  switch (this->node_.op) {
    case CELLPROOF_GRU:
      if (this->node_.linear_before_reset) return take_phase<Phase::GruAfterReset>();
      take_phase<Phase::GruGates>();
      return take_phase<Phase::GruState>();
    case CELLPROOF_RNN:
      return take_phase<Phase::Rnn>();
    case CELLPROOF_LSTM:
    case CELLPROOF_DYNAMIC_QUANTIZE_LSTM:
      break;
  }
  take_phase<Phase::Lstm>();
}

template class SingleStepRecurrence<float>;
template class SingleStepRecurrence<double>;

}  // namespace cellproof::cuda
