#include <cuda_runtime.h>

#include <cstdio>
#include <string>

#include "optimized/cudnn/device_api.hpp"

namespace cellproof::cudnn {
namespace {

/// One thread for each piece of a row; a Piece is the widest type that divides the row's bytes and the addresses.
template <class Piece>
__global__ void move_rows_kernel(Piece* to, const Piece* from, std::size_t pieces, const RowMove* moves,
                                 std::size_t count) {
  const std::size_t total = pieces * count;
  const std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
  for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < total; i += stride) {
    const RowMove move = moves[i / pieces];
    const std::size_t piece = i % pieces;
    to[move.to * pieces + piece] = move.from < 0 ? Piece{} : from[move.from * pieces + piece];
  }
}

template <class Piece>
int launch(void* to, const void* from, std::size_t row_bytes, const RowMove* moves, std::size_t count, void* stream) {
  const std::size_t pieces = row_bytes / sizeof(Piece), threads = 256, most_blocks = 65535;
  const std::size_t blocks = (pieces * count + threads - 1) / threads;
  auto* into = static_cast<Piece*>(to);
  auto* source = static_cast<const Piece*>(from);
  std::size_t pieces_of_row = pieces;
  void* arguments[] = {&into, &source, &pieces_of_row, &moves, &count};
  // The error is this launch's own; <<<>>> would need cudaGetLastError(), which gives what the caller left behind, too.
  return cudaLaunchKernel(reinterpret_cast<const void*>(move_rows_kernel<Piece>),
                          dim3(static_cast<unsigned>(blocks < most_blocks ? blocks : most_blocks)), dim3(threads),
                          arguments, 0, static_cast<cudaStream_t>(stream));
}

int move_rows(void* to, const void* from, std::size_t row_bytes, const RowMove* moves, std::size_t count,
              void* stream) {
  if (count == 0 || row_bytes == 0) return cudaSuccess;
  const auto fits = [&](std::size_t bytes) {
    return (row_bytes | reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from)) % bytes == 0;
  };
  if (fits(16)) return launch<uint4>(to, from, row_bytes, moves, count, stream);
  if (fits(8)) return launch<std::uint64_t>(to, from, row_bytes, moves, count, stream);
  if (fits(4)) return launch<std::uint32_t>(to, from, row_bytes, moves, count, stream);
  return launch<std::uint16_t>(to, from, row_bytes, moves, count, stream);
}

/// "", or that this library holds no code for the current device.
std::string too_old() {
  constexpr int oldest_major = 8;  // Cuda.cmake compiles for no older one
  int device = 0, major = 0, minor = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
  // A failure is reported by the first call that needs the device.
  if (error != cudaSuccess || major >= oldest_major) return "";
  return "the CUDA device is too old: its compute capability is " + std::to_string(major) + "." +
         std::to_string(minor) + ", " + std::to_string(oldest_major) + ".0 is needed";
}

const char* absence() {
  static const std::string reason = [] {
    int devices = 0;
    const cudaError_t error = cudaGetDeviceCount(&devices);
    if (error == cudaSuccess && devices > 0) return too_old();
    if (error == cudaErrorInsufficientDriver || error == cudaErrorStubLibrary) {
      int driver = 0;
      cudaDriverGetVersion(&driver);
      if (driver == 0 || error == cudaErrorStubLibrary) return std::string("no NVIDIA driver (libcuda.so.1)");
      return "the NVIDIA driver is too old: it knows CUDA " + std::to_string(driver / 1000) + "." +
             std::to_string(driver % 1000 / 10) + ", expected " + std::to_string(CUDART_VERSION / 1000) + "." +
             std::to_string(CUDART_VERSION % 1000 / 10);
    }
    if (error == cudaErrorNoDevice || error == cudaSuccess)
      return std::string("no CUDA device that this process may use");
    // A driver and a device that do not work together are a failure, which the first call that needs them reports.
    return std::string();
  }();
  return reason.c_str();
}

int describe(char* text, std::size_t size) {
  int device = 0;
  cudaDeviceProp properties;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess) error = cudaGetDeviceProperties(&properties, device);
  if (error == cudaSuccess)
    std::snprintf(text, size, "%s, sm_%d%d", properties.name, properties.major, properties.minor);
  return error;
}

int copy(void* to, const void* from, std::size_t bytes, Copy kind, void* stream) {
  const cudaMemcpyKind kinds[] = {cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice};
  return cudaMemcpyAsync(to, from, bytes, kinds[static_cast<int>(kind)], static_cast<cudaStream_t>(stream));
}

int record_and_launch(int (*work)(void* argument), int (*between)(void* argument), void* argument, void* stream) {
  const auto on = static_cast<cudaStream_t>(stream);
  cudaError_t error = cudaStreamBeginCapture(on, cudaStreamCaptureModeThreadLocal);
  if (error != cudaSuccess) return error;
  int failed = work(argument);
  cudaGraph_t graph = nullptr;
  error = cudaStreamEndCapture(on, &graph);
  cudaGetLastError();  // a recording that was broken off must not come back with the next call
  cudaGraphExec_t recorded = nullptr;
  if (failed == 0 && error == cudaSuccess) error = cudaGraphInstantiate(&recorded, graph, 0);
  if (failed == 0 && error == cudaSuccess) error = cudaGraphLaunch(recorded, on);
  if (failed == 0 && error == cudaSuccess) error = cudaStreamSynchronize(on);
  if (failed == 0 && error == cudaSuccess && between != nullptr) {
    failed = between(argument);
    if (failed == 0) error = cudaGraphLaunch(recorded, on);
    if (failed == 0 && error == cudaSuccess) error = cudaStreamSynchronize(on);
  }
  if (recorded != nullptr) cudaGraphExecDestroy(recorded);
  if (graph != nullptr) cudaGraphDestroy(graph);
  return failed != 0 ? failed : error;
}

}  // namespace

const DeviceApi& real_device() {
  static const DeviceApi device = {
      absence,
      describe,
      [](int* device) -> int { return cudaGetDevice(device); },
      [](int device) -> int { return cudaSetDevice(device); },
      [](void** stream) -> int {
        return cudaStreamCreateWithFlags(reinterpret_cast<cudaStream_t*>(stream), cudaStreamNonBlocking);
      },
      [](void* stream) -> int { return cudaStreamDestroy(static_cast<cudaStream_t>(stream)); },
      [](void** memory, std::size_t bytes) -> int {
        const cudaError_t error = cudaMalloc(memory, bytes);
        cudaGetLastError();  // too little memory is answered, and must not come back with the next call
        return error;
      },
      [](void* memory) -> int { return cudaFree(memory); },
      copy,
      [](void* memory, std::size_t bytes, void* stream) -> int {
        return cudaMemsetAsync(memory, 0, bytes, static_cast<cudaStream_t>(stream));
      },
      move_rows,
      [](void* stream) -> int { return cudaStreamSynchronize(static_cast<cudaStream_t>(stream)); },
      record_and_launch,
      [](int error) { return cudaGetErrorString(static_cast<cudaError_t>(error)); }};
  return device;
}

}  // namespace cellproof::cudnn
