// Damaged stores: what they say of rows that do not hold what was written, and make of a log when they are set aside.
#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <map>
#include <random>
#include <tuple>

#include "reports/finding_json.hpp"
#include "reports/store.hpp"
#include "reports/testing/sample_findings.hpp"
#include "reports/testing/store_folder.hpp"

namespace cellproof::reports {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class StoreDamageTest : public StoreFolder {
 protected:
  StoreDamageTest() {
    Store store = Store::create(file, run_metadata_of({{"seed", "0"}, {"suites", "smoke"}}));
    store.set_engine_note("engine", EngineNote::Version, "1");
    std::vector<Finding> findings;
    for (std::int64_t number = 0; number < 30; ++number) findings.push_back(numbered(number));
    store.add(findings);
  }

  Finding numbered(std::int64_t number) const {
    Finding finding = sample_;
    finding.engine = "engine";
    finding.suite = "suite";
    finding.number = number;
    finding.pass = number % 3 == 0;
    return finding;
  }
  void change(const std::string& statement) const {
    SQLite::Database(file.string(), SQLite::OPEN_READWRITE).exec(statement);
  }
  std::vector<std::string> damage() const { return Store::open_read_only(file).damage(); }

  const Finding sample_ = large_report(200).findings[60];
};

/// All that a store says, by what it says it of.
std::map<std::string, std::string> said_by(const Store& store) {
  std::map<std::string, std::string> all;
  for (const Finding& f : store.findings())
    all["of " + f.engine + ", " + f.suite + " number " + std::to_string(f.number)] = to_json(f);
  for (const auto& [key, value] : rows_of(store.metadata())) all["of the run metadata '" + key + "'"] = value;
  for (const auto& [engine, notes] : store.engine_notes())
    for (const auto& [note, words] : notes) all["of " + engine + ", note '" + std::string(name(note)) + "'"] = words;
  return all;
}

TEST_F(StoreDamageTest, NamesEachRowOnceAndKeepsTheRest) {
  EXPECT_THAT(damage(), IsEmpty());
  change("UPDATE findings SET record = replace(record, 'suite', 'suitf') WHERE number = 4");
  change("UPDATE findings SET pass = 1 - pass WHERE number = 7");
  change("UPDATE passport SET value = '1' WHERE key = 'seed'");
  change("UPDATE engine_notes SET value = '2'");
  const auto names = [&](const std::string& owner) {
    return testing::AllOf(testing::StartsWith(file.string() + ": the row " + owner + " is damaged: its checksum is "),
                          HasSubstr(", that of what it holds "));
  };
  EXPECT_THAT(damage(), ElementsAre(names("of engine, suite number 4"), names("of engine, suite number 7"),
                                    names("of the run metadata 'seed'"), names("of engine, note 'version'")));
  const Store store = Store::open_read_only(file);
  EXPECT_EQ(store.findings().size(), 28U);
  EXPECT_EQ(store.metadata(), run_metadata_of({{"suites", "smoke"}}));
  EXPECT_THAT(store.engine_notes(), IsEmpty());
  EXPECT_FALSE(store.done("engine").contains({"suite", 4}));
  EXPECT_TRUE(store.done("engine").contains({"suite", 5}));
}

TEST_F(StoreDamageTest, WhatIsRemovedCanBeWrittenAgain) {
  change("UPDATE findings SET signature = 'another' WHERE number = 4");
  Store store = Store::open(file);
  EXPECT_THAT(store.remove_damage(), ElementsAre(HasSubstr("of engine, suite number 4 is damaged")));
  EXPECT_THAT(store.damage(), IsEmpty());
  store.add(numbered(4));
  EXPECT_EQ(store.findings().size(), 30U);
}

TEST_F(StoreDamageTest, ABitThatFlipsIsNeverSilent) {
  const std::map<std::string, std::string> whole = said_by(Store::open_read_only(file));
  const std::string bytes = contents(file);
  std::mt19937_64 random(20261125);
  int refused = 0, named = 0, without_effect = 0;
  for (int flip = 0; flip < 400; ++flip) {
    std::string flipped = bytes;
    const std::size_t bit = random() % (8 * bytes.size());
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    const fs::path copy = folder / "copy.sqlite";
    write(copy, flipped);
    std::map<std::string, std::string> now;
    std::vector<std::string> damage;
    const std::string refusal_text = refusal([&] {
      const Store store = Store::open_read_only(copy);
      damage = store.damage();
      now = said_by(store);
    });
    EXPECT_EQ(refusal_text.find('\n'), std::string::npos);
    refused += refusal_text.empty() ? 0 : 1;
    if (!refusal_text.empty()) continue;
    (damage.empty() ? without_effect : named) += 1;
    // The rest is what it was, and as many rows are named as are missing.
    for (const auto& [owner, text] : now) {
      const auto before = whole.find(owner);
      ASSERT_TRUE(before != whole.end()) << owner << ", bit " << bit;
      EXPECT_EQ(before->second, text) << owner << ", bit " << bit;
    }
    EXPECT_EQ(now.size() + damage.size(), whole.size()) << "bit " << bit;
  }
  std::printf("%d refused, %d named, %d without effect\n", refused, named, without_effect);
  EXPECT_GT(named, 50);
}

TEST_F(StoreDamageTest, SetAsideItHoldsWhatAKilledWriterHadCommitted) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    Store store = Store::open(file);
    store.add(numbered(100));
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_GT(fs::file_size(folder / "run.sqlite-wal"), 0U);
  const fs::path previous = folder / "run.previous.sqlite";
  write(folder / "run.previous.sqlite-wal", "of the one before");
  EXPECT_EQ(set_store_aside(file, previous), "");
  EXPECT_THAT(files(), ElementsAre("run.previous.sqlite"));
  EXPECT_EQ(Store::open_read_only(previous).findings().size(), 31U);
}

TEST_F(StoreDamageTest, SetAsideWhatCannotBeOpenedGoesWithItsLog) {
  write(file,
        "no database, and of more than a hundred bytes, so that it is not taken for one that is still empty; "
        "which is what a file of no bytes would be taken for");
  write(folder / "run.sqlite-wal", "frames");
  const fs::path previous = folder / "run.previous.sqlite";
  EXPECT_EQ(set_store_aside(file, previous), file.string() + ": file is not a database");
  EXPECT_EQ(contents(folder / "run.previous.sqlite-wal"), "frames");
  EXPECT_FALSE(fs::exists(file));
}

TEST_F(StoreDamageTest, SetAsideWhileOthersReadItLosesNothing) {
  Store writer = Store::open(file);
  writer.add(numbered(100));
  SQLite::Database reader(file.string(), SQLite::OPEN_READONLY);
  SQLite::Statement reading(reader, "SELECT number FROM findings");
  ASSERT_TRUE(reading.executeStep());
  writer.add(numbered(101));
  const fs::path previous = folder / "run.previous.sqlite";
  EXPECT_THAT(set_store_aside(file, previous), HasSubstr("another program has it open"));
  EXPECT_EQ(Store::open_read_only(previous).findings().size(), 32U);
}

TEST_F(StoreDamageTest, ALogWithoutItsStoreIsKept) {
  fs::remove(file);
  write(folder / "run.sqlite-wal", "frames");
  Store::create(file, {});
  EXPECT_EQ(contents(folder / "run.sqlite-wal.orphan"), "frames");
}

TEST_F(StoreDamageTest, NoLinkIsWrittenThroughAndNoPipeWaitedFor) {
  const fs::path store = folder / "victim.sqlite";
  fs::rename(file, store);
  const std::string before = contents(store);
  fs::create_symlink(store, file);
  for (const auto& work : std::vector<std::function<void()>>{[&] { Store::open(file); },
                                                             [&] { set_store_aside(file, folder / "previous"); },
                                                             [&] { Store::create(file, {}); }})
    EXPECT_THAT(refusal(work), testing::AnyOf(HasSubstr("a symbolic link"), HasSubstr("it exists already")));
  EXPECT_EQ(Store::open_read_only(file).findings().size(), 30U) << "to read through one does no harm";
  EXPECT_EQ(contents(store), before);
  fs::remove(file);
  ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
  for (const auto& work :
       std::vector<std::function<void()>>{[&] { Store::open(file); }, [&] { Store::open_read_only(file); },
                                          [&] { set_store_aside(file, folder / "previous"); }})
    EXPECT_THAT(refusal(work), HasSubstr("not a regular file"));
}

TEST_F(StoreDamageTest, ALinkInTheLogsPlaceIsNotFollowed) {
  write(folder / "victim", "precious");
  fs::create_symlink(folder / "victim", folder / "run.sqlite-wal");
  EXPECT_THAT(refusal([&] { Store::open(file).add(numbered(50)); }), HasSubstr("the store " + file.string()));
  EXPECT_EQ(contents(folder / "victim"), "precious");
}

}  // namespace
}  // namespace cellproof::reports
