#include "cli/entry.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/help.hpp"
#include "cli/out_of_memory.hpp"
#include "cli/standard_output.hpp"
#include "corpus/model.hpp"
#include "reports/store.hpp"
#include "spec/case_text.hpp"
#include "spec/utf8.hpp"

namespace cellproof::cli {
namespace {

/// Prints the one line of an error. What files and engines are called in it is shown, never obeyed.
int complain(int code, std::string_view problem) {
  fmt::print(stderr, "cellproof: {}\n", visible_text(problem));
  return code;
}

/// Runs the command and returns its exit code, or that of the error that ended it.
int run_to_exit_code(const Work& work) {
  try {
    return work();
  } catch (const CaseTextError& error) {
    return complain(bad_input, error.what());
  } catch (const corpus::CorpusError& error) {
    return complain(bad_input, error.what());
  } catch (const reports::StoreError& error) {
    return complain(bad_input, error.what());
  } catch (const std::invalid_argument& error) {
    return complain(bad_input, error.what());
  } catch (const std::system_error& error) {
    return complain(bad_input, error.what());
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return complain(harness_error, error.what());
  }
}

/// The code of a command whose results are printed. Results that could not be written are not a success.
int with_results_printed(int code) {
  const int error = finish_stdout();
  if (error == 0) return code;
  complain(code, fmt::format("stdout: {}", std::generic_category().message(error)));
  return code == harness_error ? code : bad_input;
}

}  // namespace

int run_whole_program(int (*program)(int, char**), int argc, char** argv) {
  try {
    // A worker that dies while it is written to is an Outcome, and a closed stdout (`| head`) no failure.
    std::signal(SIGPIPE, SIG_IGN);
    keep_errors_of_output();
    std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit is a full disk: an error of the write
    return program(argc, argv);
  } catch (const std::bad_alloc&) {
    complain_of_memory();
    return bad_input;
  }
}

std::string exit_codes_text() {
  std::string codes = "Exit codes:\n";
  for (const auto& [code, meaning] : campaign::exit_code_meanings())
    codes += fmt::format("  {:<10}{}\n", code, meaning);
  return codes + "The worst counts: 3 before 2, 1, 4, 0. A second signal terminates at once.";
}

namespace {

/// Writes `help`, `help COMMAND`, `help --man` and `version` as the options that they stand for.
std::vector<std::string> as_options(std::vector<std::string> words) {
  if (words.front() == "version" && words.size() == 1) return {"--version"};
  if (words.front() == "help") {
    words.erase(words.begin());
    if (words != std::vector<std::string>{"--man"}) words.emplace_back("--help");
  }
  return words;
}

}  // namespace

int run_command_line(CLI::App& app, const Work& work, int argc, const char* const* argv) {
  if (argc <= 1) {
    fmt::print("{}", app.help());
    return with_results_printed(ok);
  }
  std::vector<std::string> words = as_options({argv + 1, argv + argc});
  remember_command_line(app.get_name(), words);
  if (const std::string unknown = unknown_word(app, words); !unknown.empty())
    return with_results_printed(complain(bad_input, unknown));
  std::ranges::reverse(words);  // as CLI11 wants a list
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    std::ostringstream help, complaint;
    const int code = app.exit(error, help, complaint) == 0 ? ok : bad_input;
    fmt::print("{}", help.str());
    fmt::print(stderr, "{}", visible_text(complaint.str(), true));
    return with_results_printed(code);
  }
  return with_results_printed(run_to_exit_code(work));
}

}  // namespace cellproof::cli
