#include "optimized/cuda/recurrence.hpp"

#include <algorithm>
#include <type_traits>

namespace cellproof::cuda {

namespace {

/// The rows of X from row `first` on where they can be multiplied as they lie; nullptr where they must be gathered. By
/// the alignment cuBLAS may choose how it adds: X that lies askew must not get other bits.
template <class Element>
const Element* rows_in_place(const Schedule& schedule, Index direction, const void* X, Index first, Index width) {
  if (!schedule.takes_x_in_order(direction)) return nullptr;
  const Element* const rows = static_cast<const Element*>(X) + first * width;
  return reinterpret_cast<std::uintptr_t>(rows) % 16 == 0 ? rows : nullptr;
}

/// Are stored elements Reals already?
template <class Real>
bool is_stored_as(Storage storage) {
  return storage == (sizeof(Real) == sizeof(double) ? Storage::Double : Storage::Float);
}

}  // namespace

template <class Real>
FloatRecurrence<Real>::FloatRecurrence(const Node& node, Backend& backend, const Setting& setting)
    : RecurrenceOf<Real>(node, backend, setting) {
  choose_persistence(setting);
  is_in_words_ = !is_stored_as<Real>(node.storage);
  rounds_h_ = is_in_words_ && !has_few_rows();
  make_room_for_rows();
  if (rounds_h_ && recurrence() == Recurrence::GruBeforeReset) make_room_for_split();
}

template <class Real>
void FloatRecurrence<Real>::choose_persistence(const Setting& setting) {
  const auto& g = this->node_.geometry;
  Backend& backend = this->backend_;
  if (setting.path != CELLPROOF_CUDA_PATH_STEPS && has_few_rows()) {
    PersistentShape shape{recurrence(), this->node_.storage, g.N, g.H, g.G, g.D, true};
    if (setting.path != CELLPROOF_CUDA_PATH_BARRIER && g.H <= backend.limits().exchanged)
      persistence_ = backend.persistence(shape);
    shape.exchanges = false;
    if (persistence_.blocks == 0) persistence_ = backend.persistence(shape);
  }
  for (Index d = 0; d < g.D && persistence_.exchanges; ++d) {
    auto& published = this->scratch(d).published;
    published = Memory<FlaggedWord>(backend, Exchange<Real>::words_for(g.N * g.H));
    backend.clear(published.data(), published.bytes());
  }
}

template <class Real>
void FloatRecurrence<Real>::make_room_for_rows() {
  const auto& g = this->node_.geometry;
  Backend& backend = this->backend_;
  this->reserve_chunks(static_cast<std::size_t>(g.I) * (is_in_words_ ? sizeof(std::uint16_t) : sizeof(Real)));
  for (Index d = 0; d < g.D; ++d) {
    if (is_in_words_)
      x_words_.emplace_back(backend, this->chunk_ * g.N * g.I);
    else
      x_.emplace_back(backend, this->chunk_ * g.N * g.I);
    if (rounds_h_) this->scratch(d).words = Memory<std::uint16_t>(backend, 2 * g.N * g.H);
  }
}

/// H behind the reset gate is no stored number. Tensor cores take it as three bfloat16 terms, whose products
/// are exact, with R in parts of the same type.
template <class Real>
void FloatRecurrence<Real>::make_room_for_split() {
  const auto& g = this->node_.geometry;
  Backend& backend = this->backend_;
  this->parts_ = this->node_.storage == Storage::Float16 ? 2 : 1;
  split_r_ = Memory<std::uint16_t>(backend, g.D * this->parts_ * g.H * g.H);
  for (Index d = 0; d < g.D; ++d) {
    this->scratch(d).split = Memory<std::uint16_t>(backend, split_terms * g.N * g.H);
    this->scratch(d).recurrent = Memory<Real>(backend, split_terms * g.N * this->parts_ * g.H);
  }
}

template <class Real>
Recurrence FloatRecurrence<Real>::recurrence() const {
  switch (this->node_.op) {
    case CELLPROOF_GRU:
      return this->node_.linear_before_reset ? Recurrence::GruAfterReset : Recurrence::GruBeforeReset;
    case CELLPROOF_RNN:
      return Recurrence::Rnn;
    case CELLPROOF_LSTM:
    case CELLPROOF_DYNAMIC_QUANTIZE_LSTM:
      break;
  }
  return Recurrence::Lstm;
}

template <class Real>
void FloatRecurrence<Real>::pack() {
  this->pack_vectors();
  if (split_r_.data() == nullptr) return;
  const Index H = this->node_.geometry.H, square = H * H;
  for (Index d = 0; d < this->directions(); ++d)
    this->backend_.each(
        SplitWords{weights<std::uint16_t>(CELLPROOF_R, d, H) + first_gate_of(Phase::GruState) * square,
                   this->node_.storage, this->parts_, square, split_r_.data() + d * this->parts_ * square},
        square);
}

template <class Real>
template <class Element>
const Element* FloatRecurrence<Real>::weights(std::size_t input, Index direction, Index width) const {
  return this->arguments_.template input<Element>(input) + direction * this->columns() * width;
}

template <class Real>
Index FloatRecurrence<Real>::launches() const {
  const Index steps = this->schedule().steps(), each_step = persistence_.blocks > 0 ? 0 : 4;
  return this->node_.geometry.D * (5 + steps * each_step + 4 * (steps / this->chunk_ + 1));
}

template <class Real>
void FloatRecurrence<Real>::multiply_ahead(Index direction, Index begin, Index end) {
  const auto& g = this->node_.geometry;
  const auto d = static_cast<std::size_t>(direction);
  const Index first = this->schedule().first_row(begin), rows = this->schedule().first_row(end) - first;
  const Index* at = this->in_x_.at(d).data() + first;
  Real* const inputs = this->scratch(direction).inputs.data();
  const void* X = this->arguments_.inputs[CELLPROOF_X];
  if constexpr (sizeof(Real) == sizeof(float)) {
    if (is_in_words_) {
      const auto* words = rows_in_place<std::uint16_t>(this->schedule(), direction, X, first, g.I);
      if (words == nullptr) {
        words = x_words_[d].data();
        this->backend_.each(GatherWords{static_cast<const std::uint16_t*>(X), at, g.I, x_words_[d].data()}, rows * g.I);
      }
      return this->backend_.product(WordsProduct{words, rows, g.I, weights<std::uint16_t>(CELLPROOF_W, direction, g.I),
                                                 this->columns(), inputs, this->node_.storage});
    }
  }
  const Real* values = rows_in_place<Real>(this->schedule(), direction, X, first, g.I);
  if (values == nullptr) {
    values = x_[d].data();
    this->backend_.each(GatherRows<Real>{X, this->node_.storage, at, g.I, x_[d].data()}, rows * g.I);
  }
  this->backend_.product(
      RowsProduct<Real>{values, rows, g.I, weights<Real>(CELLPROOF_W, direction, g.I), this->columns(), inputs});
}

template <class Real>
template <Phase phase>
void FloatRecurrence<Real>::take_phase(const Walk<Real>& walk, Index direction, Index step) {
  const Index H = walk.H, running = this->schedule().running(step), first = this->schedule().first_row(step);
  const Index skipped = first_gate_of(phase) * H * H, sums = sums_of(phase) * H;
  const auto multiply = [&] {
    if constexpr (sizeof(Real) == sizeof(float)) {
      if (rounds_h_ && phase == Phase::GruState)
        return this->backend_.product(WordsProduct{walk.split, split_terms * running, H,
                                                   split_r_.data() + direction * walk.parts * H * H, walk.parts * H,
                                                   walk.recurrent, Storage::BFloat16});
      if (is_in_words_) {
        const auto* R = weights<std::uint16_t>(CELLPROOF_R, direction, H) + skipped;
        if (rounds_h_)
          return this->backend_.product(
              WordsProduct{walk.words_before(step), running, H, R, sums, walk.recurrent, walk.storage});
        return this->backend_.sums(
            MixedProduct{walk.multiplied(phase, step), running, H, R, sums, walk.recurrent, walk.storage});
      }
    }
    this->backend_.product(RowsProduct<Real>{walk.multiplied(phase, step), running, H,
                                             weights<Real>(CELLPROOF_R, direction, H) + skipped, sums, walk.recurrent});
  };
  multiply();
  this->backend_.each(Step<Real, phase>{walk, step, first}, running * H);
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
void FloatRecurrence<Real>::persist(const std::array<Walk<Real>, 2>& walks, Index begin, Index end) {
  with_storage(this->node_.storage, [&](auto storage) {
    if constexpr (std::is_same_v<RealOf<storage>, Real>) persist_stored<storage>(walks, begin, end);
  });
}

template <class Real>
Exchange<Real> FloatRecurrence<Real>::exchange_of(Index direction, Index begin) const {
  const auto& g = this->node_.geometry;
  if (!persistence_.exchanges) return {};
  return {this->scratch(direction).published.data(), g.N * g.H, begin, this->backend_.faults().one_half ? 1 : 2};
}

template <class Real>
template <Storage storage>
void FloatRecurrence<Real>::persist_stored(const std::array<Walk<Real>, 2>& walks, Index begin, Index end) {
  const auto of = [&](Index d) {
    const auto* R = weights<typename Kept<storage>::Element>(CELLPROOF_R, d, this->node_.geometry.H);
    return Persistent<storage>{
        walks.at(static_cast<std::size_t>(d)), R, begin, end, persistence_.blocks, exchange_of(d, begin)};
  };
  // One kernel at a time: blocks that wait for each other must all be on the chip, and two such kernels side by side
  // could each hold what the other one waits for.
  this->backend_.join();
  for (int d = 0; d < this->directions(); ++d)
    if (persistence_.exchanges && !this->backend_.faults().not_cleared)
      this->backend_.clear(this->scratch(d).published.data(), this->scratch(d).published.bytes());
  if (persistence_.both_at_once)
    this->backend_.persist(recurrence(), PersistentDirections<storage>{{of(0), of(1)}, 2});
  else
    for (int d = 0; d < this->directions(); ++d)
      this->backend_.persist(recurrence(), PersistentDirections<storage>{{of(d), of(d)}, 1});
  this->backend_.fork(this->directions());
}

template <class Real>
const char* FloatRecurrence<Real>::path() const {
  if (is_persistence_refused_) return "steps, as a persistent kernel was refused";
  if (persistence_.blocks > 0) return persistence_.exchanges ? "persistent" : "persistent with a barrier";
  return "steps";
}

/// From the start again where a persistent kernel is refused: nothing of what was done before is read then.
template <class Real>
void FloatRecurrence<Real>::compute() {
  try {
    compute_steps();
  } catch (const PersistentRefused&) {
    persistence_ = {};
    is_persistence_refused_ = true;
    compute_steps();
  }
}

template <class Real>
void FloatRecurrence<Real>::compute_steps() {
  const Index steps = this->schedule().steps();
  this->backend_.fork(this->directions());
  this->each_direction([&](Index d) { this->load_states(d); });
  for (Index begin = 0; begin < steps; begin += this->chunk_) {
    const Index end = std::min(begin + this->chunk_, steps);
    std::array<Walk<Real>, 2> walks{};
    this->each_direction([&](Index d) {
      multiply_ahead(d, begin, end);
      walks.at(static_cast<std::size_t>(d)) = this->walk_of(d, this->schedule().first_row(begin));
    });
    if (persistence_.blocks > 0) {
      persist(walks, begin, end);
      continue;
    }
    // Step by step, so that neither branch waits for the other one's launches.
    for (Index step = begin; step < end; ++step)
      this->each_direction([&](Index d) { take_step(walks.at(static_cast<std::size_t>(d)), d, step); });
  }
  this->each_direction([&](Index d) { this->store_states(d); });
  this->backend_.join();
}

template class FloatRecurrence<float>;
template class FloatRecurrence<double>;

}  // namespace cellproof::cuda
