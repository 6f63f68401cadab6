#include "engines/engine_argument.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <system_error>

#include "engines/command_line.hpp"
#include "engines/paths.hpp"

namespace cellproof::engines {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view backend_prefix = "backend:";
constexpr std::string_view library_prefix = "onnxruntime=";
constexpr std::string_view provider_prefix = "onnxruntime:";

constexpr std::string_view letters_and_digits = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

bool is_engine_name(std::string_view name) {
  return !name.empty() && name.find_first_not_of(letters_and_digits) == std::string_view::npos;
}

/// Returns what follows the prefix, if it is there.
std::optional<std::string_view> behind(std::string_view prefix, std::string_view argument) {
  if (!argument.starts_with(prefix)) return std::nullopt;
  return argument.substr(prefix.size());
}

/// The version in the file's name, as in libonnxruntime.so.1.22.1, else the folder's name. A path says it, and not the
/// library: a build that is made anew keeps its name, and with it its baselines and waivers.
std::string name_of_library(const fs::path& library) {
  constexpr std::string_view ending = ".so.";
  const std::string file = library.filename().string();
  const auto place = file.rfind(ending);
  const std::string variant =
      place == std::string::npos ? library.parent_path().filename().string() : file.substr(place + ending.size());
  std::string name = "onnxruntime@";
  for (const char c : variant) name += letters_and_digits.find(c) == std::string_view::npos ? '-' : c;
  return variant.empty() ? "onnxruntime@library" : name;
}

std::string name_of_provider(std::string_view described) {
  return fmt::format("onnxruntime@{}", described.substr(0, described.find(',')));
}

std::string existing_file(const fs::path& file, std::string_view argument) {
  std::error_code unknown;
  if (!fs::is_regular_file(file, unknown))
    throw std::invalid_argument(fmt::format("--engine {}: there is no file '{}'", argument, file.string()));
  return fs::absolute(file).string();
}

DescribedEngine engine_of_library(std::string_view library, std::string_view argument) {
  return {name_of_library(library),
          {(worker_directory() / "cellproof-engine-onnxruntime").string(), existing_file(library, argument)}};
}

/// The parts between commas; one without `=` goes on with the value before it, as in `device_type=HETERO:GPU,CPU`.
std::vector<std::string> settings_of(std::string_view text) {
  std::vector<std::string> settings;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    if (part.find('=') != std::string_view::npos) {
      settings.emplace_back(part);
    } else if (!settings.empty()) {
      settings.back() += fmt::format(",{}", part);
    } else {
      throw std::invalid_argument(fmt::format("'{}' is no setting: expected KEY=VALUE", part));
    }
  }
  return settings;
}

DescribedEngine engine_of_provider(std::string_view described, std::string_view argument) {
  const std::string_view provider = described.substr(0, described.find(','));
  if (!is_engine_name(provider))
    throw std::invalid_argument(
        fmt::format("--engine {}: names no provider: expected onnxruntime:PROVIDER[,KEY=VALUE]...", argument));
  std::string runtime = onnxruntime_library().string();
  std::vector<std::string> settings;
  try {
    settings = settings_of(described.substr(std::min(provider.size() + 1, described.size())));
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("--engine {}: {}", argument, error.what()));
  }
  std::vector<std::string> command{(worker_directory() / "cellproof-engine-onnxruntime").string(), "",
                                   std::string(provider)};
  for (std::string& setting : settings) {
    if (const auto file = behind("runtime=", setting)) {
      runtime = existing_file(*file, argument);
    } else if (const auto plug_in = behind("library=", setting)) {
      command.push_back(fmt::format("library={}", existing_file(*plug_in, argument)));
    } else {
      command.push_back(std::move(setting));
    }
  }
  command[1] = runtime;
  return {name_of_provider(described), std::move(command)};
}

/// A Python module with ONNX's Backend interface.
DescribedEngine engine_of_backend(std::string_view module) {
  if (!is_engine_name(module) || module.starts_with('-'))
    throw std::invalid_argument(fmt::format("--engine: '{}{}' names no Python module: expected backend:PACKAGE.MODULE",
                                            backend_prefix, module));
  return {std::string(module), {engine_python(), backend_adapter().string(), std::string(module)}};
}

DescribedEngine engine_of_command(std::string_view name, std::string_view command) {
  if (!is_engine_name(name))
    throw std::invalid_argument(
        fmt::format("--engine: '{}' cannot name an engine: letters, digits, '.', '_' and '-' can", name));
  auto words = split_command(command);
  if (words.empty()) throw std::invalid_argument(fmt::format("--engine: no command after '{}='", name));
  return {std::string(name), std::move(words)};
}

}  // namespace

DescribedEngine described_engine(std::string_view argument) {
  if (const auto library = behind(library_prefix, argument)) return engine_of_library(*library, argument);
  if (const auto provider = behind(provider_prefix, argument)) return engine_of_provider(*provider, argument);
  const auto equals = argument.find('=');
  if (equals != std::string_view::npos)
    return engine_of_command(argument.substr(0, equals), argument.substr(equals + 1));
  if (const auto module = behind(backend_prefix, argument)) return engine_of_backend(*module);
  return {std::string(argument), {}};
}

std::string name_of_argument(std::string_view argument) {
  if (const auto library = behind(library_prefix, argument)) return name_of_library(*library);
  if (const auto provider = behind(provider_prefix, argument)) return name_of_provider(*provider);
  if (argument.find('=') == std::string_view::npos)
    if (const auto module = behind(backend_prefix, argument)) return std::string(*module);
  return std::string(argument.substr(0, argument.find('=')));
}

void check_names(const std::vector<std::string>& arguments) {
  std::map<std::string, std::string> first;
  for (const std::string& argument : arguments) {
    const auto [place, is_new] = first.emplace(name_of_argument(argument), argument);
    if (!is_new && place->second != argument)
      throw std::invalid_argument(
          fmt::format("--engine: '{}' and '{}' would both be called {}: NAME=COMMAND gives one "
                      "of them another name",
                      place->second, argument, place->first));
  }
}

}  // namespace cellproof::engines
