#include "lab/fuzz_targets/target.hpp"

#include <cstdio>
#include <cstdlib>

#include "spec/testing/temporary_folder.hpp"

namespace cellproof::fuzz {

namespace fs = std::filesystem;

void found(const std::string& what) {
  std::fprintf(stderr, "found: %s\n", what.c_str());
  std::abort();
}

fs::path process_folder() {
  static const TemporaryFolder folder;
  return folder.path();
}

std::string scratch_folder() {
  const fs::path folder = process_folder() / "scratch";
  fs::remove_all(folder);
  fs::create_directories(folder);
  return folder.string();
}

}  // namespace cellproof::fuzz
