#include "engines/onnxruntime/provider.hpp"

#include <fmt/format.h>

#include <cstring>

namespace cellproof::engines::ort {
namespace {

constexpr const char* refuse_fallback = "session.disable_cpu_ep_fallback";
constexpr int first_with_plug_ins = 22;  // 1.22

/// Keys and values as two arrays of C strings.
struct Options {
  explicit Options(const Provider& provider) {
    for (const auto& [key, value] : provider.options) {
      keys.push_back(key.c_str());
      values.push_back(value.c_str());
    }
  }
  std::vector<const char*> keys, values;
};

/// The devices that the plug-in offers, under the name that it was registered with or that it gives itself.
std::vector<const void*> devices_of(const CApi& api, const Provider& provider, void* environment) {
  const void* const* devices = nullptr;
  std::size_t count = 0;
  api.call(CApi::GetEpDevices, static_cast<const void*>(environment), &devices, &count);
  std::vector<const void*> own;
  for (std::size_t k = 0; k < count; ++k)
    if (provider.name == api.text(CApi::EpDevice_EpName, devices[k])) own.push_back(devices[k]);
  return own;
}

void choose_plug_in(const CApi& api, const Provider& provider, void* environment, void* session_options) {
  if (api.minor_version() < first_with_plug_ins)
    throw LibraryError(fmt::format("ONNX Runtime {} has no plug-in providers: 1.{} is the first that has",
                                   api.version(), first_with_plug_ins));
  api.call(CApi::RegisterExecutionProviderLibrary, environment, provider.name.c_str(), provider.library.c_str());
  const auto devices = devices_of(api, provider, environment);
  if (devices.empty())
    throw LibraryError(fmt::format("{}: offers no device here as {}", provider.library.string(), provider.name));
  const Options options(provider);
  // One device: those of one provider differ in hardware, and its options say which of its parts is to compute.
  api.call(CApi::SessionOptionsAppendExecutionProvider_V2, session_options, environment, devices.data(), std::size_t{1},
           options.keys.data(), options.values.data(), options.keys.size());
}

void choose_built_in(const CApi& api, const Provider& provider, void* session_options) {
  const Options options(provider);
  api.call(CApi::SessionOptionsAppendExecutionProvider, session_options, provider.name.c_str(), options.keys.data(),
           options.values.data(), options.keys.size());
}

}  // namespace

Provider provider_of(const std::vector<std::string>& arguments) {
  Provider provider{arguments.front(), {}, {}, {}, {}};
  for (auto argument = arguments.begin() + 1; argument != arguments.end(); ++argument) {
    const auto equals = argument->find('=');
    if (equals == std::string::npos) throw LibraryError(fmt::format("'{}': expected KEY=VALUE", *argument));
    const std::string key = argument->substr(0, equals), value = argument->substr(equals + 1);
    if (key == "library") {
      provider.library = value;
    } else if (key == "version") {
      provider.version = value;
    } else if (key == "contract") {
      provider.contract = contract_named(value);
      if (!provider.contract) throw LibraryError(fmt::format("'{}' is no contract: see `list contracts`", value));
    } else {
      provider.options.emplace_back(key, value);
    }
  }
  return provider;
}

void choose(const CApi& api, const Provider& provider, void* environment, void* session_options) {
  try {
    provider.library.empty() ? choose_built_in(api, provider, session_options)
                             : choose_plug_in(api, provider, environment, session_options);
    api.call(CApi::AddSessionConfigEntry, session_options, refuse_fallback, "1");
  } catch (const CallError& error) {
    throw LibraryError(fmt::format("ONNX Runtime {}: {}", api.version(), error.what()));
  }
}

bool is_fallback(std::string_view message) {
  return message.find("fallback to CPU EP has been explicitly disabled") != std::string_view::npos;
}

}  // namespace cellproof::engines::ort
