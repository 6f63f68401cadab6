#include "optimized/cuda/backend.hpp"

#include <new>

namespace cellproof::cuda {
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
        with_recurrence(recurrence, [&](auto kind) { return launch_persistent<storage, kind>(launched, stream()); }),
        launched.blocks());
  }
#endif
  if (faults_.persistent) throw PersistentRefused("a persistent kernel is refused, as was asked for");
  persist_on_host(recurrence, persistent, faults_, ++persisted_);
}

template void Backend::persist(Recurrence, const PersistentDirections<Storage::Float16>&);
template void Backend::persist(Recurrence, const PersistentDirections<Storage::BFloat16>&);
template void Backend::persist(Recurrence, const PersistentDirections<Storage::Float>&);
template void Backend::persist(Recurrence, const PersistentDirections<Storage::Double>&);

}  // namespace cellproof::cuda
