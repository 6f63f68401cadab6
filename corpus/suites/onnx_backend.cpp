#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "corpus/backend_test.hpp"
#include "corpus/message.hpp"
#include "corpus/project_root.hpp"
#include "corpus/suites/suites.hpp"

namespace cellproof::corpus::catalogue {
namespace {

/// All of ONNX 1.23.2's node tests for the three operators.
constexpr std::array official_tests{
    "test_lstm_defaults",       "test_lstm_with_initial_bias",
    "test_lstm_with_peepholes", "test_lstm_batchwise",
    "test_lstm_reverse",        "test_lstm_bidirectional",
    "test_gru_defaults",        "test_gru_with_initial_bias",
    "test_gru_seq_length",      "test_gru_batchwise",
    "test_gru_reverse",         "test_gru_bidirectional",
    "test_simple_rnn_defaults", "test_simple_rnn_with_initial_bias",
    "test_rnn_seq_length",      "test_simple_rnn_batchwise",
    "test_simple_rnn_reverse",  "test_simple_rnn_bidirectional",
};

}  // namespace

std::vector<SuiteCase> onnx_backend() {
  const auto directory = project_root() / ".deps" / "backend-tests";
  std::vector<SuiteCase> result;
  for (const char* name : official_tests) {
    const auto path = directory / name;
    if (!std::filesystem::exists(path / "model.onnx")) {
      refuse(path.string(), "ONNX's node test is missing",
             "the 18 that set-up writes there (./cellproof doctor says more)");
    }
    for (const auto& data_set : read_backend_test(path).data_sets) {
      const std::string suffix = data_set.number == 0 ? "" : fmt::format("/{}", data_set.number);
      result.push_back({name + suffix, case_of(data_set.problem)});
    }
  }
  return result;
}

}  // namespace cellproof::corpus::catalogue
