#include <CLI/CLI.hpp>

#include "cli/command.hpp"
#include "cli/entry.hpp"

namespace {

int cellproof_program(int argc, char** argv) {
  using namespace cellproof::cli;
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
  app.footer(exit_codes_text());
  Work work;
  add_run(app, work);
  add_check(app, work);
  add_replay(app, work);
  add_reduce(app, work);
  add_fuzz(app, work);
  add_export(app, work);
  add_report(app, work);
  add_merge(app, work);
  add_list(app, work);
  add_doctor(app, work);
  return run_command_line(app, work, argc, argv);
}

}  // namespace

int main(int argc, char** argv) {
  return cellproof::cli::run_whole_program(cellproof_program, argc, argv);
}
