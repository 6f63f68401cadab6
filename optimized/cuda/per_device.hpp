#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace cellproof::cuda {

/// Things that are of one device each and are lent to one user at a time. Threads may use it at once.
template <class Thing>
class PerDevice {
 public:
  /// The one that was given back last for that device, if there is any.
  std::optional<Thing> take(int device) {
    const std::lock_guard lock(mutex_);
    std::vector<Thing>& of_device = free_[device];
    if (of_device.empty()) return std::nullopt;
    Thing thing = std::move(of_device.back());
    of_device.pop_back();
    return thing;
  }
  void give_back(int device, Thing thing) {
    const std::lock_guard lock(mutex_);
    free_[device].push_back(std::move(thing));
  }

 private:
  std::mutex mutex_;
  std::map<int, std::vector<Thing>> free_;
};

}  // namespace cellproof::cuda
