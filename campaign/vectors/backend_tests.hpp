#pragma once

#include <filesystem>
#include <optional>

#include "corpus/backend_test.hpp"
#include "reports/vectors/vector_set.hpp"

namespace cellproof::campaign {

/// The tightest rtol and atol, summed over the elements, that admit every number of every interval: for runners that
/// can only compare with the rounded exact value. nullopt where such a runner cannot be right: several ways, elements
/// without an end, or NaN beside numbers.
std::optional<corpus::Tolerance> tolerance_of(const reports::Vector& vector);

/// The rounded exact values of a way, by position.
Outputs values_of(const reports::VectorWay& way);

/// Would a runner pass `actual` that compares each element with `wanted`, as numpy's assert_allclose does?
bool all_close(const Outputs& wanted, const corpus::Tolerance& tolerance, const Outputs& actual);

/// Writes the vectors that have a tolerance as ONNX backend-test directories below the folder, in the newest version of
/// each. Returns their number. Throws corpus::CorpusError.
std::int64_t write_backend_tests(const reports::VectorSet& set, const std::filesystem::path& folder);

}  // namespace cellproof::campaign
