// The help of every command: one line an option, at most 80 characters, two examples; and what a typo brings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "cli/testing/run_program.hpp"

namespace cellproof::cli {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

constexpr std::size_t longest_line = 80;
const std::vector<std::string> commands{"run",   "fuzz",  "check", "replay", "reduce",     "export",  "report",
                                        "merge", "judge", "list",  "doctor", "completion", "install", "vectors"};

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// The lines of a help that are longer than a terminal, or that go on with an option's text.
std::vector<std::string> bad_lines(const std::string& help) {
  std::vector<std::string> bad;
  for (const std::string& line : lines_of(help)) {
    if (line.size() > longest_line || line.starts_with("          ")) bad.push_back(line);
  }
  return bad;
}

TEST(Help, HasOneLineForEachOptionAndTwoExamples) {
  for (const std::string& command : commands) {
    const ProgramResult help = run_program({command, "--help"});
    EXPECT_EQ(help.exit_code, 0) << command;
    EXPECT_THAT(bad_lines(help.out), testing::IsEmpty()) << command;
    const std::vector<std::string> lines = lines_of(help.out.substr(help.out.find("Examples:")));
    ASSERT_GE(lines.size(), 3U) << help.out;
    EXPECT_THAT(lines[1], testing::StartsWith("  cellproof " + command));
    EXPECT_THAT(lines[2], testing::StartsWith("  cellproof " + command));
  }
}

TEST(Help, OfTheProgramNamesEachCommand) {
  const std::string help = run_program({"--help"}).out;
  EXPECT_THAT(bad_lines(help), testing::IsEmpty());
  for (const std::string& command : commands) EXPECT_THAT(help, HasSubstr("\n  " + command + " ")) << help;
}

TEST(Help, IsAWordToo) {
  EXPECT_EQ(run_program({"help"}).out, run_program({"--help"}).out);
  EXPECT_EQ(run_program({"help", "run"}).out, run_program({"run", "--help"}).out);
  EXPECT_EQ(run_program({"version"}).out, run_program({"--version"}).out);
  EXPECT_EQ(run_program({"help", "rnu"}).exit_code, 2);
}

TEST(Help, StatesDefaults) {
  EXPECT_THAT(run_program({"run", "--help"}).out, HasSubstr("Start N workers for each engine (default: 1)"));
}

TEST(Version, IsNameAndNumber) {
  for (const char* option : {"--version", "-V"}) {
    const ProgramResult version = run_program({option});
    EXPECT_EQ(version.exit_code, 0);
    EXPECT_THAT(version.out, MatchesRegex("cellproof [0-9]+\\.[0-9]+\\.[0-9]+\n"));
  }
}

TEST(Typo, BringsWhatMayHaveBeenMeant) {
  struct Row {
    std::vector<std::string> words;
    std::string line;
  };
  for (const Row& row :
       {Row{{"rnu"}, "cellproof: unknown command rnu; did you mean run?\n"},
        Row{{"run", "--suit", "smoke"}, "cellproof: run: unknown option --suit; did you mean --suite?\n"},
        Row{{"run", "--job=2"}, "cellproof: run: unknown option --job; did you mean --jobs?\n"},
        Row{{"list", "engine"}, "cellproof: list: unknown command engine; did you mean engines?\n"},
        Row{{"reduce", "x", "--colour", "red"},
            "cellproof: reduce: unknown option --colour; --help lists what there is\n"},
        Row{{"wibble"}, "cellproof: unknown command wibble; --help lists what there is\n"}}) {
    const ProgramResult result = run_program(row.words);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.err, row.line);
    EXPECT_EQ(result.out, "");
  }
}

TEST(Typo, InAValueBringsWhatMayHaveBeenMeantAndAllThereIs) {
  const std::string line = "cellproof-case/1 op=LSTM-22 type=float T=1 N=1 I=1 H=1";
  for (const auto& [words, meant] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"run", "--suite", "smok"}, "no suite or tier 'smok', did you mean smoke? Expected one of "},
           {{"export", "--suite", "nigthly", "-o", "x"}, "no suite or tier 'nigthly', did you mean nightly? Expected"},
           {{"fuzz", "--only", "jugded"}, "--only jugded: did you mean judged? Expected one of "},
           {{"fuzz", "--law", "layuot"}, "no law 'layuot', did you mean layout? Expected one of "},
           {{"replay", line + " directon=reverse"}, "unknown key 'directon', did you mean direction? Expected one of "},
           {{"replay", line, "--reading", "clip-zero=of"},
            "--reading clip-zero=of: did you mean off? Expected one of "}}) {
    const ProgramResult result = run_program(words);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr(meant));
  }
}

}  // namespace
}  // namespace cellproof::cli
