#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace cellproof {

/// Bytes one behind the other, some in memory, some still in files: what is too large to be held at once.
class Pieces {
 public:
  void add(std::string bytes);
  /// The file must keep these bytes until they are read.
  void add(std::filesystem::path file, std::uint64_t offset, std::uint64_t size);
  void add(const Pieces& others);

  std::uint64_t size() const { return size_; }
  /// Reads at most `most` bytes from a position inside; never none. Throws std::runtime_error where a file has them
  /// not.
  std::string read(std::uint64_t position, std::uint64_t most) const;
  /// All of it at once.
  std::string text() const;

 private:
  struct Piece {
    std::uint64_t begin, size;   ///< in the whole
    std::string bytes;           ///< those of memory
    std::filesystem::path file;  ///< "": in memory
    std::uint64_t offset;        ///< in the file
  };
  std::vector<Piece> pieces_;
  std::uint64_t size_ = 0;
};

}  // namespace cellproof
