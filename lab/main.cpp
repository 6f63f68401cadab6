#include <CLI/CLI.hpp>

#include "cli/entry.hpp"
#include "cli/help.hpp"
#include "lab/command.hpp"

namespace {

int lab_program(int argc, char** argv) {
  using namespace cellproof;
  CLI::App app(
      "Measures Cellproof itself: its suites, its oracle, its speed, and what only a GPU can show.\n\n"
      "  ./cellproof lab mutants score --suite smoke   count the wrong implementations that a suite finds\n"
      "  ./cellproof lab calibrate --tier quick        judge honest engines and seeded faults\n"
      "  ./cellproof lab precisions --wrong            count the right causes named of a labelled set\n"
      "  ./cellproof lab bench engines --row short     time the CPU implementation beside others\n"
      "  ./cellproof lab gpu-check                     check the GPU engines on this machine's GPU\n"
      "  ./cellproof lab same-findings STORE STORE     list what a change of the program has changed in a run\n"
      "  ./cellproof lab vectors score                 count the faults that the vectors find\n"
      "  ./cellproof lab accuracy                      measure honest steps against the bounds of docs/accuracy/\n");
  cli::set_up_help(app, "cellproof lab");
  cli::Work work;
  lab::add_mutants(app, work);
  lab::add_calibrate(app, work);
  lab::add_precisions(app, work);
  lab::add_bench(app, work);
  lab::add_gpu_check(app, work);
  lab::add_same_findings(app, work);
  lab::add_vectors(app, work);
  lab::add_accuracy(app, work);
  return cli::run_command_line(app, work, argc, argv);
}

}  // namespace

int main(int argc, char** argv) {
  return cellproof::cli::run_whole_program(lab_program, argc, argv);
}
