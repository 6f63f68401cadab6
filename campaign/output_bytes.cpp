#include "campaign/output_bytes.hpp"

#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <utility>

namespace cellproof::campaign {
namespace {

/// Ranks beyond it come of damage.
constexpr std::int64_t most_dimensions = 64;

void write(std::string& bytes, std::int64_t number) {
  char raw[sizeof number];
  std::memcpy(raw, &number, sizeof number);
  bytes.append(raw, sizeof number);
}

/// Takes numbers and bytes from the front.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}

  std::string_view take(std::size_t count) {
    if (count > left_.size()) throw std::invalid_argument("outputs: too few bytes");
    const std::string_view taken = left_.substr(0, count);
    left_.remove_prefix(count);
    return taken;
  }

  std::int64_t number() {
    std::int64_t number = 0;
    std::memcpy(&number, take(sizeof number).data(), sizeof number);
    return number;
  }

  /// A count of things, each of which takes a byte at least.
  std::size_t count() {
    const std::int64_t count = number();
    if (count < 0 || static_cast<std::size_t>(count) > left_.size())
      throw std::invalid_argument("outputs: a count that the bytes do not have");
    return static_cast<std::size_t>(count);
  }

  bool is_at_end() const { return left_.empty(); }

 private:
  std::string_view left_;
};

std::optional<Tensor> read_tensor(Reader& reader) {
  const std::string_view type_text = reader.take(reader.count());
  if (type_text.empty()) return std::nullopt;
  const auto type = element_type_named(type_text);
  const std::int64_t rank = reader.number();
  if (!type || rank < 0 || rank > most_dimensions) throw std::invalid_argument("outputs: no tensor");
  Shape shape;
  for (std::int64_t k = 0; k < rank; ++k) shape.push_back(reader.number());
  const std::string_view raw = reader.take(reader.count());
  const auto* first = reinterpret_cast<const std::byte*>(raw.data());
  return Tensor(*type, std::move(shape), std::vector<std::byte>(first, first + raw.size()));
}

}  // namespace

std::string to_bytes(const std::vector<const Outputs*>& runs) {
  std::string bytes;
  for (const Outputs* outputs : runs) {
    write(bytes, std::ssize(*outputs));
    for (const auto& output : *outputs) {
      const std::string_view type = output ? onnx_name(output->type()) : "";
      write(bytes, std::ssize(type));
      bytes += type;
      if (!output) continue;
      write(bytes, static_cast<std::int64_t>(output->rank()));
      for (const std::int64_t dimension : output->shape()) write(bytes, dimension);
      write(bytes, std::ssize(output->bytes()));
      bytes.append(reinterpret_cast<const char*>(output->bytes().data()), output->bytes().size());
    }
  }
  return bytes;
}

std::vector<Outputs> outputs_of_bytes(std::string_view bytes) {
  std::vector<Outputs> runs;
  for (Reader reader(bytes); !reader.is_at_end();) {
    Outputs& outputs = runs.emplace_back();
    for (std::size_t left = reader.count(); left > 0; --left) outputs.push_back(read_tensor(reader));
  }
  return runs;
}

}  // namespace cellproof::campaign
