#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "spec/testing/temporary_folder.hpp"

namespace cellproof::reports {

/// Test support: a test with a folder of its own, removed afterwards.
class StoreFolder : public ::testing::Test {
 protected:
  /// The message of the StoreError that `work` throws; "" when it throws none.
  static std::string refusal(const std::function<void()>& work);
  static std::string contents(const std::filesystem::path& path);
  static void write(const std::filesystem::path& path, const std::string& text);
  /// The names of the files in the folder, sorted.
  std::vector<std::string> files() const;

  const TemporaryFolder temporary;
  const std::filesystem::path folder = temporary.path();
  const std::filesystem::path file = folder / "run.sqlite";
};

/// Runs `work` in a child process and returns its exit status as waitpid gives it; the child exits with what `work`
/// returns.
int status_of_child(const std::function<int()>& work);

}  // namespace cellproof::reports
