#include "spec/files/pieces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <utility>

namespace cellproof {

void Pieces::add(std::string bytes) {
  const std::uint64_t size = bytes.size();
  if (size > 0) pieces_.push_back({size_, size, std::move(bytes), {}, 0});
  size_ += size;
}

void Pieces::add(std::filesystem::path file, std::uint64_t offset, std::uint64_t size) {
  if (size > 0) pieces_.push_back({size_, size, {}, std::move(file), offset});
  size_ += size;
}

void Pieces::add(const Pieces& others) {
  for (Piece piece : others.pieces_) {
    piece.begin += size_;
    pieces_.push_back(std::move(piece));
  }
  size_ += others.size_;
}

std::string Pieces::read(std::uint64_t position, std::uint64_t most) const {
  const auto ends_after = [&](const Piece& piece) { return position < piece.begin + piece.size; };
  const auto piece = std::ranges::find_if(pieces_, ends_after);
  if (piece == pieces_.end()) throw std::out_of_range("Pieces::read: behind the last one");
  const std::uint64_t inside = position - piece->begin, size = std::min(most, piece->size - inside);
  if (piece->file.empty()) return piece->bytes.substr(inside, size);
  std::string bytes(size, '\0');
  std::ifstream stream(piece->file, std::ios::binary);
  stream.seekg(static_cast<std::streamoff>(piece->offset + inside));
  if (!stream.read(bytes.data(), static_cast<std::streamsize>(size)))
    throw std::runtime_error(fmt::format("{}: cannot be read a second time", piece->file.string()));
  return bytes;
}

std::string Pieces::text() const {
  std::string all;
  all.reserve(size_);
  while (all.size() < size_) all += read(all.size(), size_);
  return all;
}

}  // namespace cellproof
