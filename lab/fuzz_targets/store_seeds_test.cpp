#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "reports/finding_json.hpp"
#include "reports/render.hpp"
#include "reports/store.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::fuzz {
namespace {

namespace fs = std::filesystem;

/// The committed seeds of `store` that `report` takes; a file as a copy, beside which SQLite may write.
std::vector<reports::ReportData> taken_seeds() {
  const TemporaryFolder folder;
  std::vector<reports::ReportData> taken;
  for (const auto& entry : fs::directory_iterator(fs::path(CELLPROOF_SOURCE_DIR) / "corpus/seeds/store")) {
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    const fs::path copy = folder / entry.path().filename();
    std::ofstream(copy, std::ios::binary) << bytes;
    try {
      if (bytes.starts_with("SQLite format 3")) {
        taken.push_back(reports::report_data(reports::Store::open_read_only(copy)));
      } else {
        taken.emplace_back().findings.push_back(reports::finding_from_json(bytes.substr(0, bytes.find('\n'))));
      }
    } catch (const reports::StoreError&) {
    } catch (const std::invalid_argument&) {
      taken.pop_back();
    }
  }
  return taken;
}

TEST(StoreSeeds, HoldWhatReportsShow) {
  const std::vector<reports::ReportData> taken = taken_seeds();
  const auto some = [&](auto has) { return std::ranges::any_of(taken, has); };
  const auto some_finding = [&](auto has) {
    return some([&](const reports::ReportData& data) { return std::ranges::any_of(data.findings, has); });
  };
  EXPECT_TRUE(some([](const reports::ReportData& data) { return !data.title.empty() && !data.findings.empty(); }));
  EXPECT_TRUE(some([](const reports::ReportData& data) { return !data.engines.empty() && data.findings.size() > 5; }));
  EXPECT_TRUE(some_finding([](const Finding& f) { return f.judgement.first && !f.judgement.series.empty(); }));
  EXPECT_TRUE(some_finding([](const Finding& f) { return f.reduction.has_value(); }));
  EXPECT_TRUE(some_finding([](const Finding& f) { return !f.evidence.empty(); }));
  EXPECT_TRUE(some_finding([](const Finding& f) { return f.signal != 0; }));
}

}  // namespace
}  // namespace cellproof::fuzz
