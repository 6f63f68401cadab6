// Runs a fuzz target over files, and over the files in folders: the committed seeds, or an input that libFuzzer kept.
//
//   cellproof-fuzz-TARGET [--random N] [--seed S] FILE|FOLDER...
//
// --random: then N inputs more, each one of these files with some bytes changed: a search without libFuzzer's eyes for
// coverage, on machines that have no clang. The last input is kept in the temporary folder as
// cellproof-fuzz-TARGET.last.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "fuzz/targets/target.hpp"

namespace fs = std::filesystem;

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error(file.string() + ": cannot be read");
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<fs::path> files_in(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

/// One to eight changes: a byte set, inserted, removed, or a piece of another input put in its place.
Bytes changed(Bytes bytes, const std::vector<Bytes>& others, std::mt19937_64& dice) {
  const auto below = [&](std::size_t n) { return n == 0 ? 0 : dice() % n; };
  for (std::size_t changes = 1 + below(8); changes > 0; --changes) {
    const auto at = static_cast<std::ptrdiff_t>(below(bytes.size() + 1));
    const auto any = static_cast<std::uint8_t>(dice());
    const Bytes& other = others[below(others.size())];
    switch (below(4)) {
      case 0:
        bytes.insert(bytes.begin() + at, any);
        break;
      case 1:
        if (at < std::ssize(bytes)) bytes.erase(bytes.begin() + at);
        break;
      case 2:
        if (at < std::ssize(bytes)) bytes[static_cast<std::size_t>(at)] = any;
        break;
      default:
        for (std::size_t k = below(other.size()), n = below(16); n > 0 && k < other.size(); ++k, --n) {
          const std::size_t place = static_cast<std::size_t>(at) + k % 16;
          if (place < bytes.size()) bytes[place] = other[k];
        }
    }
  }
  return bytes;
}

/// Overwrites the file; opened and cut for each input, it would be brought to the disk each time.
void keep(int file, const Bytes& bytes) {
  if (pwrite(file, bytes.data(), bytes.size(), 0) < 0 || ftruncate(file, std::ssize(bytes)) != 0)
    throw std::runtime_error("the last input cannot be kept in the temporary folder");
}

}  // namespace

int main(int argc, char** argv) try {
  std::size_t random = 0, seed = 1;
  std::vector<Bytes> inputs;
  for (int k = 1; k < argc; ++k) {
    if (k + 1 < argc && std::strcmp(argv[k], "--random") == 0) {
      random = std::stoull(argv[++k]);
    } else if (k + 1 < argc && std::strcmp(argv[k], "--seed") == 0) {
      seed = std::stoull(argv[++k]);
    } else {
      for (const fs::path& file : files_in(argv[k])) {
        std::fprintf(stderr, "%s\n", file.c_str());
        inputs.push_back(content_of(file));
        LLVMFuzzerTestOneInput(inputs.back().data(), inputs.back().size());
      }
    }
  }
  if (inputs.empty()) {
    std::fputs("no input: name files or folders of them\n", stderr);
    return 77;
  }
  const fs::path file = fs::temp_directory_path() / (fs::path(argv[0]).filename().string() + ".last");
  const int last = random == 0 ? -1 : open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (random != 0 && last < 0) throw std::runtime_error(file.string() + ": cannot be written");
  std::mt19937_64 dice(seed);
  for (std::size_t k = 0; k < random; ++k) {
    const Bytes bytes = changed(inputs[dice() % inputs.size()], inputs, dice);
    keep(last, bytes);
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  }
  std::printf("%zu inputs\n", inputs.size() + random);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
