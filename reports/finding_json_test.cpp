#include "reports/finding_json.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "reports/testing/arbitrary_finding.hpp"
#include "reports/testing/sample_findings.hpp"

namespace cellproof::reports {
namespace {

RC_GTEST_PROP(FindingJson, ReadsBackWhatItWrote, ()) {
  const Finding finding = *arbitrary_finding();
  const std::string text = to_json(finding);
  RC_ASSERT(text.find('\n') == std::string::npos);
  RC_ASSERT(first_changed_field(finding, finding_from_json(text)) == "");
}

TEST(FindingJson, KeepsEveryBitOfUnusualDoubles) {
  for (const double value : {0.0, -0.0, 0.1, 5e-324, -1.7976931348623157e308, 1.0 / 3,
                             std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}) {
    Finding finding;
    finding.timings.run = value;
    finding.judgement.max_ulp = value;
    const Finding back = finding_from_json(to_json(finding));
    EXPECT_EQ(std::bit_cast<std::uint64_t>(back.timings.run), std::bit_cast<std::uint64_t>(value)) << value;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(*back.judgement.max_ulp), std::bit_cast<std::uint64_t>(value)) << value;
  }
  Finding finding;
  finding.judgement.worst_ratio = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(*finding_from_json(to_json(finding)).judgement.worst_ratio));
}

TEST(FindingJson, TheComparisonOfThisTestSeesEveryChange) {
  const Finding original = sample_report().findings.front();
  EXPECT_EQ(first_changed_field(original, original), "");
  Finding changed = original;
  changed.judgement.worst_ratio = *original.judgement.worst_ratio + 1e-12;
  EXPECT_EQ(first_changed_field(original, changed), "worst_ratio");
  changed = original;
  changed.judgement.series.push_back({});
  EXPECT_EQ(first_changed_field(original, changed), "series");
}

TEST(FindingJson, RefusesWhatIsNoFinding) {
  const std::string good = to_json(sample_report().findings.front());
  EXPECT_NO_THROW(finding_from_json(good));
  for (const std::string bad : {"", "{", "[]", "{}", "null", "\"x\"", "{\"engine\": 1}"})
    EXPECT_THROW(finding_from_json(bad), std::invalid_argument) << bad;
  EXPECT_THROW(finding_from_json(good + good), std::invalid_argument);
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  EXPECT_THROW(finding_from_json(replaced("\"LSTM-", "\"LSTN-")), std::invalid_argument);
  EXPECT_THROW(finding_from_json(replaced("\"RAN\"", "\"WALKED\"")), std::invalid_argument);
  EXPECT_THROW(finding_from_json(replaced("\"contract\":\"f32\"", "\"contract\":\"f33\"")), std::invalid_argument);
}

/// Every way of cutting a record short is noticed, none crashes.
TEST(FindingJson, RefusesNumbersThatItsFieldsDoNotHold) {
  Finding finding;
  finding.judgement.first = FirstViolation{};
  finding.judgement.first->index = {7};
  finding.judgement.first->step = 7;
  const std::string text = to_json(finding);
  for (const char* key : {"\"number\":", "\"signal\":", "\"bits\":", "\"elements\":[", "\"index\":[", "\"step\":"}) {
    const std::size_t begin = text.find(key);
    ASSERT_NE(begin, std::string::npos) << key;
    const std::size_t number = begin + std::string_view(key).size();
    const std::size_t end = text.find_first_of(",]}", number);
    for (const char* value :
         {"1.5", "1e125", "99999999999999999999", "18446744073709551615", "-9223372036854775809", "null"}) {
      if (key == std::string_view("\"step\":") && value == std::string_view("null")) continue;
      const std::string changed = text.substr(0, number) + value + text.substr(end);
      EXPECT_THROW(finding_from_json(changed), std::invalid_argument) << key << value;
    }
  }
}

TEST(FindingJson, RefusesEveryTruncation) {
  const std::string good = to_json(sample_report().findings.back());
  for (std::size_t length = 0; length < good.size(); ++length)
    EXPECT_THROW(finding_from_json(std::string_view(good).substr(0, length)), std::invalid_argument) << length;
}

}  // namespace
}  // namespace cellproof::reports
