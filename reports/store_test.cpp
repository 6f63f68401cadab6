#include "reports/store.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "reports/finding_json.hpp"
#include "reports/render.hpp"
#include "reports/testing/sample_findings.hpp"
#include "reports/testing/store_folder.hpp"

namespace cellproof::reports {
namespace {

using testing::ElementsAre;
using testing::Pair;

Finding numbered(std::int64_t number, const std::string& engine = "engine") {
  Finding finding = sample_report().findings.front();
  finding.engine = engine;
  finding.suite = "suite";
  finding.number = number;
  return finding;
}

class StoreTest : public StoreFolder {};

TEST_F(StoreTest, KeepsFindingsWholeAndInOrder) {
  const ReportData sample = hostile_report();
  {
    Store store = Store::create(file, sample.runs.front().second);
    for (auto f = sample.findings.rbegin(); f != sample.findings.rend(); ++f) store.add(*f);
  }
  const Store store = Store::open(file);
  const std::vector<Finding> back = store.findings();
  ASSERT_EQ(back.size(), sample.findings.size());
  for (std::size_t i = 1; i < back.size(); ++i) EXPECT_LT(back[i - 1].number, back[i].number);
  for (const Finding& f : sample.findings) {
    const auto same = [&](const Finding& g) { return to_json(g) == to_json(f); };
    EXPECT_EQ(std::count_if(back.begin(), back.end(), same), 1);
  }
  EXPECT_EQ(store.metadata(), sample.runs.front().second);
}

TEST_F(StoreTest, ReplacesARowAndKnowsWhatIsDone) {
  Store store = Store::create(file, {});
  store.add(numbered(3));
  store.add(numbered(1));
  Finding again = numbered(3);
  again.case_name = "second";
  store.add(again);
  store.add(numbered(2, "other"));
  EXPECT_THAT(store.done("engine"), ElementsAre(Pair("suite", 1), Pair("suite", 3)));
  EXPECT_THAT(store.done("nobody"), ElementsAre());
  const std::vector<Finding> findings = store.findings();
  ASSERT_EQ(findings.size(), 3U);
  EXPECT_EQ(findings[1].case_name, "second");
}

TEST_F(StoreTest, KeepsAnswersToTheLastByteAndReplacesThem) {
  const std::string bytes{"\0 a\xff\n", 5};
  {
    Store store = Store::create(file, {});
    const StoredAnswer first[] = {{"one", "smoke", 1, "before"}, {"two", "smoke", 1, ""}};
    store.add(std::span<const Finding>(), first);
    const StoredAnswer again{"one", "smoke", 1, bytes};
    store.add(std::span<const Finding>(), {&again, 1});
  }
  const Store store = Store::open_read_only(file);
  ASSERT_EQ(store.answers("one").size(), 1U);
  EXPECT_EQ(store.answers("one").front().suite, "smoke");
  EXPECT_EQ(store.answers("one").front().number, 1);
  EXPECT_EQ(store.answers("one").front().outputs, bytes);
  EXPECT_EQ(store.answers("two").size(), 1U);
  EXPECT_TRUE(store.answers("three").empty());
  EXPECT_TRUE(store.damage().empty());
}

TEST_F(StoreTest, KeepsMetadataAndNotesInTheirOrder) {
  const RunMetadata first = run_metadata_of({{"seed", "1"}, {"not run", "a"}, {"not run", "b"}});
  const RunMetadata second = run_metadata_of({{"command", "this"}});
  Store store = Store::create(file, first);
  EXPECT_EQ(store.metadata(), first);
  store.set_metadata(second);
  EXPECT_EQ(store.metadata(), second);
  using enum EngineNote;
  store.set_engine_note("ort", Version, "1");
  store.set_engine_note("a", Absent, "why");
  store.set_engine_note("ort", CannotStart, "");
  store.set_engine_note("ort", Version, "2");
  EXPECT_THAT(store.engine_notes(), ElementsAre(Pair("ort", ElementsAre(Pair(Version, "2"), Pair(CannotStart, ""))),
                                                Pair("a", ElementsAre(Pair(Absent, "why")))));
}

TEST_F(StoreTest, TwoWritersInOneProcessAndAReaderBeside) {
  Store store = Store::create(file, {});
  Store second = Store::open(file);
  const Store reader = Store::open_read_only(file);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) (t % 2 == 0 ? store : second).add(numbered(100 * t + i));
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(reader.findings().size(), 200U);
}

TEST_F(StoreTest, AReaderCannotWrite) {
  Store::create(file, {});
  Store reader = Store::open_read_only(file);
  EXPECT_THAT(refusal([&] { reader.add(numbered(1)); }), testing::HasSubstr("cannot write to the store"));
}

TEST_F(StoreTest, AReaderLeavesNothingBesideIt) {
  Store::create(file, run_metadata_of({{"seed", "7"}}));
  EXPECT_EQ(Store::open_read_only(file).metadata().seed, "7");
  EXPECT_THAT(files(), ElementsAre("run.sqlite"));
  const Store writer = Store::open(file);
  EXPECT_EQ(Store::open_read_only(file).metadata().seed, "7");
  EXPECT_EQ(writer.metadata().seed, "7") << "the log of a writer at work is not the reader's";
}

TEST_F(StoreTest, NeverOverwrites) {
  Store::create(file, {}).add(numbered(7));
  EXPECT_THAT(refusal([&] { Store::create(file, {}); }), testing::EndsWith("it exists already"));
  EXPECT_EQ(Store::open(file).findings().size(), 1U);
  EXPECT_THAT(files(), ElementsAre("run.sqlite"));
}

TEST_F(StoreTest, IsNotConfusedByALogThatSomebodyLeftBehind) {
  write(folder / "run.sqlite-wal", std::string(5000, 'w'));
  Store::create(file, {}).add(numbered(1));
  EXPECT_EQ(Store::open(file).findings().size(), 1U);
}

TEST_F(StoreTest, RefusesFilesThatAreNoStores) {
  const auto open_says = [&](const std::filesystem::path& path, const char* words) {
    for (const bool read_only : {false, true}) {
      const std::string said = refusal([&] { read_only ? Store::open_read_only(path) : Store::open(path); });
      EXPECT_THAT(said, testing::StartsWith("cannot open the store " + path.string())) << words;
      EXPECT_THAT(said, testing::HasSubstr(words));
      EXPECT_EQ(said.find('\n'), std::string::npos);
    }
  };
  open_says(folder / "missing", "No such file or directory");
  open_says(folder, "Is a directory");
  write(file, "");
  open_says(file, "it is not a Cellproof store");
  write(file,
        "a text that is long enough to have a header of sixteen bytes and some more of them after it, too, to be sure"
        " that nobody takes it for an empty database");
  open_says(file, "not a database");
  std::filesystem::remove(file);
  SQLite::Database(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec("CREATE TABLE findings (x)");
  open_says(file, "it is not a Cellproof store");
}

TEST_F(StoreTest, RefusesAnotherSchemaVersionAndLeavesItAlone) {
  Store::create(file, run_metadata_of({{"seed", "7"}})).add(numbered(1));
  SQLite::Database(file.string(), SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 99");
  const std::string before = contents(file);
  EXPECT_THAT(refusal([&] { Store::open(file); }), testing::HasSubstr("its schema version is 99, expected 6"));
  EXPECT_EQ(contents(file), before);
}

TEST_F(StoreTest, NoticesDamageWhereverItIs) {
  {
    Store store = Store::create(file, run_metadata_of({{"seed", "7"}}));
    for (int i = 0; i < 200; ++i) store.add(numbered(i));
  }
  const std::string whole = contents(file);
  for (const double share : {0.1, 0.5, 0.9, 0.99}) {
    write(file, whole.substr(0, static_cast<std::size_t>(share * static_cast<double>(whole.size()))));
    EXPECT_THAT(refusal([&] { Store::open(file); }), testing::StartsWith("cannot open the store")) << share;
  }
  std::size_t noticed = 0;
  constexpr std::size_t pages = 20;
  for (std::size_t page = 0; page < pages; ++page) {
    std::string damaged = whole;
    const std::size_t at = page * whole.size() / pages / 4096 * 4096;
    damaged.replace(at, 64, std::string(64, '\xAA'));
    write(file, damaged);
    const std::string said = refusal([&] { Store::open(file).findings(); });
    EXPECT_TRUE(said.empty() || said.starts_with("cannot ")) << said;
    noticed += said.empty() ? 0 : 1;
  }
  EXPECT_EQ(noticed, pages);
}

TEST_F(StoreTest, AddingIsCheap) {
  Store store = Store::create(file, {});
  const Finding finding = numbered(0);
  Finding next = finding;
  store.add(finding);
  constexpr int count = 2000;
  const auto start = std::chrono::steady_clock::now();
  for (next.number = 1; next.number <= count; ++next.number) store.add(next);
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
  RecordProperty("microseconds_per_add", static_cast<int>(took.count() / count));
  std::printf("%.1f us per add\n", took.count() / count);
  EXPECT_LT(took.count() / count, 1000.0);  // about 50 on an idle machine; what this guards against is an fsync per row
}

}  // namespace
}  // namespace cellproof::reports
