#include "engines/onnxruntime/capability.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "engines/onnxruntime/c_api.hpp"

namespace cellproof::engines::ort {
namespace {

struct Pattern {
  std::string_view part;  ///< of the message, in lower case
  OutcomeKind kind;
};

/// Messages of ONNX Runtime for a lack of its own, whatever the error code: whole ones, since "not supported" may stand
/// in a judgement on the model as well. The first that occurs decides.
constexpr std::array patterns{
    Pattern{"bad_alloc", OutcomeKind::OutOfMemory},
    Pattern{"failed to allocate memory", OutcomeKind::OutOfMemory},
    // No kernel for this type or opset: "Could not find an implementation for LSTM(22) node".
    Pattern{"could not find an implementation", OutcomeKind::NotSupported},
    // Opsets newer than its newest: "Opset 28 is under development ... Current official support for domain ai.onnx is".
    Pattern{"official support for domain", OutcomeKind::NotSupported},
    Pattern{"no op registered for", OutcomeKind::NotSupported},
    Pattern{"is not a registered function/op", OutcomeKind::NotSupported},
    Pattern{"unsupported model ir version", OutcomeKind::NotSupported},
    Pattern{"operator does not support double yet", OutcomeKind::NotSupported},
    Pattern{"batchwise recurrent operations (layout == 1) are not supported", OutcomeKind::NotSupported},
};

}  // namespace

OutcomeKind meaning_of(int error_code, std::string_view message) {
  std::string lower(message);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto found = std::find_if(patterns.begin(), patterns.end(), [&](const Pattern& pattern) {
    return lower.find(pattern.part) != std::string::npos;
  });
  if (found != patterns.end()) return found->kind;
  // A provider that fails says nothing about the model: ONNX Runtime has accepted it by then.
  for (const ErrorCode lack : {ErrorCode::NotImplemented, ErrorCode::ProviderFailed})
    if (error_code == static_cast<int>(lack)) return OutcomeKind::NotSupported;
  return OutcomeKind::Rejected;
}

}  // namespace cellproof::engines::ort
