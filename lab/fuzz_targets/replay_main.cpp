// Runs a fuzz target over files, and over the files in folders: the committed seeds, or an input that libFuzzer kept.
//
//   cellproof-fuzz-TARGET [--random N] [--seed S] FILE|FOLDER...
//
// --random: then N inputs more, each one of these files with some bytes changed: a search without libFuzzer's eyes for
// coverage, on machines that have no clang. Each input is in a file, whose name is said at the beginning, until the
// next one: so a crash leaves the input that caused it.

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

#include "lab/fuzz_targets/target.hpp"

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

/// The input that is tried now, in a file that goes with the process's folder.
class LastInput {
 public:
  LastInput()
      : path_(cellproof::fuzz::process_folder() / "last-input"),
        file_(open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {
    if (file_ < 0) throw std::runtime_error(path_.string() + ": cannot be written");
    std::fprintf(stderr, "if an input crashes, it is %s\n", path_.c_str());
  }
  ~LastInput() { close(file_); }
  LastInput(const LastInput&) = delete;
  LastInput& operator=(const LastInput&) = delete;

  /// Overwrites the file; opened and cut for each input, it would be brought to the disk each time.
  void keep(const Bytes& bytes) const {
    if (pwrite(file_, bytes.data(), bytes.size(), 0) < 0 || ftruncate(file_, std::ssize(bytes)) != 0)
      throw std::runtime_error(path_.string() + ": the last input cannot be kept there");
  }

 private:
  fs::path path_;
  int file_;
};

/// An exception that escapes is a find like any other: libFuzzer would end at it, too.
void try_one(const Bytes& bytes) {
  try {
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  } catch (const std::exception& error) {
    cellproof::fuzz::found(std::string("an exception that nobody catches: ") + error.what());
  }
}

void try_changed(const std::vector<Bytes>& inputs, std::size_t number, std::size_t seed) {
  const LastInput last;
  std::mt19937_64 dice(seed);
  for (std::size_t k = 0; k < number; ++k) {
    const Bytes bytes = changed(inputs[dice() % inputs.size()], inputs, dice);
    last.keep(bytes);
    try_one(bytes);
  }
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
        try_one(inputs.back());
      }
    }
  }
  if (inputs.empty()) {
    std::fputs("no input: name files or folders of them\n", stderr);
    return 77;
  }
  if (random != 0) try_changed(inputs, random, seed);
  std::printf("%zu inputs\n", inputs.size() + random);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
