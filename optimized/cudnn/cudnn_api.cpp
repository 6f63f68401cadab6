#include "optimized/cudnn/cudnn_api.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

namespace cellproof::cudnn {
namespace {

namespace fs = std::filesystem;

constexpr const char* soname = "libcudnn.so.9";
/// Each needs those before it. libcudnn.so.9 itself only finds them, at its first call, by their names wherever the
/// loader looks first; and ends the process where one of them is missing.
constexpr const char* parts[] = {"libcudnn_graph.so.9", "libcudnn_ops.so.9", "libcudnn_adv.so.9"};

/// The environment variable; nullptr where it is unset or empty.
const char* named(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

std::string loader_error() {
  const char* const why = dlerror();
  return why == nullptr ? "the loader gives no reason" : why;
}

/// Files that may be cuDNN, and why it is not where it was said to be.
struct Places {
  std::vector<std::string> files, reasons;

  /// A folder, as it is and as a wheel lays it out. A wheel's library finds cuBLAS and nvrtc relative to its own place.
  void add_folder(const fs::path& folder, bool is_named) {
    bool is_there = false;
    for (const fs::path& place : {folder, folder / "nvidia/cudnn/lib"}) {
      // A part alone shows that cuDNN was meant to be there.
      const auto holds = [&](const char* file) {
        std::error_code unknown;
        return fs::exists(place / file, unknown);
      };
      if (!holds(soname) && std::ranges::none_of(parts, holds)) continue;
      files.push_back((place / soname).string());
      is_there = true;
    }
    if (is_named && !is_there) reasons.push_back(folder.string() + " has no " + soname);
  }
};

Places places() {
  Places found;
  if (const char* const file = named("CELLPROOF_CUDNN_LIBRARY")) {
    found.files.emplace_back(file);
    return found;
  }
  if (const char* const folders = named("CELLPROOF_CUDNN_DIRS")) {
    std::string_view rest = folders;
    while (!rest.empty()) {
      const std::string_view folder = rest.substr(0, rest.find(':'));
      rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
      if (!folder.empty()) found.add_folder(folder, true);
    }
  }
  // Who names a folder means the cuDNN in it: where that is broken, the loader's in its place would hide it.
  if (!found.files.empty()) return found;
  found.files.emplace_back(soname);
  for (const char* const folder : {"/usr/local/cuda/lib64", "/usr/local/cuda/lib"}) found.add_folder(folder, false);
  return found;
}

/// "" or the function that the library lacks.
std::string load(void* library, CudnnApi& api) {
// NOLINTBEGIN(bugprone-macro-parentheses): types and names take none
#define CELLPROOF_CUDNN_LOAD(name, result, parameters)                      \
  api.name = reinterpret_cast<result(*) parameters>(dlsym(library, #name)); \
  if (api.name == nullptr) return #name;
  CELLPROOF_CUDNN_FUNCTIONS(CELLPROOF_CUDNN_LOAD)
#undef CELLPROOF_CUDNN_LOAD
  // NOLINTEND(bugprone-macro-parentheses)
  return "";
}

/// The real path of the library that a function is of, with the path under which it was loaded.
std::pair<fs::path, fs::path> paths_of(std::size_t (*function)()) {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(function), &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code unknown;
  fs::path real = fs::canonical(info.dli_fname, unknown);
  return {unknown ? fs::path(info.dli_fname) : real, info.dli_fname};
}

/// One attempt at a file: what has been loaded is closed again unless all of it is there.
class Attempt {
 public:
  explicit Attempt(std::string file) : file_(std::move(file)) {}
  Attempt(const Attempt&) = delete;
  Attempt& operator=(const Attempt&) = delete;
  ~Attempt() {
    // A part that stays loaded would be taken by the next attempt's library, whatever version that has.
    for (; !loaded_.empty(); loaded_.pop_back()) dlclose(loaded_.back());
  }

  /// "" or why this file is no cuDNN 9 that can be used.
  std::string open(OpenedCudnn& opened) {
    void* const library = keep(file_);
    if (library == nullptr) return loader_error();
    if (const std::string lacks = load(library, opened.api); !lacks.empty()) return file_ + " has no " + lacks;
    const auto [real, as_loaded] = paths_of(opened.api.cudnnGetVersion);
    for (const char* const part : parts)
      if (std::string why = open_part(part, real.parent_path(), as_loaded.parent_path()); !why.empty()) return why;
    if (const std::size_t version = opened.api.cudnnGetVersion(); version / 10000 != major_version)
      return real.string() + " is version " + version_text(version);
    if (const Status status = opened.api.cudnnAdvVersionCheck(); status != status::success)
      return real.string() + ": cudnnAdvVersionCheck: " + opened.api.cudnnGetErrorString(status) + " (" +
             std::to_string(status) + ")";
    opened.file = real.string();
    loaded_.clear();
    return "";
  }

 private:
  void* keep(const std::string& file) {
    void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) loaded_.push_back(library);
    return library;
  }

  /// From the folder of the library itself, or, where that is a link among links, from the link's.
  std::string open_part(const char* part, const fs::path& folder, const fs::path& folder_of_link) {
    if (keep((folder / part).string()) != nullptr) return "";
    std::string why = loader_error();
    return folder != folder_of_link && keep((folder_of_link / part).string()) != nullptr ? "" : why;
  }

  std::string file_;
  std::vector<void*> loaded_;
};

}  // namespace

std::string version_text(std::size_t version) {
  return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

OpenedCudnn open_cudnn() {
  auto [files, reasons] = places();
  for (const std::string& file : files) {
    OpenedCudnn opened;
    std::string why = Attempt(file).open(opened);
    if (why.empty()) return opened;
    reasons.push_back(std::move(why));
  }
  std::string all;
  for (const std::string& reason : reasons) all += (all.empty() ? "no cuDNN 9: " : "; ") + reason;
  return {{}, "", all};
}

}  // namespace cellproof::cudnn
