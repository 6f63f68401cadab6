#include "fuzz/targets/target.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace cellproof::fuzz {
namespace {

namespace fs = std::filesystem;

struct Folder {
  fs::path path = fs::temp_directory_path() / ("cellproof-fuzz-" + std::to_string(getpid()));
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

}  // namespace

void found(const std::string& what) {
  std::fprintf(stderr, "found: %s\n", what.c_str());
  std::abort();
}

std::string scratch_folder() {
  static const Folder folder;
  fs::remove_all(folder.path);
  fs::create_directories(folder.path);
  return folder.path.string();
}

}  // namespace cellproof::fuzz
