#include "corpus/regression.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "corpus/files.hpp"
#include "corpus/model.hpp"
#include "spec/case_text.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::corpus {
namespace {

using ::testing::HasSubstr;

const std::string head = "found: 2026-11-22\nfound by: a dream\nfound in: the judge\nwas: it slept\n";
const std::string line = "cellproof-case/1 op=RNN-14 type=float T=2 N=1 I=2 H=3\n";

class RegressionFile : public ::testing::Test {
 protected:
  std::filesystem::path written(const std::string& text) {
    const auto file = folder_.path() / "some-name.case";
    std::filesystem::remove(file);
    write_file(file, text);
    return file;
  }
  std::string refusal_of(const std::string& text) {
    try {
      read_regression(written(text));
    } catch (const CorpusError& error) {
      return error.what();
    }
    return "read";
  }

  TemporaryFolder folder_;
};

TEST_F(RegressionFile, SaysWhereItsCaseComesFrom) {
  const Regression read = read_regression(written(head + "\n" + line));
  EXPECT_EQ(read.name, "some-name");
  EXPECT_EQ(read.found, "2026-11-22");
  EXPECT_EQ(read.found_by, "a dream");
  EXPECT_EQ(read.found_in, "the judge");
  EXPECT_EQ(read.was, "it slept");
  EXPECT_EQ(to_text(read.c) + "\n", line);
}

TEST_F(RegressionFile, IsRefusedWhereSomethingIsMissingOrTooMuch) {
  EXPECT_THAT(refusal_of(line), HasSubstr("some-name.case: 'found' is missing, expected 'found: YYYY-MM-DD'"));
  EXPECT_THAT(refusal_of(head), HasSubstr("the case line is missing"));
  EXPECT_THAT(refusal_of(head + line + line), HasSubstr("some-name.case:6: a line behind the case"));
  EXPECT_THAT(refusal_of(head + head + line), HasSubstr(":5: 'found: 2026-11-22', expected 'found' once"));
  EXPECT_THAT(refusal_of(head + "colour: red\n" + line), HasSubstr(":5: 'colour: red'"));
  for (const std::string day : {"yesterday", "2026-99-99", "2026-02-29", "2026-11-00", "2026-11-22 "})
    EXPECT_THAT(refusal_of("found: " + day + "\nfound by: x\nfound in: y\nwas: z\n" + line),
                HasSubstr("found: '" + day + "', expected a date, YYYY-MM-DD"));
  EXPECT_THAT(refusal_of(head + "cellproof-case/1 op=RNN-15\n"), HasSubstr("some-name.case:5: case text: op=RNN-15"));
}

TEST_F(RegressionFile, AFolderWithoutOneIsRefused) {
  EXPECT_THROW(read_regressions(folder_.path()), CorpusError);
  EXPECT_THROW(read_regressions(folder_.path() / "not there"), CorpusError);
}

TEST(Regressions, OfThisProjectAreDifferentCasesInCanonicalText) {
  std::set<std::string> hashes;
  for (const Regression& regression : read_regressions(regressions_folder())) {
    EXPECT_TRUE(hashes.insert(case_hash(regression.c)).second) << regression.name;
    const std::string text = read_file(regressions_folder() / (regression.name + ".case"), 1U << 20U);
    EXPECT_TRUE(text.ends_with("\n" + to_text(regression.c) + "\n"))
        << regression.name << ": " << to_text(regression.c);
  }
}

}  // namespace
}  // namespace cellproof::corpus
