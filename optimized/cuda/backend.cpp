#include "optimized/cuda/backend.hpp"

#include <new>

namespace cellproof::cuda {
namespace {

template <Storage storage>
using Slices = std::vector<std::vector<typename Kept<storage>::Word>>;

template <Storage storage, Phase phase, int rows>
void take_sums(const PersistentDirections<storage>& persistent, Index block, const Moment& moment,
               const Slices<storage>& kept) {
  const UnitSums<storage, phase, rows> sums(persistent.of_block(block), persistent.within(block), moment,
                                            kept[static_cast<std::size_t>(block)].data());
  for (Index i = 0; i < sums.count(); ++i) host_group(sums, i);
}

template <Storage storage, Phase phase>
void take_phase(const PersistentDirections<storage>& persistent, Index step, const Slices<storage>& kept) {
  for (Index block = 0; block < persistent.blocks(); ++block) {
    const Moment moment = persistent.of_block(block).at(step);
    if (moment.running == 1)
      take_sums<storage, phase, 1>(persistent, block, moment, kept);
    else
      take_sums<storage, phase, rows_at_once>(persistent, block, moment, kept);
  }
}

}  // namespace

template <Storage storage>
void persist_on_host(Recurrence recurrence, const PersistentDirections<storage>& persistent) {
  Slices<storage> kept;
  for (Index block = 0; block < persistent.blocks(); ++block) {
    const Persistent<storage>& direction = persistent.of_block(block);
    const Index within = persistent.within(block), H = direction.walk.H;
    auto& slice = kept.emplace_back();
    for (Index row = 0; row < direction.kept_rows(within); ++row)
      for (Index word = 0; word < Kept<storage>::words_of_row(H); ++word)
        slice.push_back(Kept<storage>::word(direction.kept_row(within, row), H, word));
  }
  for (Index step = persistent.of[0].begin; step < persistent.of[0].end; ++step) {
    switch (recurrence) {
      case Recurrence::Lstm:
        take_phase<storage, Phase::Lstm>(persistent, step, kept);
        break;
      case Recurrence::GruAfterReset:
        take_phase<storage, Phase::GruAfterReset>(persistent, step, kept);
        break;
      case Recurrence::GruBeforeReset:
        take_phase<storage, Phase::GruGates>(persistent, step, kept);
        take_phase<storage, Phase::GruState>(persistent, step, kept);
        break;
      case Recurrence::Rnn:
        take_phase<storage, Phase::Rnn>(persistent, step, kept);
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

template <Storage storage>
void Backend::persist(Recurrence recurrence, const PersistentDirections<storage>& persistent) {
  if (persistent.of[0].begin == persistent.of[0].end) return;
#if CELLPROOF_WITH_NVCC
  if (!is_host()) {
    PersistentDirections<storage> launched = persistent;
    // More blocks than any device holds at once: it refuses them by itself.
    if (faults_.persistent) launched.of[0].blocks = launched.of[1].blocks = 1 << 16;
    return check_persistent(
        with_recurrence(recurrence, [&](auto kind) { return launch_persistent<storage, kind>(launched, stream()); }));
  }
#endif
  if (faults_.persistent) throw PersistentRefused("a persistent kernel is refused, as was asked for");
  persist_on_host(recurrence, persistent);
}

template void Backend::persist(Recurrence, const PersistentDirections<Storage::Float16>&);
template void Backend::persist(Recurrence, const PersistentDirections<Storage::BFloat16>&);
template void Backend::persist(Recurrence, const PersistentDirections<Storage::Float>&);
template void Backend::persist(Recurrence, const PersistentDirections<Storage::Double>&);

}  // namespace cellproof::cuda
