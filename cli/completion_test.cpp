// Completion as shells do it with the program's own scripts, and its manual page as groff reads it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "cli/testing/run_program.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

const std::vector<std::string> shells{"bash", "zsh", "fish"};

std::string script_of(const std::string& shell) {
  return run_program({"completion", shell}).out;
}

bool is_installed(const std::string& program) {
  return run_command({"sh", "-c", "command -v " + program}).exit_code == 0;
}

std::vector<std::string> first_words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string line; std::getline(in, line);)
    if (!line.empty()) words.push_back(line.substr(0, line.find('\t')));
  return words;
}

class Completion : public testing::Test {
 protected:
  std::string kept(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }

  /// Words that bash offers behind a line, as it asks a function for them.
  std::vector<std::string> of_bash(const std::string& line) const {
    const std::string ask =
        R"(source "$1"; COMP_LINE=$2 COMP_POINT=${#2}; _cellproof; printf '%s\n' "${COMPREPLY[@]}")";
    return first_words(run_command({"bash", "-c", ask, "bash", kept("script", script_of("bash")), line}).out);
  }

  TemporaryFolder folder_;
};

TEST_F(Completion, OfBashKnowsCommandsOptionsAndValues) {
  EXPECT_THAT(of_bash("cellproof re"), UnorderedElementsAre("replay", "reduce", "report"));
  EXPECT_THAT(of_bash("cellproof run --su"), ElementsAre("--suite"));
  EXPECT_THAT(of_bash("cellproof run --suite sm"), ElementsAre("smoke"));
  EXPECT_THAT(of_bash("cellproof run --suite smoke --engine ref"), ElementsAre("reference"));
  EXPECT_THAT(of_bash("cellproof list eng"), ElementsAre("engines"));
  EXPECT_THAT(of_bash("cellproof list engines --j"), ElementsAre("--json"));
  EXPECT_THAT(of_bash("cellproof check --contract f32-stri"), testing::Contains("f32-strict"));
  EXPECT_THAT(of_bash("cellproof fuzz --law full-l"), ElementsAre("full-lengths"));
  EXPECT_THAT(of_bash("cellproof run --shard sl"), ElementsAre("slurm"));
}

/// Readline has begun a new word behind = and @, and gets that one alone.
TEST_F(Completion, OfBashGoesOnWithinAWord) {
  EXPECT_THAT(of_bash("cellproof report --format=sa"), ElementsAre("sarif"));
  EXPECT_THAT(of_bash("cellproof run --contract reference=f64-via"), testing::Contains("f64-via-f32"));
  EXPECT_THAT(of_bash("cellproof run --engine cellproof-cpu@avx5"), ElementsAre("avx512", "avx512-bf16"));
}

TEST_F(Completion, TakesAValueWithBlanksAndBracketsForOneWord) {
  EXPECT_THAT(of_bash("cellproof replay --reading defaults-affine-scaledtanh=a"),
              ElementsAre("affine\\(1\\,0\\)\\ scaledtanh\\(1\\,1\\)"));
  EXPECT_THAT(script_of("fish"), HasSubstr("=affine\\\\(1,0\\\\)\\\\ scaledtanh\\\\(1,1\\\\) "))
      << "in single quotes a backslash is two";
}

/// A value that is called like a command is none.
TEST_F(Completion, OfBashTellsValuesFromCommands) {
  EXPECT_THAT(of_bash("cellproof run --engine list --su"), ElementsAre("--suite"));
  EXPECT_THAT(of_bash("cellproof run --suite nothing"), testing::IsEmpty());
}

TEST_F(Completion, HasWhateverTheHelpHas) {
  std::vector<std::string> scripts;
  for (const std::string& shell : shells) scripts.push_back(script_of(shell));
  const std::string page = run_program({"help", "--man"}).out;
  static const std::regex option(R"(--[a-z][a-z-]*)");
  int options = 0;
  for (const char* command : {"run", "fuzz", "check", "replay", "reduce", "export", "report", "merge"}) {
    const std::string help = run_program({command, "--help"}).out;
    std::istringstream lines(help.substr(0, help.find("Examples:")));
    for (std::string line; std::getline(lines, line);) {
      std::smatch found;
      const std::string head = line.substr(0, 27);
      if (!line.starts_with("  -") || !std::regex_search(head, found, option)) continue;
      ++options;
      const std::string name = found.str();
      EXPECT_THAT(scripts[0], HasSubstr(" " + name + " "));
      EXPECT_THAT(scripts[1], testing::ContainsRegex("\\*" + name + "=?\\["));
      EXPECT_THAT(scripts[2], HasSubstr(" -l " + name.substr(2)));
      EXPECT_THAT(page, HasSubstr(std::regex_replace(name, std::regex("-"), "\\-")));
    }
  }
  EXPECT_GT(options, 60);
}

TEST_F(Completion, OfFishOffersThem) {
  if (!is_installed("fish")) GTEST_SKIP() << "fish is not installed";
  const std::string script = kept("script.fish", script_of("fish"));
  const auto of_fish = [&](const std::string& line) {
    return first_words(
        run_command({"fish", "--no-config", "-c", fmt::format("source {}; complete -C '{}'", script, line)}).out);
  };
  EXPECT_THAT(of_fish("cellproof run --suite sm"), ElementsAre("smoke"));
  EXPECT_THAT(of_fish("cellproof list eng"), ElementsAre("engines"));
}

TEST_F(Completion, OfZshIsRead) {
  if (!is_installed("zsh")) GTEST_SKIP() << "zsh is not installed";
  const ProgramResult result = run_command(
      {"zsh", "-f", "-c", "autoload -U compinit; compinit -u -D; source $1; (( $+functions[_cellproof_list_engines] ))",
       "zsh", kept("_cellproof", script_of("zsh"))});
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST_F(Completion, ManualPageIsReadWithoutAWarning) {
  const ProgramResult page = run_program({"help", "--man"});
  EXPECT_EQ(page.exit_code, 0);
  EXPECT_EQ(page.out, run_program({"--man"}).out);
  if (!is_installed("groff")) GTEST_SKIP() << "groff is not installed";
  const ProgramResult read = run_command({"groff", "-ww", "-man", "-Tascii", "-P-cbou", kept("cellproof.1", page.out)});
  EXPECT_EQ(read.exit_code, 0);
  EXPECT_EQ(read.err, "");
  for (const char* words : {"NAME", "EXIT STATUS", "--suite SUITE", "cellproof replay 'CASE LINE'", "list engines"})
    EXPECT_THAT(read.out, HasSubstr(words));
}

TEST_F(Completion, IsInstalled) {
  const ProgramResult result = run_command({"cmake", "--install", CELLPROOF_BINARY_DIR, "--component",
                                            "cellproof-manual", "--prefix", (folder_ / "usr").string()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto installed = [&](const char* place) {
    std::ostringstream text;
    text << std::ifstream(folder_ / "usr" / "share" / place).rdbuf();
    return text.str();
  };
  EXPECT_EQ(installed("man/man1/cellproof.1"), run_program({"help", "--man"}).out);
  EXPECT_EQ(installed("bash-completion/completions/cellproof"), script_of("bash"));
  EXPECT_EQ(installed("zsh/site-functions/_cellproof"), script_of("zsh"));
  EXPECT_EQ(installed("fish/vendor_completions.d/cellproof.fish"), script_of("fish"));
}

TEST_F(Completion, AnUnknownShellIsRefused) {
  const ProgramResult result = run_program({"completion", "bsah"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("did you mean bash?"));
}

}  // namespace
}  // namespace cellproof::cli
