#include "spec/literal_text.hpp"

#include <fmt/format.h>

#include <fstream>
#include <limits>
#include <new>
#include <stdexcept>

#include "spec/content_hash.hpp"
#include "spec/files/pending_file.hpp"
#include "spec/text_value.hpp"

namespace cellproof::text {
namespace {

namespace fs = std::filesystem;

/// Integers up to this number read better as numbers.
constexpr std::size_t most_listed_integers = 32;
constexpr std::size_t largest_file = std::size_t{1} << 30;

/// Complete under its final name or not there at all, also when two processes write the same tensor.
void write_file(const fs::path& path, std::span<const std::byte> bytes) {
  try {
    PendingFile file(path);
    file.add({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    file.commit();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&) {
    throw std::runtime_error(
        fmt::format("case text: cannot write the {} bytes of a literal tensor to '{}'", bytes.size(), path.string()));
  }
}

std::vector<std::byte> read_file(const fs::path& path, std::size_t size, std::string_view hash) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) throw Expected{fmt::format("a file at '{}'", path.string())};
  const auto found = fs::file_size(path, error);
  if (error || found != size) throw Expected{fmt::format("{} bytes in the file, it has {}", size, found)};
  std::vector<std::byte> bytes(size);
  std::ifstream file(path, std::ios::binary);
  if (!file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size))) {
    throw Expected{fmt::format("a readable file at '{}'", path.string())};
  }
  if (content_hash(bytes) != hash) throw Expected{"a file with this hash, it has " + content_hash(bytes)};
  return bytes;
}

template <typename Integer>
double read_bounded(std::string_view text) {
  constexpr auto lowest = std::numeric_limits<Integer>::min();
  return static_cast<double>(read_integer(text, lowest, std::numeric_limits<Integer>::max()));
}

double read_element(std::string_view text, ElementType type) {
  switch (type) {
    case ElementType::Double:
      return read_double(text);
    case ElementType::Int8:
      return read_bounded<std::int8_t>(text);
    case ElementType::UInt8:
      return read_bounded<std::uint8_t>(text);
    case ElementType::Int32:
      return read_bounded<std::int32_t>(text);
    case ElementType::Int64:  // Tensor stores by way of a double
      return static_cast<double>(read_integer(text, -(std::int64_t{1} << 53), std::int64_t{1} << 53));
    default:
      return read_float(text);
  }
}

bool fits_a_list(const Tensor& tensor) {
  if (is_floating_point(tensor.type()) || tensor.size() > most_listed_integers) return false;
  for (std::size_t i = 0; i < tensor.size(); ++i) {
    if (tensor.integer(i) > (std::int64_t{1} << 53) || tensor.integer(i) < -(std::int64_t{1} << 53)) return false;
  }
  return true;
}

std::string write_list_of_integers(const Tensor& tensor) {
  std::vector<std::int64_t> integers(tensor.size());
  for (std::size_t i = 0; i < integers.size(); ++i) integers[i] = tensor.integer(i);
  return write_list(integers, '/', [](std::int64_t value) { return write(value); });
}

std::size_t checked_count(const Shape& shape) {
  try {
    return element_count(shape);
  } catch (const std::length_error&) {
    throw Expected{"a shape of at most 2^40 elements"};
  }
}

Tensor read_values(std::string_view text, ElementType type, const Shape& shape) {
  const auto values = read_list(text, '/', [type](std::string_view part) { return read_element(part, type); });
  if (values.size() != checked_count(shape)) {
    throw Expected{
        fmt::format("{} values for shape {}, there are {}", checked_count(shape), to_string(shape), values.size())};
  }
  return Tensor::from_values(type, shape, values);
}

Tensor read_bytes(std::string_view form, std::string_view text, ElementType type, const Shape& shape) {
  const std::size_t size = checked_count(shape) * size_of(type);
  if (form == "hex") {
    std::vector<std::byte> bytes = read_hex(text);
    if (bytes.size() != size) {
      throw Expected{
          fmt::format("{} bytes for {}{}, there are {}", size, onnx_name(type), to_string(shape), bytes.size())};
    }
    return Tensor(type, shape, std::move(bytes));
  }
  const auto mark = text.rfind('#');
  if (mark == std::string_view::npos) throw Expected{"PATH#HASH after file:"};
  if (size > largest_file) throw Expected{"a tensor of at most 1 GiB"};
  return Tensor(type, shape, read_file(unescape(text.substr(0, mark)), size, text.substr(mark + 1)));
}

}  // namespace

std::string write_literal(const Tensor& tensor, ElementType type, const Shape& shape,
                          const std::optional<fs::path>& directory) {
  std::string prefix;
  if (tensor.type() != type || tensor.shape() != shape) {
    prefix = fmt::format("{}:{}:", onnx_name(tensor.type()), write(tensor.shape()));
  }
  if (fits_a_list(tensor)) return "values:" + prefix + write_list_of_integers(tensor);
  if (tensor.bytes().size() <= largest_literal) return "hex:" + prefix + write_hex(tensor.bytes());
  const std::string hash = content_hash(tensor.bytes());
  const fs::path path = directory.value_or(fs::path()) / (hash + ".bin");
  if (directory) write_file(path, tensor.bytes());
  return "file:" + prefix + escape_path(path.string()) + "#" + hash;
}

bool is_literal(std::string_view field) {
  return field.starts_with("values:") || field.starts_with("hex:") || field.starts_with("file:");
}

Tensor read_literal(std::string_view field, ElementType type, const Shape& shape) {
  const auto parts = split(field, ':');
  if (parts.size() != 2 && parts.size() != 4) {
    throw Expected{fmt::format("{0}:VALUE or {0}:TYPE:SHAPE:VALUE", parts.front())};
  }
  Shape own_shape = shape;
  if (parts.size() == 4) {
    const auto named = element_type_named(parts[1]);
    if (!named) throw Expected{"an element type such as float or int32 after " + std::string(parts[0]) + ":"};
    type = *named;
    own_shape = read_shape(parts[2]);
  }
  if (parts[0] == "values") return read_values(parts.back(), type, own_shape);
  return read_bytes(parts[0], parts.back(), type, own_shape);
}

}  // namespace cellproof::text
