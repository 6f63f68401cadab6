#include "engines/onnxruntime/tensor_values.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace cellproof::engines::ort {
namespace {

/// ONNXTensorElementDataType.
constexpr std::array<std::pair<ElementType, int>, 8> element_numbers{{{ElementType::Float, 1},
                                                                      {ElementType::UInt8, 2},
                                                                      {ElementType::Int8, 3},
                                                                      {ElementType::Int32, 6},
                                                                      {ElementType::Int64, 7},
                                                                      {ElementType::Float16, 10},
                                                                      {ElementType::Double, 11},
                                                                      {ElementType::BFloat16, 16}}};

int number_of(ElementType type) {
  for (const auto& [candidate, number] : element_numbers)
    if (candidate == type) return number;
  throw std::logic_error("an element type that ONNX Runtime's table lacks");
}

ElementType type_of(int number) {
  for (const auto& [type, candidate] : element_numbers)
    if (candidate == number) return type;
  throw CallError(0,
                  fmt::format("it answered with a tensor of element type {}, which no recurrent operator has", number));
}

}  // namespace

CApi::Value borrow(const CApi& api, void* memory_info, Tensor& tensor) {
  static std::byte nothing;  // an empty tensor's address must not be null
  auto bytes = tensor.bytes();
  void* const data = bytes.empty() ? &nothing : bytes.data();
  return api.create<CApi::ReleaseValue>(CApi::CreateTensorWithDataAsOrtValue, static_cast<const void*>(memory_info),
                                        data, bytes.size(), tensor.shape().data(), tensor.shape().size(),
                                        number_of(tensor.type()));
}

Tensor copy_out(const CApi& api, void* value) {
  const auto info =
      api.create<CApi::ReleaseTensorTypeAndShapeInfo>(CApi::GetTensorTypeAndShape, static_cast<const void*>(value));
  const auto* const described = static_cast<const void*>(info.get());
  int element = 0;
  std::size_t rank = 0;
  api.call(CApi::GetTensorElementType, described, &element);
  api.call(CApi::GetDimensionsCount, described, &rank);
  Shape shape(rank);
  api.call(CApi::GetDimensions, described, shape.data(), rank);
  void* data = nullptr;
  api.call(CApi::GetTensorMutableData, value, &data);
  Tensor tensor(type_of(element), std::move(shape));
  if (!tensor.bytes().empty()) std::memcpy(tensor.bytes().data(), data, tensor.bytes().size());
  return tensor;
}

}  // namespace cellproof::engines::ort
