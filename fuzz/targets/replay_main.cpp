// Runs a fuzz target over files, and over the files in folders: the committed seeds, or an input that libFuzzer kept.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "fuzz/targets/target.hpp"

namespace fs = std::filesystem;

int main(int argc, char** argv) try {
  std::vector<fs::path> files;
  for (int k = 1; k < argc; ++k) {
    if (!fs::is_directory(argv[k])) {
      files.emplace_back(argv[k]);
      continue;
    }
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(argv[k])) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    if (!in) {
      std::fprintf(stderr, "%s: cannot be read\n", file.c_str());
      return 2;
    }
    const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
    std::fprintf(stderr, "%s\n", file.c_str());
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  }
  std::printf("%zu inputs\n", files.size());
  return files.empty() ? 77 : 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
