#include "corpus/suite.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

#include "corpus/suites/suites.hpp"
#include "spec/suggestion.hpp"

namespace cellproof::corpus {
namespace {

using Maker = std::vector<SuiteCase> (*)();

struct Entry {
  SuiteInfo info;
  Maker make;
};

/// A new suite is a function of its own in corpus/suites/ and one row here.
constexpr std::array entries{
    Entry{{"onnx-backend", "ONNX's own node tests for LSTM, GRU and RNN"}, catalogue::onnx_backend},
    Entry{{"smoke", "every feature of every operator version, with data on which a wrong implementation shows"},
          catalogue::smoke},
    Entry{{"invalid", "one broken rule each; the valid twin must run, the case must be refused"}, catalogue::invalid},
    Entry{{"readings", "one open clause each, with data on which its readings lead to different results"},
          catalogue::readings},
    Entry{{"limits", "sizes beside which kernels change their way, one at a time"}, catalogue::limits},
    Entry{{"regressions", "cases on which an engine or Cellproof itself was once wrong"}, catalogue::regressions},
    Entry{{"deployed", "nodes as published models have them, each form as often as it was met"}, catalogue::deployed},
};

constexpr auto infos = [] {
  std::array<SuiteInfo, entries.size()> result{};
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = entries[i].info;
  return result;
}();

}  // namespace

std::span<const SuiteInfo> suites() {
  return infos;
}

Suite load_suite(std::string_view name) {
  for (const auto& [info, make] : entries) {
    if (info.name == name) return {std::string(info.name), std::string(info.what), make()};
  }
  std::vector<std::string_view> known;
  for (const auto& suite : suites()) known.push_back(suite.name);
  throw std::invalid_argument(fmt::format("no suite '{}', {}", name, expected_one_of(name, known)));
}

}  // namespace cellproof::corpus
