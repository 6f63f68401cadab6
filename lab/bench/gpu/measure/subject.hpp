#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "lab/bench/gpu/grid.hpp"

namespace cellproof::lab::bench::gpu {

/// Why a subject is unavailable in a row. One line.
class Unavailable : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Memory of the device. Throws std::bad_alloc, or std::runtime_error where the device fails.
class DeviceMemory {
 public:
  explicit DeviceMemory(std::size_t bytes);
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  ~DeviceMemory();
  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  void upload(const void* from, std::size_t bytes, std::size_t at = 0);
  /// The first bytes of it.
  void download(void* to, std::size_t bytes) const;
  /// Repeats the first `period` bytes to the end.
  void repeat(std::size_t period);

 private:
  void* data_ = nullptr;
  std::size_t bytes_;
};

/// Data that all subjects of a row compute with, in ONNX's layout: small numbers of no meaning, stored in the row's
/// type.
struct RowData {
  explicit RowData(const Row& r);
  Row row;
  std::int64_t gates;
  std::vector<std::int32_t> lengths;
  std::vector<std::byte> W, R, B;
  DeviceMemory X, W_there, R_there, B_there;
};

/// Somebody whose runs are timed on the device.
class Subject {
 public:
  virtual ~Subject() = default;
  virtual std::string version() const = 0;
  virtual void* stream() const = 0;  ///< a cudaStream_t
  /// One run on the stream. Throws std::runtime_error.
  virtual void issue() = 0;
  /// [T][N][H] in the row's type.
  virtual const DeviceMemory& Y() const = 0;
};

/// Way to call cuDNN: call by call, from a graph, or, for GRU without linear_before_reset, on the other GRU.
enum class CudnnWay { Plain, Recorded, Nearest };

/// cuDNN without our layer: its own calls on its own layout. All of these throw Unavailable.
std::unique_ptr<Subject> make_direct_cudnn(const RowData& data, CudnnWay way);
std::unique_ptr<Subject> make_our_cudnn(const RowData& data);
/// `steps`: step by step, whatever they would choose.
std::unique_ptr<Subject> make_our_kernels(const RowData& data, bool steps);

}  // namespace cellproof::lab::bench::gpu
