#include "engines/onnxruntime/c_api.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <charconv>
#include <string_view>

namespace cellproof::engines::ort {
namespace {

constexpr std::uint32_t api_version = 19;  // slots never move, so a later release means the same by it
constexpr int oldest_minor = 19;

/// The second number of "1.22.1"; those of another first number, or of none, are older than any that we take.
int minor_of(std::string_view version) {
  int minor = -1;
  if (version.starts_with("1.")) std::from_chars(version.data() + 2, version.data() + version.size(), minor);
  return minor;
}

/// Struct that OrtGetApiBase returns a pointer to.
struct ApiBase {
  const void* const* (*GetApi)(std::uint32_t version);
  const char* (*GetVersionString)();
};

}  // namespace

CApi::CApi(const std::filesystem::path& library) {
  // Never closed: ONNX Runtime's threads and statics may outlive any object of ours.
  void* const opened = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) {
    const char* const why = dlerror();
    throw LibraryError(fmt::format("ONNX Runtime cannot be opened: {}", why == nullptr ? library.string() : why));
  }
  const auto get_base = reinterpret_cast<const ApiBase* (*)()>(dlsym(opened, "OrtGetApiBase"));
  const ApiBase* const base = get_base == nullptr ? nullptr : get_base();
  if (base == nullptr || base->GetApi == nullptr || base->GetVersionString == nullptr)
    throw LibraryError(fmt::format("{}: no ONNX Runtime library (it has no OrtGetApiBase)", library.string()));
  version_ = base->GetVersionString();
  minor_version_ = minor_of(version_);
  // Not left to GetApi, which prints lines of its own.
  if (minor_version_ < oldest_minor)
    throw LibraryError(fmt::format("{}: ONNX Runtime {} is too old: 1.{} is the oldest that can be driven",
                                   library.string(), version_, oldest_minor));
  table_ = base->GetApi(api_version);
  if (table_ == nullptr)
    throw LibraryError(fmt::format("{}: ONNX Runtime {} does not offer version {} of its C interface", library.string(),
                                   version_, api_version));
}

void CApi::release(int slot, void* object) const {
  reinterpret_cast<void (*)(void*)>(function(slot))(object);
}

void CApi::check(void* status) const {
  if (status == nullptr) return;
  const int code = reinterpret_cast<int (*)(const void*)>(function(GetErrorCode))(status);
  const std::string message = reinterpret_cast<const char* (*)(const void*)>(function(GetErrorMessage))(status);
  release(ReleaseStatus, status);
  throw CallError(code, message);
}

}  // namespace cellproof::engines::ort
