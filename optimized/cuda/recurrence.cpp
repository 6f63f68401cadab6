#include "optimized/cuda/recurrence.hpp"

#include <algorithm>

namespace cellproof::cuda {

template <class Real>
RecurrenceOf<Real>::RecurrenceOf(const Node& node, Backend& backend, const Setting& setting)
    : Executor(node, backend, setting), chunk_(1) {
  const auto& g = node.geometry;
  const Index states = g.N * g.H;
  bias_ = Memory<Real>(backend, g.D * 2 * columns());
  backend.clear(bias_.data(), bias_.bytes());
  if (node.has(CELLPROOF_CUDA_P)) peepholes_ = Memory<Real>(backend, g.D * 3 * g.H);
  h_ = Memory<Real>(backend, 2 * states);
  if (node.has_cell()) c_ = Memory<Real>(backend, states);
  recurrent_ = Memory<Real>(backend, g.N * columns());
  if (node.op != CELLPROOF_CUDA_GRU || node.linear_before_reset) return;
  z_ = Memory<Real>(backend, states);
  reset_ = Memory<Real>(backend, states);
}

template <class Real>
void RecurrenceOf<Real>::pack_vectors() {
  const auto& g = node_.geometry;
  const auto widen = [&](std::size_t input, const Memory<Real>& to, Index count) {
    if (node_.has(input)) backend_.each(Widen<Real>{arguments_.inputs.at(input), node_.storage, to.data()}, count);
  };
  widen(CELLPROOF_CUDA_B, bias_, g.D * 2 * columns());
  widen(CELLPROOF_CUDA_P, peepholes_, g.D * 3 * g.H);
}

template <class Real>
void RecurrenceOf<Real>::load_states(Index direction) {
  const auto& g = node_.geometry;
  const auto load = [&](std::size_t input, const Memory<Real>& to) {
    const void* from = node_.has(input) ? arguments_.inputs.at(input) : nullptr;
    const Index* at = in_state_.at(static_cast<std::size_t>(direction)).data();
    backend_.each(GatherRows<Real>{from, node_.storage, at, g.H, to.data()}, g.N * g.H);
  };
  load(CELLPROOF_CUDA_INITIAL_H, h_);
  if (node_.has_cell()) load(CELLPROOF_CUDA_INITIAL_C, c_);
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
  store(CELLPROOF_CUDA_Y_H, h_, 2);
  if (node_.has_cell()) store(CELLPROOF_CUDA_Y_C, c_, 1);
}

template <class Real>
Walk<Real> RecurrenceOf<Real>::walk_of(Index direction, Index first_row) const {
  const auto& g = node_.geometry;
  const auto d = static_cast<std::size_t>(direction);
  const auto& functions = node_.activations.at(d);
  Walk<Real> walk{};
  walk.functions = {functions[0], functions[1], functions[2], static_cast<Real>(node_.clip)};
  walk.input_forget = node_.input_forget;
  walk.N = g.N;
  walk.H = g.H;
  walk.G = g.G;
  walk.first_rows = first_rows_.data();
  walk.first_row = first_row;
  walk.inputs = inputs_.data();
  walk.bias = bias_.data() + direction * 2 * columns();
  walk.peepholes = node_.has(CELLPROOF_CUDA_P) ? peepholes_.data() + direction * 3 * g.H : nullptr;
  walk.h = h_.data();
  walk.c = c_.data();
  walk.z = z_.data();
  walk.reset = reset_.data();
  walk.recurrent = recurrent_.data();
  walk.in_y = in_y_.at(d).data();
  walk.storage = node_.storage;
  walk.Y = arguments_.outputs[CELLPROOF_CUDA_Y];
  return walk;
}

template class RecurrenceOf<float>;
template class RecurrenceOf<double>;

namespace {

/// Whether stored elements are Reals already.
template <class Real>
bool is_stored_as(Storage storage) {
  return storage == (sizeof(Real) == sizeof(double) ? Storage::Double : Storage::Float);
}

}  // namespace

template <class Real>
FloatRecurrence<Real>::FloatRecurrence(const Node& node, Backend& backend, const Setting& setting)
    : RecurrenceOf<Real>(node, backend, setting) {
  const auto& g = node.geometry;
  this->chunk_ = this->steps_of_chunk(this->bytes_of_row(g.I));
  this->inputs_ = Memory<Real>(backend, this->chunk_ * g.N * this->columns());
  x_ = Memory<Real>(backend, this->chunk_ * g.N * g.I);
  if (!is_stored_as<Real>(node.storage)) {
    packed_w_ = Memory<Real>(backend, g.D * this->columns() * g.I);
    packed_r_ = Memory<Real>(backend, g.D * this->columns() * g.H);
  }
  if (setting.path != CELLPROOF_CUDA_PATH_STEPS && g.N <= backend.limits().few_rows)
    blocks_ = backend.persistent_blocks(recurrence(), sizeof(Real) == sizeof(double), g.H, g.G);
}

template <class Real>
Recurrence FloatRecurrence<Real>::recurrence() const {
  switch (this->node_.op) {
    case CELLPROOF_CUDA_GRU:
      return this->node_.linear_before_reset ? Recurrence::GruAfterReset : Recurrence::GruBeforeReset;
    case CELLPROOF_CUDA_RNN:
      return Recurrence::Rnn;
    case CELLPROOF_CUDA_LSTM:
    case CELLPROOF_CUDA_DYNAMIC_QUANTIZE_LSTM:
      break;
  }
  return Recurrence::Lstm;
}

template <class Real>
void FloatRecurrence<Real>::pack() {
  this->pack_vectors();
  const auto& g = this->node_.geometry;
  const auto pack_matrix = [&](std::size_t input, const Memory<Real>& packed, Index count) -> const Real* {
    const void* data = this->arguments_.inputs.at(input);
    if (is_stored_as<Real>(this->node_.storage)) return static_cast<const Real*>(data);
    this->backend_.each(Widen<Real>{data, this->node_.storage, packed.data()}, count);
    return packed.data();
  };
  w_ = pack_matrix(CELLPROOF_CUDA_W, packed_w_, g.D * this->columns() * g.I);
  r_ = pack_matrix(CELLPROOF_CUDA_R, packed_r_, g.D * this->columns() * g.H);
}

template <class Real>
const Real* FloatRecurrence<Real>::recurrent_weights(Index direction) const {
  return r_ + direction * this->columns() * this->node_.geometry.H;
}

template <class Real>
Index FloatRecurrence<Real>::launches() const {
  const Index steps = this->schedule().steps(), each_step = blocks_ > 0 ? 0 : 4;
  return this->node_.geometry.D * (4 + steps * each_step + 3 * (steps / this->chunk_ + 1));
}

template <class Real>
void FloatRecurrence<Real>::multiply_ahead(Index direction, Index begin, Index end) {
  const auto& g = this->node_.geometry;
  const Index first = this->schedule().first_row(begin), rows = this->schedule().first_row(end) - first;
  const Index* at = this->in_x_.at(static_cast<std::size_t>(direction)).data() + first;
  this->backend_.each(
      GatherRows<Real>{this->arguments_.inputs[CELLPROOF_CUDA_X], this->node_.storage, at, g.I, x_.data()}, rows * g.I);
  this->backend_.product(RowsProduct<Real>{x_.data(), rows, g.I, w_ + direction * this->columns() * g.I,
                                           this->columns(), this->inputs_.data()});
}

template <class Real>
template <Phase phase>
void FloatRecurrence<Real>::take_phase(const Walk<Real>& walk, Index direction, Index step) {
  const Index H = walk.H, running = this->schedule().running(step);
  const Real* weights = recurrent_weights(direction) + first_gate_of(phase) * H * H;
  this->backend_.product(RowsProduct<Real>{walk.multiplied(phase, step), running, H, weights, sums_of(phase) * H,
                                           this->recurrent_.data()});
  this->backend_.each(Step<Real, phase>{walk, step, this->schedule().first_row(step)}, running * H);
}

template <class Real>
void FloatRecurrence<Real>::take_step(const Walk<Real>& walk, Index direction, Index step) {
  switch (recurrence()) {
    case Recurrence::Lstm:
      return take_phase<Phase::Lstm>(walk, direction, step);
    case Recurrence::GruAfterReset:
      return take_phase<Phase::GruAfterReset>(walk, direction, step);
    case Recurrence::GruBeforeReset:
      take_phase<Phase::GruGates>(walk, direction, step);
      return take_phase<Phase::GruState>(walk, direction, step);
    case Recurrence::Rnn:
      return take_phase<Phase::Rnn>(walk, direction, step);
  }
}

template <class Real>
void FloatRecurrence<Real>::compute() {
  const Index steps = this->schedule().steps();
  for (Index direction = 0; direction < this->node_.geometry.D; ++direction) {
    this->load_states(direction);
    for (Index begin = 0; begin < steps; begin += this->chunk_) {
      const Index end = std::min(begin + this->chunk_, steps);
      multiply_ahead(direction, begin, end);
      const Walk<Real> walk = this->walk_of(direction, this->schedule().first_row(begin));
      if (blocks_ > 0) {
        this->backend_.persist(recurrence(), Persistent<Real>{walk, recurrent_weights(direction), begin, end, blocks_});
      } else {
        for (Index step = begin; step < end; ++step) take_step(walk, direction, step);
      }
    }
    this->store_states(direction);
  }
}

template class FloatRecurrence<float>;
template class FloatRecurrence<double>;

}  // namespace cellproof::cuda
