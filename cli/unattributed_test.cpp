// Failures for which a run can blame no axis value (axes=unattributed), as a user meets them: accepted by a waiver,
// known from a base store, and told in words.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>

#include "cli/testing/run_program.hpp"
#include "reports/store.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::cli {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

/// An engine that fails in every case, so that there is nothing to compare with.
class Unattributed : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(run({}).exit_code, 1);
    for (const Finding& f : reports::Store::open_read_only(store()).findings())
      known_.emplace(f.signature, f.case_line);
    ASSERT_GE(known_.size(), 2U);
    for (const auto& [signature, line] : known_) ASSERT_THAT(signature, EndsWith(", axes=unattributed)"));
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string store() const { return path("report/run.sqlite"); }

  ProgramResult run(std::vector<std::string> more) const {
    std::vector<std::string> arguments{
        "run",
        "--suite",
        "onnx-backend",
        "--engine",
        "bad=" + std::string(CELLPROOF_BINARY_DIR) + "/bin/cellproof-engine-hostile wrong-shape",
        "--explain",
        "0",
        "-o",
        path("report")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  }

  /// Waivers for all signatures but the first so many.
  std::string waivers_for_all_but(std::size_t left_out) const {
    std::string entries;
    for (auto each = std::next(known_.begin(), static_cast<std::ptrdiff_t>(left_out)); each != known_.end(); ++each) {
      const auto& [signature, line] = *each;
      entries += fmt::format(R"({}{{"signature": "{}", "case": "{}", "versions": "*", "url": "https://example.org/1",)"
                             R"( "expires": "2999-12-31", "why": "its shapes are turned round"}})",
                             entries.empty() ? "" : ", ", signature, line);
    }
    std::ofstream(path("waivers.json")) << R"({"waivers": [)" << entries << "]}";
    return path("waivers.json");
  }

  std::string text_of(const std::string& name) const {
    std::ifstream in(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  TemporaryFolder folder_;
  std::map<std::string, std::string> known_;  ///< signature -> a case line
};

TEST_F(Unattributed, IsAcceptedByAWaiverForItsSignature) {
  const ProgramResult waived = run({"--waivers", waivers_for_all_but(0)});
  EXPECT_EQ(waived.exit_code, 0) << waived.out << waived.err;
  EXPECT_THAT(text_of("report/index.html"), HasSubstr("Waived until 2999-12-31: its shapes are turned round"));
  const ProgramResult one_left =
      run_program({"report", "--waivers", waivers_for_all_but(1), "-o", path("again"), store()});
  EXPECT_EQ(one_left.exit_code, 1) << one_left.out << one_left.err;
}

TEST_F(Unattributed, IsKnownFromTheBaseStore) {
  const ProgramResult result = run_program({"report", store(), "--baseline", store(), "-o", path("again")});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr(fmt::format("0 new, {} known, 0 gone", known_.size())));
  EXPECT_THAT(text_of("again/junit.xml"), HasSubstr("fails so already"));
  EXPECT_THAT(text_of("again/junit.xml"), Not(HasSubstr("<failure")));
}

TEST_F(Unattributed, IsToldInWordsOnThePageAndAtTheEndOfTheRun) {
  EXPECT_THAT(text_of("report/index.html"), HasSubstr("to say which axis value is to blame"));
  EXPECT_THAT(text_of("report/index.html"), Not(HasSubstr("axes=unattributed")));
  EXPECT_THAT(run({"--verbose"}).out, HasSubstr("no axis value to blame"));
  EXPECT_THAT(text_of("report/junit.xml"), HasSubstr("axes=unattributed"))
      << "a waiver quotes the signature from there";
}

}  // namespace
}  // namespace cellproof::cli
