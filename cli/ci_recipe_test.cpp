// The recipes of docs/ci.md as a CI would run them: the scripts themselves, in a folder that is kept between runs.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "cli/testing/run_program.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

const fs::path docs_folder = fs::path(CELLPROOF_SOURCE_DIR) / "docs";

std::string bytes_in(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string with_replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from << " is not in\n" << text;
  return place == std::string::npos ? text : text.replace(place, from.size(), to);
}

/// The shell block of docs/ci.md that begins with this line.
std::string block_of_page(const std::string& first_line) {
  const std::string page = bytes_in(docs_folder / "ci.md"), fence = "```sh\n";
  const std::size_t begin = page.find(fence + first_line);
  if (begin == std::string::npos) return "";
  const std::size_t end = page.find("```\n", begin + fence.size());
  return page.substr(begin + fence.size(), end - begin - fence.size());
}

class CiRecipe : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  /// Engines under one name: one that does this deed, and one that is right.
  static std::string engine(const std::string& deed) {
    return fmt::format("mine={}/bin/cellproof-engine-hostile {}", CELLPROOF_BINARY_DIR, deed);
  }
  static std::string right_engine() {
    return fmt::format("mine={}/bin/cellproof-engine-reference", CELLPROOF_BINARY_DIR);
  }

  /// A command line in the folder, with the built program in the place of `./cellproof`.
  ProgramResult shell(const std::string& script) const {
    return run_command({"bash", "-c",
                        fmt::format("set -e; cd '{}'; export CELLPROOF='{}/bin/cellproof' CELLPROOF_ROOT='{}'\n{}",
                                    folder_.path().string(), CELLPROOF_BINARY_DIR, CELLPROOF_SOURCE_DIR, script)});
  }
  ProgramResult script(const std::string& name, const std::string& engine) const {
    return shell(fmt::format("'{}' '{}' onnx-backend", (docs_folder / "ci" / name).string(), engine));
  }
  ProgramResult night(const std::string& engine) const { return script("night.sh", engine); }
  ProgramResult change(const std::string& engine) const { return script("change.sh", engine); }

  TemporaryFolder folder_;
};

TEST_F(CiRecipe, IsWhatThePageShows) {
  const std::string page = bytes_in(docs_folder / "ci.md");
  for (const char* script : {"night.sh", "change.sh", "search.sh"})
    EXPECT_TRUE(page.find("```sh\n" + bytes_in(docs_folder / "ci" / script) + "```\n") != std::string::npos) << script;
  const auto pin = [](const std::string& workflow) {
    const std::string text = bytes_in(docs_folder / "ci" / workflow);
    const std::size_t begin = text.find("CELLPROOF_REF: ");
    return text.substr(begin, text.find(' ', begin + std::string("CELLPROOF_REF: ").size()) - begin);
  };
  EXPECT_EQ(pin("cellproof-night.yml"), pin("cellproof.yml"));
  EXPECT_THAT(bytes_in(docs_folder / "ci" / "cellproof-night.yml"), HasSubstr("run: cellproof/docs/ci/night.sh "));
  EXPECT_THAT(bytes_in(docs_folder / "ci" / "cellproof.yml"), HasSubstr("run: cellproof/docs/ci/change.sh "));
}

TEST_F(CiRecipe, TellsAnUnchangedEngineFromAWorseOneNightAfterNight) {
  const std::string wrong = engine("wrong-shape"), worse = engine("segfault");
  for (int day = 0; day < 2; ++day) {
    const ProgramResult kept = night(wrong);
    ASSERT_EQ(kept.exit_code, 0) << kept.out << kept.err;
    const ProgramResult unchanged = change(wrong);
    EXPECT_EQ(unchanged.exit_code, 0) << unchanged.out << unchanged.err;
    EXPECT_THAT(unchanged.out, HasSubstr("causes against base-1.sqlite, base-2.sqlite: 0 new"));
    EXPECT_THAT(unchanged.out, HasSubstr("\nagainst base-1.sqlite, base-2.sqlite: 0 new"));
    EXPECT_THAT(unchanged.out, Not(HasSubstr("has no causes")));
  }
  const ProgramResult crashing = change(worse);
  EXPECT_EQ(crashing.exit_code, 1) << crashing.out << crashing.err;
  ASSERT_EQ(night(worse).exit_code, 0);
  EXPECT_EQ(change(worse).exit_code, 0) << "the base is the last night's";
  const ProgramResult mended = change(right_engine());
  EXPECT_EQ(mended.exit_code, 0) << mended.out << mended.err;
  EXPECT_THAT(mended.out, HasSubstr("  gone  "));
}

TEST_F(CiRecipe, OfTheActionFailsForWhatIsNewAndShowsItOnTheJobsPage) {
  const auto action = [&](const std::string& engine) {
    return shell(fmt::format("export GITHUB_STEP_SUMMARY=page.md ENGINE='{}' SUITE=onnx-backend; '{}'", engine,
                             (docs_folder / "ci" / "action.sh").string()));
  };
  ASSERT_EQ(night(engine("wrong-shape")).exit_code, 0);
  const ProgramResult known = action(engine("wrong-shape"));
  EXPECT_EQ(known.exit_code, 0) << known.out << known.err;
  const std::string page = bytes_in(path("page.md"));
  EXPECT_THAT(page, HasSubstr("mine"));
  EXPECT_EQ(action(engine("segfault")).exit_code, 1);
  EXPECT_GT(bytes_in(path("page.md")).size(), page.size()) << "what another step wrote stays";
  EXPECT_EQ(action(engine("absent")).exit_code, 77);
}

TEST_F(CiRecipe, OfTheActionNeverTakesItsOwnFailureForFindings) {
  const auto action = [&](const std::string& variables) {
    return shell(fmt::format("{}; ENGINE='{}' SUITE=onnx-backend '{}'", variables, right_engine(),
                             (docs_folder / "ci" / "action.sh").string()));
  };
  const ProgramResult unwritable = action("export GITHUB_STEP_SUMMARY=none/page.md");
  EXPECT_EQ(unwritable.exit_code, 2);
  EXPECT_THAT(unwritable.err, HasSubstr("action.sh: cannot write the summary to none/page.md"));
  EXPECT_EQ(action("unset GITHUB_STEP_SUMMARY").exit_code, 0);
  const ProgramResult unfetched = action("unset CELLPROOF; export PACKAGE=./none.whl GITHUB_STEP_SUMMARY=page.md");
  EXPECT_EQ(unfetched.exit_code, 2);
  EXPECT_THAT(unfetched.err, HasSubstr("action.sh: pip cannot install './none.whl'"));
}

TEST_F(CiRecipe, OfTheActionIsGivenAllThatItReads) {
  const std::string action = bytes_in(fs::path(CELLPROOF_SOURCE_DIR) / "action.yml");
  EXPECT_THAT(action, HasSubstr("$GITHUB_ACTION_PATH/docs/ci/action.sh"));
  for (const char* input : {"engine", "suite", "package"}) {
    std::string variable = input;
    for (char& c : variable) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    EXPECT_THAT(action, HasSubstr(fmt::format("{}: '${{{{ inputs.{} }}}}'", variable, input)));
    EXPECT_THAT(action, HasSubstr(fmt::format("\n  {}: {{", input)));
  }
}

TEST_F(CiRecipe, SearchesAndFailsForWhatNoSearchBeforeHasFound) {
  const auto search = [&](const std::string& engine, int seconds = 3) {
    return shell(fmt::format("'{}' '{}' {}", (docs_folder / "ci" / "search.sh").string(), engine, seconds));
  };
  // On a busy machine, too, it is to meet every operator, so that the next one meets nothing new.
  const ProgramResult first = search(engine("segfault"), 9);
  EXPECT_EQ(first.exit_code, 1) << first.out << first.err;
  EXPECT_TRUE(fs::exists(path("search/index.html")));
  const ProgramResult next = search(engine("segfault"));
  EXPECT_EQ(next.exit_code, 0) << next.out << next.err;
  EXPECT_THAT(next.out, HasSubstr(": 0 new, "));
  EXPECT_EQ(search(engine("wrong-shape")).exit_code, 1);
  EXPECT_EQ(search(engine("absent")).exit_code, 77);
}

TEST_F(CiRecipe, FailsForWhatIsNewlyRefused) {
  ASSERT_EQ(night(right_engine()).exit_code, 0);
  const ProgramResult refusing = change(engine("not-supported"));
  EXPECT_EQ(refusing.exit_code, 1) << refusing.out << refusing.err;
  EXPECT_THAT(refusing.out, HasSubstr("18 cases newly refused\n"));
  EXPECT_THAT(bytes_in(path("change/junit.xml")), HasSubstr("failures=\"18\""));
}

TEST_F(CiRecipe, HidesNoErrorAndKeepsTheBaseThen) {
  ASSERT_EQ(night(engine("wrong-shape")).exit_code, 0);
  const std::string base = bytes_in(path("base-1.sqlite"));
  EXPECT_EQ(night(engine("absent")).exit_code, 77);
  EXPECT_EQ(bytes_in(path("base-1.sqlite")), base);
  EXPECT_EQ(change(engine("absent")).exit_code, 77);
  EXPECT_EQ(change("nobody").exit_code, 2);
  EXPECT_FALSE(fs::exists(path("change.sqlite"))) << "nothing of a run before is left to be judged";
}

TEST_F(CiRecipe, MakesNoBaseOfARunThatLostItsEngine) {
  std::ofstream(path("once.sh")) << fmt::format(
      "[ ! -e '{0}' ] || exit 9\ntouch '{0}'\nexec '{1}/bin/cellproof-engine-hostile' segfault\n", path("mark"),
      CELLPROOF_BINARY_DIR);
  const ProgramResult lost = night("mine=bash " + path("once.sh"));
  EXPECT_EQ(lost.exit_code, 4) << lost.out << lost.err;
  EXPECT_THAT(lost.out, HasSubstr("not run: "));
  EXPECT_FALSE(fs::exists(path("base-1.sqlite")));
}

TEST_F(CiRecipe, MakesNoBaseOfARunThatASignalStopped) {
  for (const char* signal : {"TERM", "INT"}) {
    for (const char* to : {"the program", "all"}) {
      // The journal is there while cases are asked. -m: a process group of its own, in which SIGINT is not ignored.
      const ProgramResult stopped = shell(
          fmt::format("rm -f night.sqlite* base-*; set -m; '{}' '{}' ci & script=$!; set +e\n"
                      "until [ -e night.sqlite.journal ]; do kill -0 $script || exit 99; sleep 0.01; done\n"
                      "if [ '{}' = all ]; then kill -{} -- -$script; else kill -{} $(ps -o pid= --ppid $script); fi\n"
                      "wait $script",
                      (docs_folder / "ci" / "night.sh").string(), right_engine(), to, signal, signal));
      EXPECT_EQ(stopped.exit_code, std::string(signal) == "TERM" ? 143 : 130) << to << stopped.out << stopped.err;
      EXPECT_FALSE(fs::exists(path("base-1.sqlite"))) << signal << " to " << to;
    }
  }
}

TEST_F(CiRecipe, WithoutABaseAllThatFailsIsNew) {
  const ProgramResult first = change(engine("wrong-shape"));
  EXPECT_EQ(first.exit_code, 1) << first.out << first.err;
  EXPECT_THAT(first.err, HasSubstr("no base-*.sqlite is here"));
}

TEST_F(CiRecipe, OfSeveralMachinesGivesTheWholeRun) {
  const std::string on_each = block_of_page("part=1"), on_one = block_of_page("rm -f night.sqlite*");
  const auto prepared = [&](std::string block) {
    return with_replaced(std::move(block), "./cellproof", "\"$CELLPROOF\"");
  };
  for (int day = 0; day < 2; ++day) {
    for (int part = 1; part <= 4; ++part) {
      const std::string text = with_replaced(with_replaced(prepared(on_each), "part=1", fmt::format("part={}", part)),
                                             "--suite nightly", "--suite onnx-backend");
      const ProgramResult shard = shell(fmt::format("engine='{}'\n{}", engine("wrong-shape"), text));
      ASSERT_EQ(shard.exit_code, 0) << shard.out << shard.err;
    }
    const ProgramResult whole = shell(prepared(prepared(on_one)));
    EXPECT_EQ(whole.exit_code, 1) << "it fails, and nothing here says that it is known" << whole.err;
    EXPECT_THAT(whole.out, HasSubstr("night.sqlite: 18 findings of 4 stores\n"));
    EXPECT_THAT(whole.out, Not(HasSubstr("not run")));
  }
}

}  // namespace
}  // namespace cellproof::cli
