#include "lab/gpu/device_engine.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>
#include <utility>

#include "engines/cuda/cuda_engine.hpp"
#include "engines/cudnn/cudnn_engine.hpp"

namespace cellproof::lab {
namespace {

DeviceEngine make_cuda(cellproof_cuda_machine machine, std::string_view name, int runs) {
  std::array<char, 512> message{};
  const auto status = cellproof_cuda_probe(machine, message.data(), message.size());
  if (status == CELLPROOF_UNAVAILABLE) return {nullptr, message.data()};
  if (status != CELLPROOF_OK) throw std::runtime_error(message.data());
  return {std::make_unique<engines::CudaEngine>(machine, std::string(name), runs), ""};
}

}  // namespace

DeviceEngine make_device_engine(std::string_view name, int runs) {
  if (name == "cellproof-cuda") return make_cuda(CELLPROOF_CUDA_DEVICE, name, runs);
  if (name == "cellproof-cuda@host") return make_cuda(CELLPROOF_CUDA_HOST, name, runs);
  for (const engines::CudnnVariant& variant : engines::cudnn_variants()) {
    if (name != variant.engine) continue;
    DeviceEngine made;
    engines::CudnnContext context = engines::open_cudnn(variant, made.absent);
    if (context)
      made.engine = std::make_unique<engines::CudnnEngine>(std::move(context), variant.engine, variant.contract, runs);
    return made;
  }
  throw std::invalid_argument(fmt::format("there is no engine '{}' that runs on a device", name));
}

}  // namespace cellproof::lab
