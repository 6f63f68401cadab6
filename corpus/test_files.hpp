#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "corpus/model.hpp"

namespace cellproof::corpus {

/// For tests: a new empty directory that goes away with the object.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "cellproof-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a temporary directory");
    path_ = name;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// For tests: writes a file, or replaces it; makes the directories that it needs.
inline void put_file(const std::filesystem::path& file, std::string_view bytes) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  stream << bytes;
  if (!stream) throw std::runtime_error("cannot write " + file.string());
}

/// For tests: the message of the CorpusError that `action` throws; a failed expectation and "" when it throws none.
template <typename Action>
std::string corpus_error_of(Action action) {
  try {
    action();
  } catch (const CorpusError& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << "not one line: " << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no CorpusError";
  return "";
}

}  // namespace cellproof::corpus
