#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/covering_array.hpp"
#include "spec/axes.hpp"
#include "spec/case.hpp"
#include "spec/operator.hpp"

namespace cellproof::fuzz {

/// One axis of an operator's space with the values that it has in any of the operator's versions.
struct CaseFactor {
  std::string axis;                 ///< as in spec/axes.hpp; "version" for the operator's version
  std::vector<std::string> values;  ///< versions newest first ("22"), of other axes the default first
  const Axis* row = nullptr;        ///< the axis itself; null for the version
};

/// The space of one operator's valid cases: axes of spec/axes.hpp and the version as factors, what
/// spec/axes/exclusions.hpp excludes and what the version tables lack as exclusions.
struct CaseSpace {
  Operator op;
  std::vector<CaseFactor> factors;  ///< the version first
  FactorModel model;
  /// Values by which nothing is to be covered: the place behind the others that stands for "this version does not have
  /// the axis", and data of which nothing can be verified.
  std::vector<ValueSet> ignored;
  /// Values at which an engine may well refuse a case: those that some clause lets it refuse, element types beside
  /// float, layout 1, versions before 7.
  std::vector<Term> rare;
};

/// All that a node can mean: axes_of_meaning(), in every version.
CaseSpace case_space(Operator op);

/// Ways to put a node of the newest version before an engine: axes_of_presentation(), and the few of the others with
/// which they are crossed. All others have their default.
CaseSpace presentation_space(Operator op);

/// The space with these values of each factor alone.
FactorModel model_of(const CaseSpace& space, const Domains& values);

/// The values that a case has, one for each factor of its operator's space.
Row row_of(const CaseSpace& space, const Case& c);

/// The case that has exactly the values of the row; the rest is drawn by the seed. Throws std::logic_error where there
/// is none: the table of exclusions is incomplete.
Case case_of(const CaseSpace& space, const Row& row, std::uint64_t seed);

/// A part of a space.
struct SpacePart {
  Domains values;          ///< of each factor, some
  std::vector<Row> there;  ///< rows that are there already: what they cover need not be covered again
};

/// Rows that cover all pairs (strength 2) or triples (3) of the space, with the values that an engine may refuse as far
/// apart as can be, and with at most `strength` of the sizes T, N, I and H above 9: what a case costs is bounded. Those
/// of pairs have no values that overflow. `part`: with those values alone; null: with all.
std::vector<Row> covering_rows(const CaseSpace& space, std::size_t strength, const SpacePart* part = nullptr);

/// Rows that cover all pairs of a presentation_space, or of its part.
std::vector<Row> presentation_rows(const CaseSpace& space, const SpacePart* part = nullptr);

}  // namespace cellproof::fuzz
