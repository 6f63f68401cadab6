#pragma once

#include "oracle/course.hpp"

namespace cellproof::oracle {

/// Verifies more elements of a course that found no violation, but leaves elements unresolved or unspecified: engines
/// differ in what the contract and the pages leave to them, and one and the same engine does it in one way. Where every
/// element also lies within what *one* narrower way of computing can reach (functions without the floor that the
/// contract grants; one manner of treating NaN and infinities), that one's sets, which are parts of the honest ones,
/// say which elements are verified. Changes nothing where no way of those tried explains everything. `bits`: the rung
/// that decided the course.
void verify_more(const Task& task, Course& course, int bits);

}  // namespace cellproof::oracle
