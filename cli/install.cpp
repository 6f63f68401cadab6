#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "engines/installed_engines.hpp"

namespace cellproof::cli {

void add_install(CLI::App& app, Work& work) {
  auto names = std::make_shared<std::vector<std::string>>();
  CLI::App* command = app.add_subcommand("install", "Install engines into your own folder");
  command->add_option("engines", *names, "Install this engine; repeatable")->option_text("ENGINE")->required();
  command->footer("Examples:\n  cellproof install openvino\n  cellproof install tract onnxruntime-ggml");
  command->callback(
      [names, &work] { work = [names]() -> int { engines::become_package_program("_install.py", *names); }; });
}

}  // namespace cellproof::cli
