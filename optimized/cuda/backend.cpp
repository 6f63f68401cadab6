#include "optimized/cuda/backend.hpp"

#include <new>

namespace cellproof::cuda {
namespace {

template <class Real>
using Slices = std::vector<std::vector<Real>>;

template <class Real, Phase phase, int rows>
void take_sums(const PersistentDirections<Real>& persistent, Index block, const Moment& moment,
               const Slices<Real>& kept) {
  const UnitSums<Real, phase, rows> sums(persistent.of_block(block), persistent.within(block), moment,
                                         kept[static_cast<std::size_t>(block)].data());
  for (Index i = 0; i < sums.count(); ++i) host_group(sums, i);
}

template <class Real, Phase phase>
void take_phase(const PersistentDirections<Real>& persistent, Index step, const Slices<Real>& kept) {
  for (Index block = 0; block < persistent.blocks(); ++block) {
    const Moment moment = persistent.of_block(block).at(step);
    if (moment.running == 1)
      take_sums<Real, phase, 1>(persistent, block, moment, kept);
    else
      take_sums<Real, phase, rows_at_once>(persistent, block, moment, kept);
  }
}

#if CELLPROOF_WITH_NVCC
template <class Real>
int launch(Recurrence recurrence, const PersistentDirections<Real>& persistent, void* stream) {
  const std::size_t bytes = static_cast<std::size_t>(persistent.of[0].most_kept()) * sizeof(Real);
  switch (recurrence) {
    case Recurrence::Lstm:
      return launch_persistent<Real, Recurrence::Lstm>(persistent, bytes, stream);
    case Recurrence::GruAfterReset:
      return launch_persistent<Real, Recurrence::GruAfterReset>(persistent, bytes, stream);
    case Recurrence::GruBeforeReset:
      return launch_persistent<Real, Recurrence::GruBeforeReset>(persistent, bytes, stream);
    case Recurrence::Rnn:
      break;
  }
  return launch_persistent<Real, Recurrence::Rnn>(persistent, bytes, stream);
}
#endif

}  // namespace

template <class Real>
void persist_on_host(Recurrence recurrence, const PersistentDirections<Real>& persistent) {
  Slices<Real> kept;
  for (Index block = 0; block < persistent.blocks(); ++block) {
    const Persistent<Real>& direction = persistent.of_block(block);
    const Index within = persistent.within(block);
    std::vector<Real>& slice = kept.emplace_back();
    for (Index row = 0; row < direction.kept_rows(within); ++row) {
      const Real* from = direction.kept_row(within, row);
      slice.insert(slice.end(), from, from + direction.walk.H);
    }
  }
  for (Index step = persistent.of[0].begin; step < persistent.of[0].end; ++step) {
    switch (recurrence) {
      case Recurrence::Lstm:
        take_phase<Real, Phase::Lstm>(persistent, step, kept);
        break;
      case Recurrence::GruAfterReset:
        take_phase<Real, Phase::GruAfterReset>(persistent, step, kept);
        break;
      case Recurrence::GruBeforeReset:
        take_phase<Real, Phase::GruGates>(persistent, step, kept);
        take_phase<Real, Phase::GruState>(persistent, step, kept);
        break;
      case Recurrence::Rnn:
        take_phase<Real, Phase::Rnn>(persistent, step, kept);
        break;
    }
  }
}

void Backend::replay(const std::vector<std::uint64_t>& key, Index launches, const std::function<void()>& work) {
  if (launches > limits().replayed || !is_recordable_) return work();
  if (key != recorded_key_) {
    if (key != latest_key_) {
      if (faults_.first_run && latest_key_.empty()) {
        latest_key_ = {0};  // no key is that
        throw std::bad_alloc();
      }
      work();
      latest_key_ = key;  // only now: a run that failed half-way has not loaded all that a recording must find loaded
      return;
    }
    recorded_key_.clear();
    is_recordable_ = record(work);
    if (!is_recordable_) return work();
    recorded_key_ = key;
  }
  is_recordable_ = launch_recorded();
  if (!is_recordable_) work();
}

template <class Real>
void Backend::persist(Recurrence recurrence, const PersistentDirections<Real>& persistent) {
  if (persistent.of[0].begin == persistent.of[0].end) return;
#if CELLPROOF_WITH_NVCC
  if (!is_host()) {
    PersistentDirections<Real> launched = persistent;
    // More blocks than any device holds at once: it refuses them by itself.
    if (faults_.persistent) launched.of[0].blocks = launched.of[1].blocks = 1 << 16;
    return check_persistent(launch(recurrence, launched, stream()));
  }
#endif
  if (faults_.persistent) throw PersistentRefused("a persistent kernel is refused, as was asked for");
  persist_on_host(recurrence, persistent);
}

template void Backend::persist(Recurrence, const PersistentDirections<float>&);
template void Backend::persist(Recurrence, const PersistentDirections<double>&);

}  // namespace cellproof::cuda
