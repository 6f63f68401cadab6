#pragma once

#include <array>
#include <memory>
#include <vector>

#include "optimized/cuda/backend.hpp"
#include "optimized/cuda/schedule.hpp"

namespace cellproof::cuda {

/// Addresses of the data of one run; nullptr for inputs that the node does not have or whose data is not there, and for
/// outputs that are not wanted.
struct Arguments {
  std::array<const void*, CELLPROOF_INPUTS> inputs{};
  std::array<void*, CELLPROOF_OUTPUTS> outputs{};

  template <class T>
  const T* input(std::size_t position) const {
    return static_cast<const T*>(inputs.at(position));
  }
};

/// Options of a plan's runs.
struct Setting {
  bool tensors_on_device = false;  ///< or wherever else the backend's memory is
  cellproof_cuda_path path = CELLPROOF_CUDA_PATH_AUTO;
  bool asynchronous = false;  ///< counts only with tensors_on_device
};

/// A node on a backend, with all memory that it takes: brings the tensors to where the backend can read them and the
/// outputs back, keeps the schedule of the latest lengths there, and leaves the computing to its heirs.
class Executor {
 public:
  Executor(const Node& node, Backend& backend, const Setting& setting);
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  virtual ~Executor() = default;

  /// Packs the weights, if the data of all of them is there. Called once, before any run.
  void pack_constants(const Arguments& constants);
  /// Lengths have been checked.
  void run(const Arguments& arguments);
  virtual const char* path() const { return "steps"; }

 protected:
  /// From arguments_.
  virtual void pack() = 0;
  /// From arguments_ and schedule_; only launches.
  virtual void compute() = 0;
  /// Bounds the number of those launches.
  virtual Index launches() const = 0;

  Schedule& schedule() { return *schedule_; }
  const Schedule& schedule() const { return *schedule_; }
  Index steps_of_chunk(std::size_t bytes_of_row) const;

  const Node& node_;
  Backend& backend_;
  Arguments arguments_;  ///< in the backend's memory
  Memory<Index> first_rows_, lengths_;
  std::vector<Memory<Index>> in_x_, in_y_, in_state_;  ///< by direction

 private:
  void place(std::size_t input, const void* data);
  void set_lengths(const std::int32_t* lengths);
  std::vector<std::uint64_t> key() const;

  bool tensors_are_there_, returns_early_;
  bool weights_are_packed_ = false;
  std::array<Memory<std::byte>, CELLPROOF_INPUTS> staged_inputs_;
  std::array<Memory<std::byte>, CELLPROOF_OUTPUTS> staged_outputs_;
  std::unique_ptr<Schedule> schedule_;
  std::vector<std::int32_t> latest_lengths_;
  std::uint64_t schedules_made_ = 0;
};

/// The executor of a node. `node` and `backend` must outlive it.
std::unique_ptr<Executor> make_executor(const Node& node, Backend& backend, const Setting& setting);

}  // namespace cellproof::cuda
