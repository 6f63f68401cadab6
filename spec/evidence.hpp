#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "spec/readings.hpp"

namespace cellproof {

/// The answers that an engine can give to a clause, as far as they can be told apart from outside, the default first:
/// the listed readings, and "refuse" where refusing is allowed; "kept" or "broken" for a settled clause; "refused" or
/// "accepted" for an invalid one. None for a matter of precision contracts, nor for input-forget-weights: to use the
/// forget gate's weights is to compute i = 1 - f, another clause's reading. `zero` of dq-finished-rows is left out: a
/// row of zeros leaves no trace in a range that holds 0 anyway, so it cannot be told from `excluded`.
std::vector<std::string_view> answers(Clause clause);

/// An answer, as its position in that list.
using Answer = std::size_t;
std::optional<Answer> answer_named(Clause clause, std::string_view text);
std::vector<std::string_view> names(Clause clause, const std::vector<Answer>& list);

/// One case's evidence on one clause. An answer in neither list was not looked at; both lists are empty where a case
/// was there to decide the clause, and the engine gave no result that could be compared.
struct Evidence {
  Clause clause = Clause::ClipScope;
  std::vector<Answer> fits;      ///< answers that agree with what the engine did
  std::vector<Answer> excludes;  ///< answers that cannot have led to what it did
  friend bool operator==(const Evidence&, const Evidence&) = default;
};

/// The engine gave this answer and no other. Throws std::invalid_argument for one that the clause does not have.
Evidence only(Clause clause, std::string_view answer);
/// The engine's result fits none of the answers.
Evidence none(Clause clause);

}  // namespace cellproof
