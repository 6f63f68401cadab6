#include "optimized/cudnn/cudnn_api.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <string_view>
#include <vector>

namespace cellproof::cudnn {
namespace {

constexpr std::string_view soname = "libcudnn.so.9";

std::vector<std::string> places() {
  if (const char* const file = std::getenv("CELLPROOF_CUDNN_LIBRARY")) return {file};
  std::vector<std::string> list{std::string(soname)};
  const auto add_folder = [&](std::string_view folder) {
    if (!folder.empty()) list.push_back(std::string(folder) + "/" + std::string(soname));
  };
  if (const char* const folders = std::getenv("CELLPROOF_CUDNN_DIRS")) {
    std::string_view rest = folders;
    while (!rest.empty()) {
      const std::string_view folder = rest.substr(0, rest.find(':'));
      rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
      add_folder(folder);
      // A wheel's library finds cuBLAS and nvrtc by itself, relative to its own place.
      if (!folder.empty()) add_folder(std::string(folder).append("/nvidia/cudnn/lib"));
    }
  }
  for (const std::string_view folder : {"/usr/local/cuda/lib64", "/usr/local/cuda/lib"}) add_folder(folder);
  return list;
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

OpenedCudnn none(std::string why) {
  return {{}, "", std::move(why)};
}

}  // namespace

std::string version_text(std::size_t version) {
  return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

OpenedCudnn open_cudnn() {
  std::string first_error;
  for (const std::string& file : places()) {
    void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      const char* const why = dlerror();
      if (first_error.empty()) first_error = why == nullptr ? file : why;
      continue;
    }
    OpenedCudnn opened{{}, file, ""};
    if (const std::string lacks = load(library, opened.api); !lacks.empty())
      return none(std::string("no cuDNN 9: ").append(file).append(" has no ").append(lacks));
    const std::size_t version = opened.api.cudnnGetVersion();
    if (version / 10000 != major_version) return none("no cuDNN 9: " + file + " is version " + version_text(version));
    return opened;
  }
  return none("no cuDNN 9: " + first_error);
}

}  // namespace cellproof::cudnn
