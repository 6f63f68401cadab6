#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cellproof::reports {

/// Writes one JSON value front to back, with no tree of it in memory: a run writes every finding twice. The values read
/// back with reports/json_values.hpp.
class JsonWriter {
 public:
  JsonWriter& begin_object();
  JsonWriter& end_object();
  JsonWriter& begin_array();
  JsonWriter& end_array();
  JsonWriter& key(std::string_view name);

  /// A JSON string; what is not UTF-8 becomes {"text": the readable part, "hex": all bytes}, so that no byte is lost.
  JsonWriter& text(std::string_view value);
  /// In shortest round-trip form; "nan", "inf", "-inf" as strings; nothing as null.
  JsonWriter& number(const std::optional<double>& value);
  JsonWriter& integer(std::int64_t value);
  JsonWriter& boolean(bool value);
  JsonWriter& null();

  JsonWriter& texts(const std::vector<std::string>& values);
  /// [["key", "value"], ...]: the order is kept, and keys may repeat.
  JsonWriter& pairs(const std::vector<std::pair<std::string, std::string>>& values);

  /// Returns the finished value.
  const std::string& result() const { return json_; }

 private:
  void separate();
  void quote(std::string_view utf8);

  std::string json_;
  bool follows_ = false;  ///< does the next value follow another of its object or array?
};

}  // namespace cellproof::reports
