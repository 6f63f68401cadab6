// Files in corpus/seeds and corpus/regressions stay as they are: corpus/manifest.txt has the hash of each.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <xxhash.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "corpus/files.hpp"
#include "corpus/testing/files.hpp"

namespace cellproof::corpus {
namespace {

namespace fs = std::filesystem;

/// Lines "XXH64  PATH", by path.
std::string manifest_of(const fs::path& corpus) {
  std::vector<std::string> lines;
  for (const char* part : {"seeds", "regressions"}) {
    for (const auto& entry : fs::recursive_directory_iterator(corpus / part)) {
      if (!entry.is_regular_file()) continue;
      const std::string bytes = read_file(entry.path(), std::uint64_t{1} << 24);
      lines.push_back(fmt::format("{:016x}  {}\n", XXH64(bytes.data(), bytes.size(), 0),
                                  entry.path().lexically_relative(corpus).generic_string()));
    }
  }
  std::ranges::sort(lines, {}, [](const std::string& line) { return line.substr(18); });
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

/// After a change that is meant: CELLPROOF_APPROVE=1 build/test/corpus/corpus_test --gtest_filter='Manifest.*'
TEST(Manifest, NamesEveryFileWithItsHash) {
  const fs::path corpus = fs::path(CELLPROOF_SOURCE_DIR) / "corpus";
  const std::string there = manifest_of(corpus);
  if (std::getenv("CELLPROOF_APPROVE") != nullptr) put_file(corpus / "manifest.txt", there);
  EXPECT_EQ(read_file(corpus / "manifest.txt", std::uint64_t{1} << 24), there);
}

}  // namespace
}  // namespace cellproof::corpus
