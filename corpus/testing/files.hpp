#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "corpus/model.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::corpus {

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
