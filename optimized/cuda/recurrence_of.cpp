#include <algorithm>

#include "optimized/cuda/recurrence.hpp"

namespace cellproof::cuda {

template <class Real>
RecurrenceOf<Real>::RecurrenceOf(const Node& node, Backend& backend, const Setting& setting)
    : Executor(node, backend, setting) {
  const auto& g = node.geometry;
  const Index states = g.N * g.H;
  bias_ = Memory<Real>(backend, g.D * 2 * columns());
  backend.clear(bias_.data(), bias_.bytes());
  if (node.has(CELLPROOF_P)) peepholes_ = Memory<Real>(backend, g.D * 3 * g.H);
  for (Index d = 0; d < g.D; ++d) {
    Scratch& made = scratch_.emplace_back();
    made.h = Memory<Real>(backend, 2 * states);
    if (node.has_cell()) made.c = Memory<Real>(backend, states);
    made.recurrent = Memory<Real>(backend, g.N * columns());
    if (node.op != CELLPROOF_GRU || node.linear_before_reset) continue;
    made.z = Memory<Real>(backend, states);
    made.reset = Memory<Real>(backend, states);
  }
}

template <class Real>
void RecurrenceOf<Real>::reserve_chunks(std::size_t more_bytes_of_row) {
  const auto& g = node_.geometry;
  const std::size_t bytes_of_row = static_cast<std::size_t>(columns()) * sizeof(Real) + more_bytes_of_row;
  // The same for each path: by the rows of a product it is chosen how it adds.
  chunk_ = std::min(steps_of_chunk(bytes_of_row * static_cast<std::size_t>(g.D)), backend_.limits().steps_ahead);
  for (Scratch& one : scratch_) one.inputs = Memory<Real>(backend_, chunk_ * g.N * columns());
}

template <class Real>
void RecurrenceOf<Real>::pack_vectors() {
  const auto& g = node_.geometry;
  const auto widen = [&](std::size_t input, const Memory<Real>& to, Index count) {
    if (node_.has(input)) backend_.each(Widen<Real>{arguments_.inputs.at(input), node_.storage, to.data()}, count);
  };
  widen(CELLPROOF_B, bias_, g.D * 2 * columns());
  widen(CELLPROOF_P, peepholes_, g.D * 3 * g.H);
}

template <class Real>
void RecurrenceOf<Real>::load_states(Index direction) {
  const auto& g = node_.geometry;
  const auto load = [&](std::size_t input, const Memory<Real>& to) {
    const void* from = node_.has(input) ? arguments_.inputs.at(input) : nullptr;
    const Index* at = in_state_.at(static_cast<std::size_t>(direction)).data();
    backend_.each(GatherRows<Real>{from, node_.storage, at, g.H, to.data()}, g.N * g.H);
  };
  const Scratch& into = scratch(direction);
  load(CELLPROOF_INITIAL_H, into.h);
  if (node_.has_cell()) load(CELLPROOF_INITIAL_C, into.c);
  if (into.words.data() == nullptr) return;
  const auto* from = node_.has(CELLPROOF_INITIAL_H) ? arguments_.input<std::uint16_t>(CELLPROOF_INITIAL_H) : nullptr;
  const Index* at = in_state_.at(static_cast<std::size_t>(direction)).data();
  backend_.each(GatherWords{from, at, g.H, into.words.data()}, g.N * g.H);
}

template <class Real>
void RecurrenceOf<Real>::store_states(Index direction) {
  const auto& g = node_.geometry;
  const auto store = [&](std::size_t output, const Memory<Real>& from, Index halves) {
    void* to = arguments_.outputs.at(output);
    const Index* at = in_state_.at(static_cast<std::size_t>(direction)).data();
    if (to != nullptr)
      backend_.each(ScatterStates<Real>{from.data(), halves, g.N, lengths_.data(), at, g.H, node_.storage, to},
                    g.N * g.H);
  };
  store(CELLPROOF_Y_H, scratch(direction).h, 2);
  if (node_.has_cell()) store(CELLPROOF_Y_C, scratch(direction).c, 1);
}

template <class Real>
Walk<Real> RecurrenceOf<Real>::walk_of(Index direction, Index first_row) const {
  const auto& g = node_.geometry;
  const auto d = static_cast<std::size_t>(direction);
  const auto& functions = node_.activations.at(d);
  const Scratch& own = scratch(direction);
  Walk<Real> walk{};
  walk.functions = {functions[0], functions[1], functions[2], static_cast<Real>(node_.clip)};
  walk.input_forget = node_.input_forget;
  walk.N = g.N;
  walk.H = g.H;
  walk.G = g.G;
  walk.first_rows = first_rows_.data();
  walk.first_row = first_row;
  walk.inputs = own.inputs.data();
  walk.bias = bias_.data() + direction * 2 * columns();
  walk.peepholes = node_.has(CELLPROOF_P) ? peepholes_.data() + direction * 3 * g.H : nullptr;
  walk.h = own.h.data();
  walk.words = own.words.data();
  walk.c = own.c.data();
  walk.z = own.z.data();
  walk.reset = own.reset.data();
  walk.split = own.split.data();
  walk.parts = parts_;
  walk.recurrent = own.recurrent.data();
  walk.in_y = in_y_.at(d).data();
  walk.storage = node_.storage;
  walk.Y = arguments_.outputs[CELLPROOF_Y];
  return walk;
}

template class RecurrenceOf<float>;
template class RecurrenceOf<double>;

}  // namespace cellproof::cuda
