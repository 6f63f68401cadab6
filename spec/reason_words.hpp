#pragma once

#include <string>

#include "spec/finding.hpp"

namespace cellproof {

/// "Y is double, expected float"
std::string to_text(const BrokenOutput& broken);

/// One sentence for the engineer whose engine it is; "" where the judgement has no reason.
std::string sentence_of(const Judgement& judgement);

}  // namespace cellproof
