#pragma once

#include <string_view>

#include "spec/outcome.hpp"

namespace cellproof::engines::ort {

/// Classifies an error of ONNX Runtime: NOT_SUPPORTED (it says that it lacks something), OUT_OF_MEMORY, or REJECTED (it
/// says that the model or the data is wrong).
OutcomeKind meaning_of(int error_code, std::string_view message);

}  // namespace cellproof::engines::ort
