#pragma once

#include <optional>
#include <vector>

#include "engines/probe.hpp"
#include "fuzz/case_axes.hpp"

namespace cellproof::fuzz {

/// The part of a space that an engine supports: each value with which it runs a case that is plain otherwise, of the
/// newest version of which it runs the plain case, and those of `rows` that have no other values. Values without which
/// such a case does not exist are learnt first. nullopt where it supports nothing, or all.
std::optional<SpacePart> supported_part(const CaseSpace& space, const std::vector<Row>& rows,
                                        const engines::Probe& ask);

}  // namespace cellproof::fuzz
