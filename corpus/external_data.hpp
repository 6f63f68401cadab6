#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cellproof::corpus {

/// Place of a tensor's bytes outside its protobuf (onnx.proto, TensorProto.external_data).
struct ExternalLocation {
  std::string location;                 ///< relative path
  std::uint64_t offset = 0;             ///< bytes
  std::optional<std::uint64_t> length;  ///< bytes; absent: up to the end of the file
};

/// Finds exactly `size` bytes, and returns the file that has them. The file must be a regular one inside `directory`
/// after every symlink is resolved; absolute paths and ".." are refused whatever they point to. Throws CorpusError.
std::filesystem::path find_external_data(const ExternalLocation& external, std::size_t size, const std::string& where,
                                         const std::string& directory);
/// Reads them. Nothing is allocated before location and length are checked. Throws CorpusError.
std::vector<std::byte> read_external_data(const ExternalLocation& external, std::size_t size, const std::string& where,
                                          const std::string& directory);

}  // namespace cellproof::corpus
