#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "spec/tensor.hpp"

namespace cellproof::corpus {

/// Reads the bytes of a .npy file: float16, float32, float64, int8, uint8, int32 or int64, little endian, in C order.
/// Throws CorpusError.
Tensor from_npy(std::string_view bytes, const std::string& where);

/// Reads the arrays of a .npz file, stored or compressed, by name. Throws CorpusError.
std::map<std::string, Tensor> from_npz(std::string_view bytes, const std::string& where);

}  // namespace cellproof::corpus
