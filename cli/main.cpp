#include <CLI/CLI.hpp>

#include "cli/command.hpp"
#include "cli/entry.hpp"
#include "cli/help.hpp"

namespace {

int cellproof_program(int argc, char** argv) {
  using namespace cellproof::cli;
  CLI::App app(
      "Proves whether an implementation of ONNX's LSTM, GRU, RNN and\n"
      "DynamicQuantizeLSTM computes what the specification says.\n\n"
      "Examples:\n"
      "  cellproof run                       judge every engine here, write a report\n"
      "  cellproof run --engine my=./worker  judge your own (docs/adding-an-engine.md)\n"
      "  cellproof replay 'CASE LINE'        run one case of a report again\n"
      "  cellproof COMMAND --help            list the options of a command\n");
  set_up_help(app, "cellproof");
  Work work;
  add_run(app, work);
  add_check(app, work);
  add_replay(app, work);
  add_reduce(app, work);
  add_fuzz(app, work);
  add_export(app, work);
  add_vectors(app, work);
  add_report(app, work);
  add_merge(app, work);
  add_judge(app, work);
  add_list(app, work);
  add_install(app, work);
  add_doctor(app, work);
  add_completion(app, work);
  return run_command_line(app, work, argc, argv);
}

}  // namespace

int main(int argc, char** argv) {
  return cellproof::cli::run_whole_program(cellproof_program, argc, argv);
}
