#include "engines/installed_engines.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <new>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>

#include "engines/paths.hpp"

namespace cellproof::engines {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Words = std::map<std::string, std::string>;

/// The text with each {WORD} replaced. Throws std::out_of_range for a word that is not known.
std::string filled(const std::string& text, const Words& words) {
  std::string result;
  for (std::size_t place = 0;;) {
    const std::size_t open = text.find('{', place), close = text.find('}', open);
    result += text.substr(place, open - place);
    if (close == std::string::npos) return result;
    result += words.at(text.substr(open + 1, close - open - 1));
    place = close + 1;
  }
}

/// The version of a runtime that lies beside the interpreter of engines, by CELLPROOF_BESIDE (`openvino=2026.4.1 ...`);
/// empty where it does not.
std::string version_beside(const std::string& name) {
  const char* const given = std::getenv("CELLPROOF_BESIDE");
  std::istringstream pairs(given == nullptr ? "" : given);
  for (std::string pair; pairs >> pair;)
    if (pair.starts_with(name + "=")) return pair.substr(name.size() + 1);
  return "";
}

bool is_installed(const Words& words) {
  std::error_code unknown;
  return fs::exists(words.at("folder"), unknown);
}

/// The words of one installation: its folder, its interpreter, and the version of each pinned package. What `install`
/// has brought goes before what pip has put beside the interpreter of engines.
Words words_of(const json& install) {
  Words words{{"package", python_package().string()}, {"workers", worker_directory().string()}};
  for (const json& package : install.at("packages")) words[package.at("name")] = package.at("version");
  const std::string name = install.at("name");
  words["folder"] = (installed_engines_folder() / fmt::format("{}-{}", name, words.at(name))).string();
  words["python"] = words["folder"] + "/bin/python";
  const std::string beside = version_beside(name);
  if (beside.empty() || is_installed(words)) return words;
  words[name] = beside;
  words["python"] = engine_python();
  return words;
}

KnownEngine engine_of(const json& row, const std::map<std::string, Words>& installs) {
  const std::string install = row.at("install");
  const Words& words = installs.at(install);
  KnownEngine engine{.name = row.at("name"),
                     .what = filled(row.at("what"), words),
                     .command = {},
                     .absent = "",
                     .by_default = false,
                     .needs_processor = row.value("needs_processor", false)};
  for (const json& word : row.at("command")) engine.command.push_back(filled(word, words));
  const bool is_beside = engine.command.front() == engine_python() && !version_beside(install).empty();
  if (!is_beside && !is_installed(words))
    engine.absent = fmt::format("{} {} is not installed: `cellproof install {}`", install, words.at(install), install);
  return engine;
}

}  // namespace

std::vector<KnownEngine> installable_engines() {
  const fs::path list = engine_pins();
  std::ifstream file(list);
  if (!file.is_open()) return {};
  try {
    const json pins = json::parse(file);
    std::map<std::string, Words> installs;
    for (const json& install : pins.at("installs")) installs.emplace(install.at("name"), words_of(install));
    std::vector<KnownEngine> engines;
    for (const json& row : pins.at("engines")) engines.push_back(engine_of(row, installs));
    return engines;
  } catch (const std::bad_alloc&) {
    throw;                                 // says nothing about the list
  } catch (const std::exception& error) {  // json::exception, std::out_of_range
    throw std::runtime_error(
        fmt::format("{}: the list of installable engines cannot be read: {}", list.string(), error.what()));
  }
}

void become_package_program(const std::string& program, const std::vector<std::string>& arguments) {
  const fs::path file = python_package() / program;
  std::error_code unknown;
  if (!fs::exists(file, unknown))
    throw std::invalid_argument(
        fmt::format("{} is missing: `pip install 'cellproof[ray]'` brings a program with its Python package; "
                    "CELLPROOF_PYTHON_PACKAGE names the folder of another",
                    file.string()));
  const std::string itself = fs::read_symlink("/proc/self/exe", unknown).string();
  if (!itself.empty()) setenv("CELLPROOF_PROGRAM", itself.c_str(), 0);  // so that units are run by what was started
  std::vector<std::string> words{engine_python(), file.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execvp(pointers.front(), pointers.data());
  throw std::system_error(errno, std::generic_category(), words.front());
}

}  // namespace cellproof::engines
