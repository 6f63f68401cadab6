#include "spec/files/pieces.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "spec/testing/temporary_folder.hpp"

namespace cellproof {
namespace {

class PiecesOfAFile : public ::testing::Test {
 protected:
  PiecesOfAFile() { std::ofstream(file, std::ios::binary) << "0123456789"; }

  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "digits";
};

TEST_F(PiecesOfAFile, AreReadAsOneWhole) {
  Pieces inner;
  inner.add(file, 2, 5);
  inner.add("cd");
  Pieces pieces;
  pieces.add("ab");
  pieces.add("");
  pieces.add(inner);
  EXPECT_EQ(pieces.size(), 9U);
  EXPECT_EQ(pieces.text(), "ab23456cd");
  EXPECT_EQ(pieces.read(1, 100), "b");
  EXPECT_EQ(pieces.read(3, 2), "34");
  EXPECT_THROW(pieces.read(9, 1), std::out_of_range);
}

TEST_F(PiecesOfAFile, SayThatAFileHasBecomeShorter) {
  Pieces pieces;
  pieces.add(file, 0, 10);
  std::filesystem::resize_file(file, 4);
  EXPECT_THROW(pieces.text(), std::runtime_error);
}

}  // namespace
}  // namespace cellproof
