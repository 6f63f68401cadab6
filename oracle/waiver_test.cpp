#include "oracle/waiver.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "spec/testing/temporary_folder.hpp"

namespace cellproof::oracle {
namespace {

using std::chrono::year_month_day;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Key;

constexpr const char* signature = "v1:(ort, LSTM, DIVERGES, Y, value, -, clip=biting)";
constexpr const char* case_line = "cellproof-case/1 op=LSTM-14 type=float T=2 N=1 I=3 H=4 seed=1";
constexpr year_month_day today{std::chrono::year(2026), std::chrono::month(11), std::chrono::day(22)};

std::string entry(const std::string& expires = "2026-11-22", const std::string& versions = ">=1.31,<1.32") {
  return std::string("{\"waivers\": [{\"signature\": \"") + signature + "\", \"case\": \"" + case_line +
         "\", \"versions\": \"" + versions + "\", \"url\": \"https://example.org/1\", \"expires\": \"" + expires +
         "\", \"why\": \"known\"}]}";
}

std::filesystem::path file_with(const std::string& text) {
  static const TemporaryFolder folder;
  const auto file = folder / "waivers.json";
  std::ofstream(file) << text;
  return file;
}

std::vector<Waiver> waivers(const std::string& expires = "2026-11-22", const std::string& versions = ">=1.31,<1.32") {
  return read_waivers(file_with(entry(expires, versions)));
}

Finding finding(bool pass, const std::string& its_signature = signature) {
  Finding f;
  f.engine = "ort";
  f.engine_version = "1.31.1";
  f.case_line = case_line;
  f.pass = pass;
  if (!pass) f.signature = its_signature;
  return f;
}

TEST(Waivers, AcceptTheDivergenceThatTheyName) {
  const auto list = waivers();
  const WaiverResult result = apply_waivers(list, {finding(false)}, {}, today, true);
  EXPECT_THAT(result.accepted, ElementsAre(Key(signature)));
  EXPECT_THAT(result.complaints, IsEmpty());
}

TEST(Waivers, ThatHaveExpiredAcceptNothing) {
  const auto list = waivers("2026-11-21");
  const WaiverResult result = apply_waivers(list, {finding(false)}, {}, today, true);
  EXPECT_THAT(result.accepted, IsEmpty());
  EXPECT_THAT(result.complaints, ElementsAre(AllOf(HasSubstr(signature), HasSubstr("expired on 2026-11-21"))));
}

TEST(Waivers, WhoseCasePassesAreNoLongerNeeded) {
  const auto list = waivers();
  const WaiverResult result = apply_waivers(list, {finding(true)}, {}, today, true);
  EXPECT_THAT(result.complaints, ElementsAre(HasSubstr("its case passes")));
  EXPECT_THAT(apply_waivers(list, {finding(true)}, {}, today, false).complaints,
              ElementsAre(HasSubstr("its case passes")));
}

/// A failure that no axis value can be blamed for has a signature as any other. It is accepted if a run says just that
/// again, and no longer if a run knows more.
TEST(Waivers, AcceptWhatNoAxisValueIsBlamedFor) {
  const std::string unattributed = "v1:(ort, LSTM, DIVERGES, Y, value, -, axes=unattributed)";
  std::string text = entry();
  const auto list = read_waivers(file_with(text.replace(text.find(signature), std::strlen(signature), unattributed)));
  const WaiverResult again = apply_waivers(list, {finding(false, unattributed)}, {}, today, true);
  EXPECT_THAT(again.accepted, ElementsAre(Key(unattributed)));
  EXPECT_THAT(again.complaints, IsEmpty());
  const WaiverResult knows_more = apply_waivers(list, {finding(false, signature)}, {}, today, true);
  EXPECT_THAT(knows_more.accepted, IsEmpty());
  EXPECT_THAT(knows_more.complaints, ElementsAre(AllOf(HasSubstr(unattributed), HasSubstr("matches no finding"))));
}

TEST(Waivers, ThatMatchNothingFailACompleteRunOnly) {
  const auto list = waivers();
  const std::vector<Finding> others{finding(false, "v1:(ort, GRU, DIVERGES, Y, value, -, -)")};
  EXPECT_THAT(apply_waivers(list, others, {}, today, true).complaints, ElementsAre(HasSubstr("matches no finding")));
  EXPECT_THAT(apply_waivers(list, others, {}, today, false).complaints, IsEmpty());
}

TEST(Waivers, ForOtherEnginesAndVersionsDoNotCount) {
  const auto list = waivers("2020-01-01", "<1.31");
  EXPECT_THAT(apply_waivers(list, {finding(false)}, {}, today, true).complaints, IsEmpty());
  Finding other = finding(false, "v1:(npu, LSTM, DIVERGES, Y, value, -, clip=biting)");
  other.engine = "npu";
  const auto expired = waivers("2020-01-01");
  EXPECT_THAT(apply_waivers(expired, {other}, {}, today, true).complaints, IsEmpty());
}

constexpr const char* of_chance = "v1:(ort, LSTM, FLAKY, -, CRASHED, -, -)";

std::vector<Waiver> flaky_waivers(const std::string& expires = "2026-11-22") {
  std::vector<Waiver> list = waivers(expires);
  list.front().signature = of_chance;
  list.front().flaky = true;
  return list;
}

TEST(FlakyWaivers, AcceptPassesAndFailuresOfTheirCaseAndSignature) {
  const auto list = flaky_waivers();
  Finding elsewhere = finding(false, of_chance);
  elsewhere.case_line = "another case";
  const std::pair id{std::string("ort"), std::string(case_line)};
  for (const Finding& met : {finding(true), finding(false, of_chance), finding(false, signature), elsewhere}) {
    const WaiverResult result = apply_waivers(list, {met}, {}, today, true);
    EXPECT_THAT(result.complaints, IsEmpty()) << met.signature;
    EXPECT_TRUE(result.accepted.contains(of_chance));
    EXPECT_EQ(result.accepted_cases.contains(id), met.case_line == case_line) << "under whatever signature it fails";
  }
  EXPECT_THAT(apply_waivers(flaky_waivers("2026-11-21"), {finding(true)}, {}, today, true).complaints,
              ElementsAre(HasSubstr("expired on 2026-11-21")));
}

TEST(FlakyWaivers, AreSpokenOfWhereAStrictOneIsOfAFlakyGroup) {
  auto list = flaky_waivers();
  list.front().flaky = false;
  for (const Finding& met : {finding(true), finding(false)})
    EXPECT_THAT(apply_waivers(list, {met}, {}, today, true).complaints,
                ElementsAre(HasSubstr("\"flaky\": true accepts")));
  EXPECT_THAT(apply_waivers(waivers(), {finding(true)}, {}, today, true).complaints,
              ElementsAre(::testing::Not(HasSubstr("flaky"))));
}

TEST(FlakyWaivers, AreOneOfEachCase) {
  const auto two = [](const std::string& first_ends, const std::string& other_case) {
    std::string text = entry();
    text.insert(text.size() - 3, first_ends);
    std::string second = text.substr(13, text.size() - 15);
    second.replace(second.find("seed=1"), 6, other_case);
    text.insert(text.size() - 2, "," + second);
    return read_waivers(file_with(text));
  };
  const auto list = two(", \"flaky\": true", "seed=2");
  ASSERT_EQ(list.size(), 2U);
  EXPECT_TRUE(list.back().flaky);
  EXPECT_THROW(two(", \"flaky\": true", "seed=1"), std::invalid_argument);
  EXPECT_THROW(two(", \"flaky\": false", "seed=2"), std::invalid_argument);
}

std::string of_a_cause(const std::string& keys) {
  return "{\"waivers\": [{" + keys +
         ", \"versions\": \"*\", \"url\": \"https://example.org/1\", \"expires\": \"2026-11-22\", \"why\": "
         "\"known\"}]}";
}

TEST(CauseWaivers, AcceptACauseThatTheRunHas) {
  const auto list = read_waivers(file_with(of_a_cause("\"cause\": \"fault:a\", \"engine\": \"ort\"")));
  Cause cause;
  cause.id = "fault:a";
  const WaiverResult result = apply_waivers(list, {finding(false)}, {{"ort", {cause}}}, today, true);
  EXPECT_THAT(result.accepted_causes, ElementsAre(Key(std::pair<std::string, std::string>("ort", "fault:a"))));
  EXPECT_THAT(result.accepted, IsEmpty());
  EXPECT_THAT(result.complaints, IsEmpty());
  const year_month_day later{std::chrono::year(2026), std::chrono::month(11), std::chrono::day(23)};
  EXPECT_THAT(apply_waivers(list, {finding(false)}, {{"ort", {cause}}}, later, true).complaints,
              ElementsAre(HasSubstr("fault:a of ort (https://example.org/1) expired")));
  cause.id = "fault:b";
  EXPECT_THAT(apply_waivers(list, {finding(false)}, {{"ort", {cause}}}, today, true).complaints,
              ElementsAre(HasSubstr("matches no cause of this run")));
  EXPECT_THAT(apply_waivers(list, {finding(true)}, {}, today, true).complaints,
              ElementsAre(HasSubstr("matches no cause of this run")));
  EXPECT_THAT(apply_waivers(list, {finding(false)}, {}, today, false).complaints,
              ElementsAre(HasSubstr("the store names no causes")));
}

TEST(CauseWaivers, AreReadWithTheirKeysAlone) {
  const auto message_of = [](const std::string& keys) {
    try {
      read_waivers(file_with(of_a_cause(keys)));
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  const std::string cause = "\"cause\": \"fault:a\"", engine = ", \"engine\": \"ort\"";
  EXPECT_EQ(message_of(cause + engine), "none");
  EXPECT_THAT(message_of(cause), HasSubstr("\"engine\": expected a text"));
  EXPECT_THAT(message_of(cause + engine + ", \"case\": \"x\""), HasSubstr("\"case\": expected none beside \"cause\""));
  EXPECT_THAT(message_of("\"cause\": \"clip\"" + engine), HasSubstr("expected what a report calls the id of a cause"));
  EXPECT_THAT(message_of("\"engine\": \"ort\""), HasSubstr("\"engine\": expected only beside \"cause\""));
}

TEST(WaiverFile, IsRefusedInOneLineThatSaysWhatWasExpected) {
  const auto broken = [](const std::string& from, const std::string& to) {
    std::string text = entry();
    return text.replace(text.find(from), from.size(), to);
  };
  struct Row {
    std::string text;
    const char* message;
  };
  for (const auto& [text, message] :
       {Row{"", "expected {\"waivers\": [...]} and nothing else"}, Row{"[]", "nothing else"},
        Row{"{\"waivers\": [1]}", "waiver 1: expected an object"},
        Row{broken("\"why\"", "\"because\""), "waiver 1: \"because\": expected one of signature, case"},
        Row{broken("known", ""), "waiver 1: \"why\": expected a text that is not empty"},
        Row{broken("v1:(", "v2:("), "waiver 1: \"signature\": expected"},
        Row{broken("https://", "file://"), "waiver 1: \"url\": \"file://example.org/1\": expected an address"},
        Row{broken("2026-11-22", "2026-02-30"), "waiver 1: \"expires\": \"2026-02-30\": expected a date, YYYY-MM-DD"},
        Row{broken("2026-11-22", "next year"), "expected a date, YYYY-MM-DD"},
        Row{broken("<1.32", "1.32"), "waiver 1: \"versions\":"},
        Row{broken("\"why\"", "\"flaky\": 1, \"why\""), "waiver 1: \"flaky\": expected true or false"},
        Row{broken("op=LSTM-14", "op=LSTM-15"), "\"case\":"}}) {
    try {
      read_waivers(file_with(text));
      ADD_FAILURE() << text;
    } catch (const std::invalid_argument& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr(message), HasSubstr(".json: ")));
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  }
  EXPECT_THROW(read_waivers("/nonexistent/waivers.json"), std::invalid_argument);
  std::string twice = entry();
  twice.insert(twice.size() - 2, "," + twice.substr(13, twice.size() - 15));
  EXPECT_THAT([&] { read_waivers(file_with(twice)); },
              ::testing::ThrowsMessage<std::invalid_argument>(HasSubstr("waiver 2: \"signature\": there is one for")));
}

}  // namespace
}  // namespace cellproof::oracle
