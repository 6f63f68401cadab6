#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace cellproof {

/// Source of the default of an activation's parameter.
enum class DefaultSource {
  NoParameter,  ///< the function takes none
  Operator,     ///< the ONNX operator of the same name has it, as the pages say
  Open,         ///< no such operator today: clause defaults-affine-scaledtanh; the values stand for its default reading
};

/// One of the eleven activation functions that the operators' pages list. Which value of activation_alpha and
/// activation_beta a function gets is not said here: that is a matter of the list it stands in.
struct ActivationInfo {
  std::string_view name;     ///< as the pages spell it: "Tanh"
  std::string_view formula;  ///< of x, alpha and beta
  bool uses_alpha = false;
  bool uses_beta = false;
  std::optional<float> default_alpha = std::nullopt;  ///< set exactly when uses_alpha
  std::optional<float> default_beta = std::nullopt;   ///< set exactly when uses_beta
  /// The same defaults as the decimal numbers that the operators' pages print (0.2, not the float next to it): the
  /// reading `double` of clause default-parameters-in-double.
  std::optional<double> decimal_alpha = std::nullopt;
  std::optional<double> decimal_beta = std::nullopt;
  DefaultSource source = DefaultSource::NoParameter;
  std::string_view citation = "";  ///< where the default is written
};

/// The eleven, in the order of the pages.
std::span<const ActivationInfo> activations();

/// By the name exactly as the pages spell it; nullptr for any other.
const ActivationInfo* activation_exactly(std::string_view name);

/// By the name in any mixture of cases (clause activation-name-case); nullptr for any other.
const ActivationInfo* activation_named(std::string_view name);

}  // namespace cellproof
