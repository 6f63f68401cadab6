#include "corpus/suite.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <stdexcept>

#include "corpus/suites/suites.hpp"

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
};

constexpr auto infos = [] {
  std::array<SuiteInfo, entries.size()> result{};
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = entries[i].info;
  return result;
}();

const std::vector<TierInfo>& tier_list() {
  static const std::vector<TierInfo> list{{"quick", {"onnx-backend", "smoke", "invalid"}},
                                          {"ci", {"onnx-backend", "smoke", "invalid", "readings"}}};
  return list;
}

[[noreturn]] void refuse_unknown(std::string_view name) {
  std::vector<std::string_view> known;
  for (const auto& tier : tiers()) known.push_back(tier.name);
  for (const auto& suite : suites()) known.push_back(suite.name);
  throw std::invalid_argument(fmt::format("no suite or tier '{}', expected one of {}", name, fmt::join(known, ", ")));
}

}  // namespace

std::span<const SuiteInfo> suites() {
  return infos;
}

std::span<const TierInfo> tiers() {
  return tier_list();
}

Suite load_suite(std::string_view name) {
  for (const auto& [info, make] : entries) {
    if (info.name == name) return {std::string(info.name), std::string(info.what), make()};
  }
  refuse_unknown(name);
}

std::vector<std::string> expand_suite_argument(std::string_view name) {
  for (const auto& tier : tiers()) {
    if (tier.name == name) return {tier.suites.begin(), tier.suites.end()};
  }
  for (const auto& suite : suites()) {
    if (suite.name == name) return {std::string(name)};
  }
  refuse_unknown(name);
}

std::optional<Clause> clause_decided_by(std::string_view suite, std::string_view case_name) {
  if (suite != "readings") return std::nullopt;
  const std::size_t begin = case_name.find('/') + 1;
  return clause_named(case_name.substr(begin, case_name.find('/', begin) - begin));
}

}  // namespace cellproof::corpus
