#pragma once

#include "engines/onnxruntime/c_api.hpp"
#include "spec/tensor.hpp"

namespace cellproof::engines::ort {

/// A tensor of ONNX Runtime's over the bytes of ours, which must outlive it. Throws CallError.
CApi::Value borrow(const CApi& api, void* memory_info, Tensor& tensor);

/// Reads a tensor of ONNX Runtime's. Throws CallError, also for an element type that no recurrent operator has.
Tensor copy_out(const CApi& api, void* value);

}  // namespace cellproof::engines::ort
