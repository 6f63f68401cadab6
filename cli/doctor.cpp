#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "engines/paths.hpp"
#include "engines/registry.hpp"

namespace cellproof::cli {
namespace {

namespace fs = std::filesystem;

struct Part {
  std::string name;
  bool required;  ///< set-up brings it on every machine; its absence is a failure
  bool present;
  std::string where;
  std::string without;  ///< what its absence switches off, and how to get it
};

bool on_path(const char* program) {
  const char* path = std::getenv("PATH");
  std::string folders = path == nullptr ? "" : path;
  for (std::size_t begin = 0; begin <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    if (access((fs::path(folders.substr(begin, end - begin)) / program).c_str(), X_OK) == 0) return true;
    begin = end + 1;
  }
  return false;
}

Part file_part(std::string name, bool required, const fs::path& file, std::string without) {
  return {std::move(name), required, fs::exists(file), file.string(), std::move(without)};
}

std::vector<Part> parts() {
  const fs::path deps = engines::project_root() / ".deps";
  std::vector<Part> list{
      file_part("ONNX 1.23.2, messages", true, deps / "onnx-definitions-1.23.2", "models cannot be read or written"),
      file_part("official ONNX node tests", true, deps / "backend-tests", "suite onnx-backend"),
      file_part("ONNX's backend-test runner", false, deps / "onnx-backend-runner",
                "its tests; `./cellproof test` fetches it"),
      file_part("oneDNN 3.13.2", false, deps / "onednn-3.13.2",
                "a subject of `cellproof lab bench`; setup/dependencies.sh onednn-sycl fetches it"),
      file_part("oneDNN 3.2.0", false, deps / "onednn-3.2.0",
                "a subject of `cellproof lab bench`; setup/dependencies.sh onednn fetches it"),
  };
  for (const engines::KnownEngine& engine : engines::known_engines()) {
    const std::string absence = engines::absence_of(engine);
    list.push_back({"engine " + engine.name, engine.by_default, absence.empty(), engine.what,
                    absence.empty() ? "" : "the engine: " + absence});
  }
  list.push_back({"chromium", false, on_path("chromium"), "on PATH", "pictures of reports (apt-get install chromium)"});
  list.push_back({"nvidia driver", false, fs::exists("/proc/driver/nvidia/version"), "/proc/driver/nvidia",
                  "the engines that need a GPU"});
  return list;
}

int doctor() {
  int missing = 0;
  for (const Part& part : parts()) {
    const char* state = part.present ? "ok     " : part.required ? "MISSING" : "absent ";
    fmt::print("{} {:<28} {}\n", state, part.name, part.present ? part.where : "without it: " + part.without);
    missing += part.required && !part.present;
  }
  if (missing > 0) {
    fmt::print("{} missing that set-up should have brought: run ./cellproof again and read its first lines\n", missing);
    return unexpected;
  }
  fmt::print("everything that set-up brings is here\n");
  return ok;
}

}  // namespace

void add_doctor(CLI::App& app, Work& work) {
  CLI::App* command = app.add_subcommand("doctor", "List what is installed and what is missing");
  command->footer("Examples:\n  cellproof doctor\n  cellproof doctor | grep absent");
  command->callback([&work] { work = doctor; });
}

}  // namespace cellproof::cli
