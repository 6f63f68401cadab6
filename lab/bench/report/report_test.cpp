#include "lab/bench/report/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "reports/html/assets.hpp"
#include "spec/testing/approval.hpp"

namespace cellproof::lab::bench {
namespace {

BenchSubject subject(std::string name, std::string version, double seconds, double ratio) {
  BenchSubject c;
  c.name = std::move(name);
  c.version = std::move(version);
  c.verdict = "CONFORMS";
  c.rounds = {seconds * 0.9, seconds, seconds * 1.2};
  c.seconds = Spread{seconds, seconds * 0.95, seconds * 1.1};
  c.ratio = Spread{ratio, ratio * 0.98, ratio * 1.02};
  return c;
}

BenchSubject absent(std::string name, std::string why) {
  BenchSubject c;
  c.name = std::move(name);
  c.missing = std::move(why);
  return c;
}

BenchData sample() {
  BenchData data{"engines", {{"command", "cellproof lab bench engines --threads 1,2"}, {"cpu", "a <processor>"}}, {}};
  BenchRow small{"lstm-T1-N1-I64-H64", "cellproof-case/1 op=LSTM-14 type=float T=1 N=1 I=64 H=64", 1, {}, {}, "", {}};
  small.subjects = {subject("cellproof-cpu", "0.1.0 avx512", 708e-9, 1),
                    subject("onnxruntime", "1.31.1", 5.49e-6, 7.75),
                    absent("onednn-2.6.3", "oneDNN cannot be opened: libdnnl.so.2: cannot open shared object file")};
  small.subjects[1].difference = 8e-7;
  small.limit = BenchLimit{{558e-9, 550e-9, 570e-9}, Spread{0.79, 0.78, 0.80}, "max(...) + ... = 558 ns"};
  BenchRow wrong = small;
  wrong.name = "gru-T100-N1-I256-H256";
  wrong.threads = 2;
  wrong.limit.reset();
  wrong.meeting = Spread{52e-9, 50e-9, 245e-9};
  wrong.limit_missing = "no limit is known for activations other than the operator's own";
  wrong.subjects[1].verdict = "DIVERGES";
  wrong.subjects[1].failed = true;
  wrong.subjects[1].remark = "Y[0,0,0,3] is \x1b[31mwrong";
  wrong.subjects[2] = absent("openblas-per-step", "");
  wrong.subjects[2].failed = true;
  wrong.subjects[2].remark = "SIGSEGV (Segmentation fault)";
  data.rows = {small, wrong};
  return data;
}

TEST(Bench, TextIsApproved) {
  EXPECT_EQ(difference_from_approved("lab/bench/report/approved/bench.txt", render_bench_text(sample())), "");
}
TEST(Bench, JsonIsApproved) {
  EXPECT_EQ(difference_from_approved("lab/bench/report/approved/bench.json", render_bench_json(sample())), "");
}
// The style sheet of the reports stands in the page, and is held by their approved pages.
TEST(Bench, HtmlIsApproved) {
  std::string page = render_bench_html(sample());
  const std::string_view shared = reports::html::style_sheet();
  const std::size_t at = page.find(shared);
  ASSERT_NE(at, std::string::npos);
  page.replace(at, shared.size(), "(the style sheet of the reports)");
  EXPECT_EQ(difference_from_approved("lab/bench/report/approved/bench.html", page), "");
}

TEST(Bench, NothingMeasuredIsStillAPage) {
  EXPECT_THAT(render_bench_html({}), testing::HasSubstr("</html>"));
  EXPECT_EQ(render_bench_text({}), "");
}

TEST(Bench, ThePageLoadsNothingAndHostileTextIsText) {
  BenchData hostile = sample();
  hostile.rows[0].subjects[0].version = "<script>alert(1)</script>";
  const std::string page = render_bench_html(hostile);
  EXPECT_THAT(page, testing::Not(testing::HasSubstr("<script")));
  EXPECT_THAT(page, testing::Not(testing::HasSubstr("http://")));
}

TEST(Bench, DurationsHaveThreeDigitsAndAUnit) {
  EXPECT_EQ(duration_text(708.4e-9), "708 ns");
  EXPECT_EQ(duration_text(1.4531e-3), "1.45 ms");
  EXPECT_EQ(duration_text(0.99999e-3), "1.00 ms");
  EXPECT_EQ(duration_text(15.26), "15.3 s");
  EXPECT_EQ(duration_text(0), "0.00 ns");
}

}  // namespace
}  // namespace cellproof::lab::bench
