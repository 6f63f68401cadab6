#include "campaign/merge_stores.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>

#include "campaign/attribution.hpp"
#include "reports/store.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::campaign {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class MergeStores : public ::testing::Test {
 protected:
  fs::path store(const std::string& name, const std::string& shard, const std::vector<Finding>& findings,
                 const std::string& seed = "0") const {
    const fs::path file = folder_ / name;
    reports::Store made =
        reports::Store::create(file, run_metadata_of({{"suites", "smoke"}, {"shard", shard}, {"seed", seed}}));
    made.set_engine_note("engine", EngineNote::Version, "1");
    std::vector<Finding> all = findings;
    made.add(all);
    attribute_signatures(all, made);
    return file;
  }
  static Finding finding(std::int64_t number, AxisValues axes, bool pass) {
    Finding f;
    f.engine = "engine";
    f.suite = "smoke";
    f.number = number;
    f.version = {Operator::GRU, 14};
    f.outcome = OutcomeKind::Ran;
    f.axes = std::move(axes);
    f.pass = pass;
    f.judgement.verdict = pass ? Verdict::Conforms : Verdict::Diverges;
    f.judgement.kind = pass ? std::nullopt : std::optional(ViolationKind::Value);
    return f;
  }
  static std::vector<std::string> missing_in(const fs::path& file) {
    return reports::Store::open_read_only(file).metadata().not_run;
  }
  static std::string complaint_of(const std::vector<fs::path>& files, const fs::path& to) {
    try {
      merge_stores(files, to);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "none";
  }

  TemporaryFolder folder_;
};

TEST_F(MergeStores, AddsUpHowLongCasesTook) {
  const fs::path one = store("1.sqlite", "1/2", {finding(0, {}, true)}),
                 two = store("2.sqlite", "2/2", {finding(1, {}, true)}), merged = folder_ / "merged.sqlite";
  reports::Store::open(one).set_engine_note("engine", EngineNote::AskedFor, "1.5 s");
  reports::Store::open(two).set_engine_note("engine", EngineNote::AskedFor, "2.0 s");
  merge_stores({one, two}, merged);
  const EngineNotes notes = reports::Store::open_read_only(merged).engine_notes().at(0).second;
  EXPECT_EQ(words_of(notes, EngineNote::AskedFor), "3.5 s");
}

TEST_F(MergeStores, GivesTheStoreOfTheWholeRunSignaturesIncluded) {
  // Only all cases together show what is to blame: one shard alone cannot tell clip from direction.
  const Finding both = finding(0, {{"clip", "biting"}, {"direction", "reverse"}}, false),
                clip = finding(1, {{"clip", "biting"}}, false), reverse = finding(2, {{"direction", "reverse"}}, true);
  const fs::path one = store("1.sqlite", "1/2", {both}), two = store("2.sqlite", "2/2", {clip, reverse});
  const fs::path whole = store("whole.sqlite", "1/1", {both, clip, reverse}), merged = folder_ / "merged.sqlite";
  merge_stores({one, two}, merged);
  const reports::Store expected = reports::Store::open_read_only(whole),
                       actual = reports::Store::open_read_only(merged);
  EXPECT_EQ(actual.metadata(), expected.metadata());
  ASSERT_EQ(actual.engine_notes().size(), 1U);
  EXPECT_EQ(actual.engine_notes()[0].first, "engine");
  EXPECT_EQ(words_of(actual.engine_notes()[0].second, EngineNote::Version), "1");
  const std::vector<Finding> a = actual.findings(), b = expected.findings();
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_EQ(a[k].number, b[k].number);
    EXPECT_EQ(a[k].signature, b[k].signature);
  }
  EXPECT_NE(reports::Store::open_read_only(one).findings()[0].signature, a[0].signature);
}

TEST_F(MergeStores, KeepsTheCausesOfAnEngineThatOneStoreHoldsWhole) {
  const fs::path one = store("1.sqlite", "1/1", {finding(0, {}, false)}), all = folder_ / "all.sqlite";
  const auto note_causes_in = [](const fs::path& file) {
    reports::Store::open(file).set_engine_note("engine", EngineNote::Causes, "[]");
    reports::Store::open(file).set_engine_note("engine", EngineNote::CausesCutShort, " ended");
  };
  note_causes_in(one);
  const auto causes_in = [&](const std::vector<fs::path>& files) {
    fs::remove(all);
    merge_stores(files, all);
    const EngineNotes notes = reports::Store::open_read_only(all).engine_notes()[0].second;
    return words_of(notes, EngineNote::Causes) + words_of(notes, EngineNote::CausesCutShort);
  };
  EXPECT_EQ(causes_in({one}), "[] ended");
  const fs::path part = store("part.sqlite", "1/2", {finding(0, {}, false)}), rest = store("rest.sqlite", "2/2", {});
  note_causes_in(part);
  EXPECT_THAT(causes_in({part, rest}), HasSubstr("wrong:any")) << "those of the parts explain their part alone";
}

TEST_F(MergeStores, SaysWhichShardsThereAreWhereSomeAreMissing) {
  const fs::path merged = folder_ / "merged.sqlite";
  merge_stores({store("1.sqlite", "1/3", {finding(0, {}, true)}), store("3.sqlite", "3/3", {finding(2, {}, true)})},
               merged);
  EXPECT_EQ(reports::Store::open_read_only(merged).metadata().shard, "1/3+3/3");
  EXPECT_THAT(missing_in(merged), ::testing::ElementsAre("shard 2/3 on engine"));
  EXPECT_THAT(complaint_of({merged, store("2.sqlite", "2/3", {})}, folder_ / "x.sqlite"),
              HasSubstr("merge the stores of all of them at once"));
}

TEST_F(MergeStores, IsNoWholeRunWhereAShardWasNotRunToItsEnd) {
  const fs::path one = store("1.sqlite", "1/2", {finding(0, {}, true)}), two = store("2.sqlite", "2/2", {});
  reports::Store cut = reports::Store::open(two);
  RunMetadata metadata = cut.metadata();
  metadata.not_run = {"9 of the 9 cases of suite smoke on engine"};
  cut.set_metadata(metadata);
  const fs::path merged = folder_ / "merged.sqlite";
  merge_stores({one, two}, merged);
  EXPECT_THAT(missing_in(merged), ::testing::ElementsAre(two.string() + ": 9 of the 9 cases of suite smoke on engine"));
  EXPECT_EQ(reports::Store::open_read_only(merged).metadata().shard, "1/2+2/2");
}

TEST_F(MergeStores, KeepsWhatEachShardRemarkedOfTheEngine) {
  const fs::path one = store("1.sqlite", "1/2", {finding(0, {}, true)}), two = store("2.sqlite", "2/2", {});
  reports::Store::open(one).set_engine_note("engine", EngineNote::Memory, "grew");
  reports::Store::open(two).set_engine_note("engine", EngineNote::Memory, "grew more");
  reports::Store::open(two).set_engine_note("engine", EngineNote::CannotStartAgain, "exited with code 9");
  const fs::path merged = folder_ / "merged.sqlite";
  merge_stores({one, two}, merged);
  const auto notes = reports::Store::open_read_only(merged).engine_notes();
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_THAT(remarks_of(notes[0].second), ::testing::ElementsAre("memory: grew; grew more"));
  EXPECT_EQ(start_trouble_of(notes[0].second), "can no longer be started: exited with code 9");
}

TEST_F(MergeStores, AnEngineThatCouldNotStartForAShardIsMissingThere) {
  const fs::path one = store("1.sqlite", "1/2", {finding(0, {}, true)}), two = store("2.sqlite", "2/2", {});
  reports::Store::open(one).set_engine_note("other", EngineNote::Version, "1");
  reports::Store::open(two).set_engine_note("other", EngineNote::CannotStart, "SIGSEGV");
  const fs::path merged = folder_ / "merged.sqlite";
  merge_stores({one, two}, merged);
  EXPECT_THAT(missing_in(merged), ::testing::Contains(two.string() + ": other cannot start there: SIGSEGV"));
}

TEST_F(MergeStores, AnEngineThatWasInSomeShardsOnlyIsMissingInTheOthers) {
  const fs::path one = store("1.sqlite", "1/2", {finding(0, {}, true)}), two = store("2.sqlite", "2/2", {});
  reports::Store::open(one).set_engine_note("other", EngineNote::Version, "1");
  reports::Store::open(two).set_engine_note("other", EngineNote::Absent, "no library");
  const fs::path merged = folder_ / "merged.sqlite";
  merge_stores({one, two}, merged);
  EXPECT_THAT(missing_in(merged),
              ::testing::ElementsAre(two.string() + ": other was absent there: no library", "shard 2/2 on other"));
  reports::Store::open(one).set_engine_note("third", EngineNote::Absent, "no library");
  reports::Store::open(two).set_engine_note("third", EngineNote::Absent, "no library");
  const fs::path with_third = folder_ / "with-third.sqlite";
  merge_stores({one, two}, with_third);
  EXPECT_EQ(missing_in(with_third).size(), 2U) << "as in a whole run, what is absent everywhere has its note";
}

TEST_F(MergeStores, RefusesAnEngineOfTwoVersionsOrContracts) {
  const fs::path one = store("1.sqlite", "1/2", {finding(0, {}, true)}), two = store("2.sqlite", "2/2", {});
  reports::Store::open(two).set_engine_note("engine", EngineNote::Version, "2");
  EXPECT_THAT(complaint_of({one, two}, folder_ / "x.sqlite"), HasSubstr("the version of engine is '2', not '1'"));
  reports::Store::open(two).set_engine_note("engine", EngineNote::Version, "1");
  reports::Store::open(two).set_engine_note("engine", EngineNote::Contract, "tf32");
  EXPECT_THAT(complaint_of({one, two}, folder_ / "x.sqlite"), HasSubstr("the contract of engine is 'tf32', not ''"));
}

TEST_F(MergeStores, NamesNoFolderThatLiesInTheReportOfAShard) {
  Finding reduced = finding(0, {}, false);
  reduced.reduction.emplace();
  reduced.reduction->case_line = "smaller";
  reduced.reduction->folder = "reduced/engine-ab";
  const fs::path merged = folder_ / "merged.sqlite";
  merge_stores({store("1.sqlite", "1/1", {reduced})}, merged);
  const Finding after = reports::Store::open_read_only(merged).findings().at(0);
  EXPECT_EQ(after.reduction->case_line, "smaller");
  EXPECT_EQ(after.reduction->folder, "");
}

TEST_F(MergeStores, RefusesWhatDoesNotBelongTogetherInOneLine) {
  const fs::path one = store("1.sqlite", "1/2", {finding(0, {}, true)}),
                 again = store("again.sqlite", "2/2", {finding(0, {}, true)}),
                 other = store("other.sqlite", "2/2", {finding(1, {}, true)}, "7");
  EXPECT_THAT(complaint_of({one, again}, folder_ / "x.sqlite"),
              HasSubstr("holds smoke number 0 on engine, and so does"));
  EXPECT_THAT(complaint_of({one, other}, folder_ / "x.sqlite"), HasSubstr("its seed is '7', not '0'"));
  EXPECT_THAT(complaint_of({one}, again), HasSubstr("again.sqlite"));
  EXPECT_THAT(complaint_of({one, folder_ / "missing.sqlite"}, folder_ / "x.sqlite"), HasSubstr("missing.sqlite"));
  EXPECT_FALSE(fs::exists(folder_ / "x.sqlite"));
}

}  // namespace
}  // namespace cellproof::campaign
