#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/problem.hpp"
#include "spec/tensor.hpp"

namespace cellproof::reports {

/// One output of a vector, by element in the tensor's own type: a value is right that lies from `lo` to `hi`.
struct VectorOutput {
  Tensor value;  ///< the exact result, rounded once
  Tensor lo, hi;
  std::vector<std::size_t> nan;  ///< elements that may be NaN; where lo > hi, nothing else
};

/// Outputs that are right as a whole, under readings that come to the same.
struct VectorWay {
  std::vector<std::string> readings;                 ///< "default", "clip-scope=gates"
  std::vector<std::optional<VectorOutput>> outputs;  ///< by position
};

/// A case with all that it may give.
struct Vector {
  std::string name;  ///< "LSTM-01"
  std::string line;  ///< of the case
  Problem problem;   ///< in the newest version of `versions`
  std::vector<int> versions;
  std::vector<std::string> clauses;       ///< ids of those that it leaves open
  std::vector<std::string> kills, tells;  ///< ids of faults and readings that it is there for
  std::vector<VectorWay> ways;            ///< the default first
};

/// The set's words on a fault.
struct VectorNote {
  std::string what, clause;
};

/// Everything that renderers of vectors look at.
struct VectorSet {
  std::string version;
  std::vector<Vector> vectors;
  std::map<std::string, VectorNote> faults;    ///< by id: those that some vector is there for
  std::map<std::string, std::string> clauses;  ///< by id: what is open
};

/// The set as one JSON file (docs/vectors.md), its SHA-256 included.
std::string render_json(const VectorSet& set);
/// The set as a .npz file: "LSTM-01/X", "LSTM-01/way0/Y/lo".
std::string render_npz(const VectorSet& set);
/// The vectors of float tensors as a C99 header with a check function.
std::string render_c_header(const VectorSet& set);
/// Files by name: WebNN's conformance tests in the style of web-platform-tests, of the vectors that WebNN can express.
std::vector<std::pair<std::string, std::string>> render_webnn(const VectorSet& set);
/// The JSON Schema of the JSON file.
std::string_view vectors_schema();

}  // namespace cellproof::reports
