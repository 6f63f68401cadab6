// `cellproof lab same-findings` as a maintainer meets it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/testing/run_program.hpp"
#include "reports/store.hpp"
#include "reports/testing/made_up_finding.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::lab {
namespace {

using testing::HasSubstr;

/// Writes a store of two findings, the second of which has so many bits.
std::string store_in(const TemporaryFolder& folder, const std::string& name, int bits) {
  reports::Store store = reports::Store::create(folder / name, {});
  for (std::int64_t k = 0; k < 2; ++k) {
    Finding finding = reports::made_up::plain({Operator::RNN, 14}, ElementType::Float, {}, k);
    if (k == 1) finding.judgement.bits = bits;
    store.add(finding);
  }
  return (folder / name).string();
}

TEST(SameFindings, AreSaidToBeSo) {
  const TemporaryFolder folder;
  const auto result = cli::run_lab({"same-findings", store_in(folder, "a", 53), store_in(folder, "b", 53)});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "2 findings before, 2 after, 0 differ\n");
}

TEST(SameFindings, NamesThoseThatAreNot) {
  const TemporaryFolder folder;
  const auto result = cli::run_lab({"same-findings", store_in(folder, "a", 53), store_in(folder, "b", 112)});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out, HasSubstr(" 1: judgement\n"));
  EXPECT_THAT(result.out, HasSubstr("1 differ"));
}

TEST(SameFindings, LeavesOutWhatARunDoesNotRepeat) {
  const TemporaryFolder folder;
  const std::string before = store_in(folder, "a", 53), after = store_in(folder, "b", 112);
  const auto result = cli::run_lab({"same-findings", before, after, "--again", store_in(folder, "c", 54)});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("0 differ, 1 more where the run before was not repeated either"));
}

TEST(SameFindings, CannotBeReadFromWhatIsNoStore) {
  const TemporaryFolder folder;
  EXPECT_EQ(cli::run_lab({"same-findings", (folder / "a").string(), (folder / "b").string()}).exit_code, 2);
}

}  // namespace
}  // namespace cellproof::lab
