#pragma once

#include <string>

namespace cellproof {

/// Test support: compares `text` with the approved file at `path`, from the root of the checkout. Returns "" when they
/// are equal, else what differs first and where the text was put for comparing. With CELLPROOF_APPROVE=1 in the
/// environment it rewrites the approved file instead.
std::string difference_from_approved(const std::string& path, const std::string& text);

}  // namespace cellproof
