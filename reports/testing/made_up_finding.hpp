#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/finding.hpp"

/// Test support: findings that are made up, field by field, for the tests of what renders them.
namespace cellproof::reports::made_up {

/// Does the finding's case have this value on the axis? Any but the default where no value is given.
bool has(const Finding& f, std::string_view axis, std::string_view value = "");

/// A case that conforms; its numbers follow from `number` alone.
Finding plain(OperatorVersion version, ElementType type, AxisValues axes, std::int64_t number);

/// `steps` points of a series: within the bound up to the step `wrong_from`, and `excess` times the bound there. In
/// reverse direction the steps are met from the last to the first.
void add_series(Judgement& judgement, int steps, int wrong_from, double excess, Direction direction);

// Changes to a finding.
/// DIVERGES by `excess` times the bound; `guilty`: the last field of its signature.
void diverge(Finding& f, ViolationKind kind, double excess, std::string_view guilty, std::string message);
/// Not judged, as the engine does not run the case.
void refuse(Finding& f, OutcomeKind outcome, std::string message);
/// The same, held against the engine.
void die(Finding& f, OutcomeKind outcome, std::string message, int signal = 0);
/// Returns the finding, of which an identical call came to `other`.
void by_chance(Finding& f, std::string_view kind, OtherOutcome other = {});
void read_as(Finding& f, Readings readings);
void undecide(Finding& f, std::string reason);

}  // namespace cellproof::reports::made_up
