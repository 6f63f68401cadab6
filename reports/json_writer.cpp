#include "reports/json_writer.hpp"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cmath>
#include <cstdlib>
#include <new>

#include "reports/plain_text.hpp"

namespace cellproof::reports {
namespace {

std::string to_hex(std::string_view bytes) {
  constexpr std::string_view hex_digits = "0123456789abcdef";
  std::string hex;
  hex.reserve(2 * bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    hex += hex_digits[byte >> 4];
    hex += hex_digits[byte & 15];
  }
  return hex;
}

}  // namespace

struct JsonWriter::Impl {
  /// RapidJSON's own allocator goes on with a null pointer where there is no memory.
  struct Allocator {
    static constexpr bool kNeedFree = true;
    static void* Malloc(std::size_t size) { return Realloc(nullptr, 0, size); }
    static void* Realloc(void* old, std::size_t /*old_size*/, std::size_t size) {
      if (size == 0) {
        Free(old);
        return nullptr;
      }
      void* const memory = std::realloc(old, size);
      return memory == nullptr ? throw std::bad_alloc() : memory;
    }
    static void Free(void* memory) { std::free(memory); }
  };

  using Buffer = rapidjson::GenericStringBuffer<rapidjson::UTF8<>, Allocator>;
  Buffer buffer;
  rapidjson::Writer<Buffer, rapidjson::UTF8<>, rapidjson::UTF8<>, Allocator> writer{buffer};

  void string(std::string_view value) { writer.String(value.data(), static_cast<rapidjson::SizeType>(value.size())); }
};

JsonWriter::JsonWriter() : impl_(std::make_unique<Impl>()) {}
JsonWriter::~JsonWriter() = default;

JsonWriter& JsonWriter::begin_object() {
  impl_->writer.StartObject();
  return *this;
}

JsonWriter& JsonWriter::end_object() {
  impl_->writer.EndObject();
  return *this;
}

JsonWriter& JsonWriter::begin_array() {
  impl_->writer.StartArray();
  return *this;
}

JsonWriter& JsonWriter::end_array() {
  impl_->writer.EndArray();
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  impl_->writer.Key(name.data(), static_cast<rapidjson::SizeType>(name.size()));
  return *this;
}

JsonWriter& JsonWriter::text(std::string_view value) {
  if (is_utf8(value)) {
    impl_->string(value);
    return *this;
  }
  begin_object().key("text");
  impl_->string(repaired_utf8(value));
  key("hex");
  impl_->string(to_hex(value));
  return end_object();
}

JsonWriter& JsonWriter::number(const std::optional<double>& value) {
  if (!value) return null();
  if (std::isnan(*value)) return text("nan");
  if (std::isinf(*value)) return text(*value > 0 ? "inf" : "-inf");
  impl_->writer.Double(*value);
  return *this;
}

JsonWriter& JsonWriter::integer(std::int64_t value) {
  impl_->writer.Int64(value);
  return *this;
}

JsonWriter& JsonWriter::boolean(bool value) {
  impl_->writer.Bool(value);
  return *this;
}

JsonWriter& JsonWriter::null() {
  impl_->writer.Null();
  return *this;
}

JsonWriter& JsonWriter::texts(const std::vector<std::string>& values) {
  begin_array();
  for (const std::string& value : values) text(value);
  return end_array();
}

JsonWriter& JsonWriter::pairs(const std::vector<std::pair<std::string, std::string>>& values) {
  begin_array();
  for (const auto& [first, second] : values) begin_array().text(first).text(second).end_array();
  return end_array();
}

std::string JsonWriter::take() const {
  return {impl_->buffer.GetString(), impl_->buffer.GetSize()};
}

}  // namespace cellproof::reports
