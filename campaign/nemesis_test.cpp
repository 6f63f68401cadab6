// Workers that come to grief at moments that nobody foresees, and who is blamed for it.
#include "engines/testing/nemesis.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "campaign/case_trial.hpp"
#include "campaign/repeat.hpp"
#include "campaign/run.hpp"
#include "engines/messages.hpp"
#include "engines/paths.hpp"
#include "fuzz/suites.hpp"
#include "spec/reason_words.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::campaign {
namespace {

namespace fs = std::filesystem;
using engines::testing::Misdeed;

std::string identity(const Problem& problem) {
  const std::string bytes = engines::run_request(problem).bytes;
  engines::FrameReader reader;
  for (std::string_view rest = bytes; !rest.empty();) {
    const auto room = reader.space();
    const std::size_t count = std::min(room.size(), rest.size());
    std::copy_n(rest.data(), count, room.data());
    reader.received(count);
    rest.remove_prefix(count);
    if (const auto frame = reader.peek()) return engines::testing::identity_of(*frame);
  }
  return "";
}

/// A suite no two cases of which ask an engine the same, and the number of the case for whose sake each is asked.
struct Victims {
  corpus::Suite suite{"nemesis", "", {}};
  std::map<std::string, std::int64_t> by_identity;
};

Victims cases_of(const std::string& name, const std::function<bool(const Case&)>& wanted) {
  Victims victims;
  for (const corpus::SuiteCase& one : fuzz::load_suite(name).cases) {
    if (!wanted(one.c)) continue;
    const auto number = static_cast<std::int64_t>(victims.suite.cases.size());
    const Trial trial = make_trial("nemesis", number, one);
    std::set<std::string> identities;
    for (const Problem& problem : questions_of(trial)) identities.insert(identity(problem));
    if (std::ranges::any_of(identities, [&](const std::string& id) { return victims.by_identity.contains(id); }))
      continue;
    for (const std::string& id : identities) victims.by_identity.emplace(id, number);
    victims.suite.cases.push_back(one);
  }
  return victims;
}

/// The misdeeds that were done, by the number of the case: one to itself, and perhaps one to its twin.
std::multimap<std::int64_t, std::string> done(const fs::path& folder, const Victims& victims) {
  std::multimap<std::int64_t, std::string> misdeeds;
  for (const auto& entry : fs::directory_iterator(folder)) {
    std::ifstream in(entry.path());
    const std::string name{std::istreambuf_iterator<char>(in), {}};
    const auto found = victims.by_identity.find(entry.path().filename());
    EXPECT_NE(found, victims.by_identity.end()) << name << " to a request that no case explains";
    if (found != victims.by_identity.end()) misdeeds.emplace(found->second, name);
  }
  return misdeeds;
}

/// Says what is wrong with a finding about a case to which this was done; "" where nothing is.
std::string fault_in(const Finding& finding, const std::string& name) {
  const auto& list = engines::testing::misdeeds();
  const auto misdeed = std::ranges::find(list, name, &Misdeed::name);
  if (misdeed == list.end()) return "unknown misdeed";
  if (finding.pass) return "forgiven";
  if (finding.outcome != misdeed->kind) return "another outcome";
  if (finding.outcome_message.find(misdeed->words) == std::string::npos) return "other words";
  if (!finding.flaky) return "not flaky";
  return is_death(finding.flaky->outcome) ? "died twice" : "";
}

struct Attack {
  const char* name;
  bool only_rnn;
  const char* how;  ///< numbered or unnumbered
  std::string worker;
  int jobs;
  int rate;      ///< of a thousand cases
  int at_least;  ///< so many misdeeds
};

void PrintTo(const Attack& attack, std::ostream* out) {
  *out << attack.name;
}

std::string program(const char* name) {
  return (engines::worker_directory() / name).string();
}

std::string example() {
  const std::string root = CELLPROOF_SOURCE_DIR;
  return "env PYTHONPATH=" + root + "/python " + engines::onnx_reference_python().string() + " " + root +
         "/engines/example/example_engine.py";
}

/// Plans three hundred misdeeds and more, with so many jobs. Slow and fast workers, with numbers and without, meet few
/// and many jobs, but not each all of them: a run takes up to half a minute.
std::vector<Attack> attacks(int jobs) {
  const std::string reference = program("cellproof-engine-reference"), cpu = program("cellproof-engine-cpu") + " auto";
  std::vector<Attack> all = {{"reference", false, "numbered", reference, 1, 190, 110},
                             {"reference_unnumbered", false, "unnumbered", reference, 1, 190, 110},
                             {"example", true, "unnumbered", example(), 2, 220, 20},
                             {"reference_unnumbered", false, "unnumbered", reference, 4, 190, 110},
                             {"cpu", false, "numbered", cpu, 4, 110, 60}};
  std::erase_if(all, [&](const Attack& attack) { return attack.jobs != jobs; });
  return all;
}

class Nemesis : public ::testing::TestWithParam<Attack> {};

TEST_P(Nemesis, ExactlyTheCasesToWhichSomethingWasDoneFail) {
  const Attack& attack = GetParam();
  const Victims victims =
      cases_of("smoke", [&](const Case& c) { return !attack.only_rnn || c.version.op == Operator::RNN; });
  const TemporaryFolder folder;
  fs::create_directory(folder / "done");
  RunOptions options;
  options.suites = {victims.suite};
  options.engines = {fmt::format("worker={} {} {} {} {} {}", program("cellproof-engine-nemesis"),
                                 (folder / "done").string(), attack.rate, attack.jobs, attack.how, attack.worker)};
  options.jobs = attack.jobs;
  options.explain = 0;
  options.worker.case_timeout = std::chrono::milliseconds(1'500);
  options.journal = folder / "journal";
  options.report = folder.path();
  reports::Store store = reports::Store::create(folder / "run.sqlite", {});
  const RunResult result = run(options, store);
  ASSERT_EQ(result.findings.size(), victims.suite.cases.size());
  const auto misdeeds = done(folder / "done", victims);
  EXPECT_GE(misdeeds.size(), static_cast<std::size_t>(attack.at_least));
  const std::vector<Finding> kept = store.findings();  // as a report would read it
  ASSERT_EQ(kept.size(), result.findings.size());
  for (std::size_t k = 0; k < kept.size(); ++k) {
    const Finding& finding = kept[k];
    const auto [first, last] = misdeeds.equal_range(finding.number);
    if (first == last) {
      EXPECT_TRUE(finding.pass) << "innocent: " << finding.case_line << ": " << finding.outcome_message
                                << sentence_of(finding.judgement);
      continue;
    }
    const bool named = std::any_of(first, last, [&](const auto& one) { return fault_in(finding, one.second).empty(); });
    EXPECT_TRUE(named) << first->second << ": " << fault_in(finding, first->second) << ": " << finding.case_line << ": "
                       << name(finding.outcome) << " " << finding.outcome_message << "; "
                       << sentence_of(finding.judgement);
    EXPECT_EQ(finding.pass, result.findings[k].pass);
  }
}

std::string name_of(const ::testing::TestParamInfo<Attack>& test) {
  return test.param.name;
}

INSTANTIATE_TEST_SUITE_P(OneJob, Nemesis, ::testing::ValuesIn(attacks(1)), name_of);
INSTANTIATE_TEST_SUITE_P(TwoJobs, Nemesis, ::testing::ValuesIn(attacks(2)), name_of);
INSTANTIATE_TEST_SUITE_P(FourJobs, Nemesis, ::testing::ValuesIn(attacks(4)), name_of);

}  // namespace
}  // namespace cellproof::campaign
