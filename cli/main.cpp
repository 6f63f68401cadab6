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

#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/out_of_memory.hpp"
#include "cli/standard_output.hpp"
#include "corpus/model.hpp"
#include "reports/store.hpp"
#include "spec/case_text.hpp"
#include "spec/utf8.hpp"

namespace {

/// Prints the one line of an error. What files and engines are called in it is shown, never obeyed.
int complain(int code, std::string_view problem) {
  fmt::print(stderr, "cellproof: {}\n", cellproof::visible_text(problem));
  return code;
}

/// Runs the command and returns its exit code, or that of the error that ended it.
int run_to_exit_code(const cellproof::cli::Work& work) {
  try {
    return work();
  } catch (const cellproof::CaseTextError& error) {
    return complain(cellproof::cli::bad_input, error.what());
  } catch (const cellproof::corpus::CorpusError& error) {
    return complain(cellproof::cli::bad_input, error.what());
  } catch (const cellproof::reports::StoreError& error) {
    return complain(cellproof::cli::bad_input, error.what());
  } catch (const std::invalid_argument& error) {
    return complain(cellproof::cli::bad_input, error.what());
  } catch (const std::system_error& error) {
    return complain(cellproof::cli::bad_input, error.what());
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return complain(cellproof::cli::harness_error, error.what());
  }
}

/// The code of a command whose results are printed. Results that could not be written are not a success.
int with_results_printed(int code) {
  const int error = cellproof::cli::finish_stdout();
  if (error == 0) return code;
  complain(code, fmt::format("stdout: {}", std::generic_category().message(error)));
  return code == cellproof::cli::harness_error ? code : cellproof::cli::bad_input;
}

/// Everything but the last refuge.
int run_program(int argc, char** argv) {
  // A worker that dies while it is written to is an Outcome, and a closed stdout (`| head`) no failure.
  std::signal(SIGPIPE, SIG_IGN);
  cellproof::cli::keep_errors_of_output();
  std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit is a full disk: an error of the write

  CLI::App app(
      "Cellproof proves whether an implementation of ONNX's recurrent operators (LSTM, GRU, RNN,\n"
      "DynamicQuantizeLSTM) computes what the specification says, and where it does not.\n\n"
      "  cellproof run                       judge every engine that is here, write the report\n"
      "  cellproof run --engine my=./worker  judge an engine of your own (docs/adding-an-engine.md)\n"
      "  cellproof check DIR                 judge outputs that lie in ONNX backend-test directories\n"
      "  cellproof replay 'CASE LINE'        run one case of a report again\n"
      "  cellproof reduce 'CASE LINE'        make a failing case as small as it can be\n");
  app.name("cellproof");
  app.require_subcommand(1);
  std::string codes = "Exit codes:\n";
  for (const auto& [code, meaning] : cellproof::campaign::exit_code_meanings())
    codes += fmt::format("  {:<10}{}\n", code, meaning);
  app.footer(codes + "The worst counts: 3 before 2, 1, 4, 0. A second signal terminates at once.");
  cellproof::cli::Work work;
  cellproof::cli::add_run(app, work);
  cellproof::cli::add_check(app, work);
  cellproof::cli::add_replay(app, work);
  cellproof::cli::add_reduce(app, work);
  cellproof::cli::add_fuzz(app, work);
  cellproof::cli::add_export(app, work);
  cellproof::cli::add_report(app, work);
  cellproof::cli::add_merge(app, work);
  cellproof::cli::add_list(app, work);
  cellproof::cli::add_calibrate(app, work);
  cellproof::cli::add_mutants(app, work);
  cellproof::cli::add_bench(app, work);
  cellproof::cli::add_doctor(app, work);
  cellproof::cli::add_gpu_check(app, work);

  if (argc <= 1) {
    fmt::print("{}", app.help());
    return with_results_printed(cellproof::cli::ok);
  }
  std::vector<std::string> words(argv + 1, argv + argc);
  cellproof::cli::remember_command_line(words);
  std::ranges::reverse(words);  // as CLI11 wants a list
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    std::ostringstream help, complaint;
    const int code = app.exit(error, help, complaint) == 0 ? cellproof::cli::ok : cellproof::cli::bad_input;
    fmt::print("{}", help.str());
    fmt::print(stderr, "{}", cellproof::visible_text(complaint.str(), true));
    return with_results_printed(code);
  }
  return with_results_printed(run_to_exit_code(work));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run_program(argc, argv);
  } catch (const std::bad_alloc&) {
    cellproof::cli::complain_of_memory();
    return cellproof::cli::bad_input;
  }
}
