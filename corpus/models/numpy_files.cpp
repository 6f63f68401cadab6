#include "corpus/models/numpy_files.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <charconv>
#include <optional>
#include <stdexcept>
#include <utility>

#include "corpus/message.hpp"

namespace cellproof::corpus {
namespace {

constexpr std::string_view npy_magic = "\x93NUMPY";
constexpr std::size_t npy_lead = 8;  // magic and version
constexpr std::string_view end_of_directory = "PK\x05\x06", entry_of_directory = "PK\x01\x02",
                           local_entry = "PK\x03\x04";
constexpr std::size_t end_size = 22, entry_size = 46, local_size = 30;
constexpr std::size_t largest_array = std::size_t{1} << 30;
constexpr unsigned stored = 0, deflated = 8;

constexpr std::array<std::pair<std::string_view, ElementType>, 9> descriptions{{{"<f2", ElementType::Float16},
                                                                                {"<f4", ElementType::Float},
                                                                                {"<f8", ElementType::Double},
                                                                                {"|i1", ElementType::Int8},
                                                                                {"|u1", ElementType::UInt8},
                                                                                {"<i4", ElementType::Int32},
                                                                                {"<i8", ElementType::Int64},
                                                                                {"i1", ElementType::Int8},
                                                                                {"u1", ElementType::UInt8}}};

std::size_t little_endian(std::string_view bytes, std::size_t at, std::size_t count) {
  std::size_t value = 0;
  for (std::size_t k = 0; k < count; ++k) value |= std::size_t{static_cast<unsigned char>(bytes[at + k])} << (8 * k);
  return value;
}

/// The text behind `'KEY':` in a header, without spaces in front.
std::optional<std::string_view> value_behind(std::string_view header, std::string_view key) {
  const auto found = header.find(fmt::format("'{}':", key));
  if (found == std::string_view::npos) return std::nullopt;
  const auto begin = header.find_first_not_of(' ', found + key.size() + 3);
  return begin == std::string_view::npos ? std::nullopt : std::optional(header.substr(begin));
}

/// Bytes of the data; nullopt where no tensor can have so many.
std::optional<std::size_t> bytes_of(const Shape& shape, ElementType type) {
  try {
    return element_count(shape) * size_of(type);
  } catch (const std::length_error&) {
    return std::nullopt;
  }
}

std::optional<Shape> shape_in(std::string_view text) {
  const auto end = text.find(')');
  if (text.empty() || text[0] != '(' || end == std::string_view::npos) return std::nullopt;
  Shape shape;
  for (const char *at = text.data() + 1, *last = text.data() + end; at < last;) {
    std::int64_t size = 0;
    const auto [next, error] = std::from_chars(at, last, size);
    if (error != std::errc{} || size < 0) return std::nullopt;
    shape.push_back(size);
    for (at = next; at < last && (*at == ',' || *at == ' ');) ++at;
  }
  return shape;
}

std::string inflated(std::string_view bytes, std::size_t size, const std::string& where) {
  if (size > largest_array) refuse(where, fmt::format("{} bytes", size), "at most 1 GiB");
  std::string result(size, '\0');
  z_stream stream{};
  constexpr int raw = -MAX_WBITS;  // a zip's members have no header of zlib's
  if (inflateInit2(&stream, raw) != Z_OK) refuse(where, "zlib cannot start", "memory for it");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(size);
  const int end = inflate(&stream, Z_FINISH);
  const bool whole = end == Z_STREAM_END && stream.total_out == size;
  inflateEnd(&stream);
  if (!whole) refuse(where, "damaged compressed data", fmt::format("{} bytes", size));
  return result;
}

/// A member of a zip file.
struct Member {
  std::string name;
  unsigned method = stored;
  std::size_t packed = 0, size = 0, local = 0;
};

class Archive {
 public:
  Archive(std::string_view bytes, const std::string& where) : bytes_(bytes), where_(where) {}

  std::vector<Member> members() const {
    const auto end = bytes_.rfind(end_of_directory);
    if (end == std::string_view::npos || bytes_.size() - end < end_size)
      refuse(where_, "no directory of a zip file", "a file that numpy.savez wrote");
    const std::size_t count = little_endian(bytes_, end + 10, 2);
    std::size_t at = little_endian(bytes_, end + 16, 4);
    std::vector<Member> result;
    for (std::size_t k = 0; k < count; ++k) {
      need(at, entry_size, entry_of_directory);
      const std::size_t name = little_endian(bytes_, at + 28, 2), extra = little_endian(bytes_, at + 30, 2),
                        comment = little_endian(bytes_, at + 32, 2);
      need(at, entry_size + name, entry_of_directory);
      result.push_back({std::string(bytes_.substr(at + entry_size, name)),
                        static_cast<unsigned>(little_endian(bytes_, at + 10, 2)), little_endian(bytes_, at + 20, 4),
                        little_endian(bytes_, at + 24, 4), little_endian(bytes_, at + 42, 4)});
      at += entry_size + name + extra + comment;
    }
    return result;
  }

  std::string content(const Member& member) const {
    need(member.local, local_size, local_entry);
    const std::size_t begin = member.local + local_size + little_endian(bytes_, member.local + 26, 2) +
                              little_endian(bytes_, member.local + 28, 2);
    if (begin > bytes_.size() || member.packed > bytes_.size() - begin) broken();
    const std::string_view packed = bytes_.substr(begin, member.packed);
    if (member.method == stored) return std::string(packed);
    if (member.method == deflated) return inflated(packed, member.size, where_ + ": " + escaped(member.name));
    refuse(where_, fmt::format("compression method {}", member.method), "none, or deflate");
  }

 private:
  [[noreturn]] void broken() const { refuse(where_, "a damaged zip file", "one that numpy.savez wrote"); }

  void need(std::size_t at, std::size_t size, std::string_view signature) const {
    if (at > bytes_.size() || size > bytes_.size() - at || bytes_.substr(at, signature.size()) != signature) broken();
  }

  std::string_view bytes_;
  const std::string& where_;
};

}  // namespace

Tensor from_npy(std::string_view bytes, const std::string& where) {
  constexpr std::string_view wanted = "a file that numpy.save wrote";
  if (bytes.size() < npy_lead + 4 || !bytes.starts_with(npy_magic)) refuse(where, "no .npy header", wanted);
  const std::size_t length_bytes = bytes[npy_magic.size()] == 1 ? 2 : 4;
  const std::size_t length = little_endian(bytes, npy_lead, length_bytes), begin = npy_lead + length_bytes + length;
  if (begin > bytes.size()) refuse(where, "a damaged .npy header", wanted);
  const std::string_view header = bytes.substr(npy_lead + length_bytes, length);
  const auto description = value_behind(header, "descr"), order = value_behind(header, "fortran_order");
  const auto shape_text = value_behind(header, "shape");
  const auto shape = shape_text ? shape_in(*shape_text) : std::nullopt;
  if (!description || !order || !shape) refuse(where, "a damaged .npy header", wanted);
  std::optional<ElementType> type;
  for (const auto& [text, candidate] : descriptions)
    if (description->starts_with(fmt::format("'{}'", text))) type = candidate;
  if (!type)
    refuse(where, fmt::format("type {}", escaped(description->substr(0, description->find(',')))),
           "float16, float32, float64, int8, uint8, int32 or int64");
  if (order->starts_with("True") && shape->size() > 1)
    refuse(where, "an array in Fortran order", "one that numpy.ascontiguousarray has put into C order");
  const std::string_view data = bytes.substr(begin);
  if (bytes_of(*shape, *type) != data.size())
    refuse(where, fmt::format("{} bytes of data", data.size()),
           fmt::format("as many as shape {} takes", to_string(*shape)));
  const auto* first = reinterpret_cast<const std::byte*>(data.data());
  return {*type, *shape, {first, first + data.size()}};
}

std::map<std::string, Tensor> from_npz(std::string_view bytes, const std::string& where) {
  std::map<std::string, Tensor> arrays;
  const Archive archive(bytes, where);
  for (const Member& member : archive.members()) {
    constexpr std::string_view ending = ".npy";
    std::string name = member.name;
    if (name.ends_with(ending)) name.resize(name.size() - ending.size());
    arrays.emplace(name, from_npy(archive.content(member), fmt::format("{}: {}", where, in_quotes(name))));
  }
  return arrays;
}

}  // namespace cellproof::corpus
