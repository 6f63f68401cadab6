#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "corpus/model.hpp"
#include "spec/joined_node.hpp"

namespace cellproof::corpus {

/// One test_data_set_N of a backend-test directory: the problem with its inputs bound, and the outputs that lie beside
/// it.
struct DataSet {
  int number = 0;
  Problem problem;
  Outputs outputs;  ///< by node output position; nullopt: not asked for, or no file
  /// All nodes of a model that holds several recurrent ones, and `problem` and `outputs` are those of none.
  std::vector<JoinedNode> joined = {};
};

/// A directory as ONNX's backend tests have them: model.onnx, test_data_set_N/{input,output}_K.pb, optional data.json.
struct BackendTest {
  std::filesystem::path path;
  int opset = 0;
  std::vector<DataSet> data_sets;            ///< by number
  std::optional<std::string> refuse_clause;  ///< data.json: {"cellproof": {"expect": "refuse", "clause": ...}}
  std::string case_line;                     ///< data.json: {"cellproof": {"case": ...}}; "" where it says none
};

/// Throws CorpusError. `outputs_from`: read outputs from DIR/test_data_set_N/output_K.pb there instead (a foreign run).
/// External data may lie inside the directory of the file that names it.
BackendTest read_backend_test(const std::filesystem::path& directory, const std::filesystem::path& outputs_from = {});

/// All directories below `root` (itself included) that hold a model.onnx, in lexical order. Hidden directories and
/// links are left out; `root` itself may be a link. Throws CorpusError where `root` is no directory, or where one below
/// it cannot be read.
std::vector<std::filesystem::path> find_backend_tests(const std::filesystem::path& root);

/// Tolerance that data.json gives to runners which know nothing better.
struct Tolerance {
  double rtol = 0, atol = 0;
};

/// Writes the directory under a temporary name and renames it: nothing partial is ever left under the final name.
/// outputs: by node output position; empty for a case that must be refused. Throws CorpusError when it cannot:
/// `directory` exists, cannot be written, or the disk is full. Throws std::invalid_argument when an output that is
/// asked for is missing.
void write_backend_test(const std::filesystem::path& directory, const Problem& problem, const Outputs& outputs,
                        std::optional<Tolerance> tolerance, const std::optional<std::string>& refuse_clause,
                        const std::string& case_line);

}  // namespace cellproof::corpus
