#include "lab/fuzz_targets/case_bytes.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "fuzz/small_case.hpp"
#include "spec/axes.hpp"

namespace cellproof::fuzz {
namespace {

constexpr std::uint8_t literal_values = 0x80;
constexpr std::size_t most_steps = 31;

/// Bytes from the front, zeros behind the end.
class Bytes {
 public:
  explicit Bytes(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  std::uint8_t next() { return at_ < bytes_.size() ? bytes_[at_++] : std::uint8_t{0}; }
  std::span<const std::uint8_t> rest() const { return bytes_.subspan(std::min(at_, bytes_.size())); }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

/// Thousands of cases a second: no size that costs much, but those around a vector's width that make loops end badly.
bool is_small(std::string_view axis_name, std::string_view value) {
  if (axis_name == "T" || axis_name == "N") return value != "10-15" && value != "16" && value != "17" && value != "18-";
  if (axis_name == "I" || axis_name == "H") return value != "18-";
  return true;
}

/// Asked some ten times for each case, of the same few axes and versions.
const std::vector<std::string>& small_values(const Axis& axis, OperatorVersion version) {
  thread_local std::map<std::pair<const Axis*, OperatorVersion>, std::vector<std::string>> known;
  const auto [entry, is_new] = known.try_emplace({&axis, version});
  if (is_new) {
    entry->second = axis.values(version);
    std::erase_if(entry->second, [&](const std::string& value) { return !is_small(axis.name, value); });
  }
  return entry->second;
}

void fill_with(Case& c, std::span<const std::uint8_t> bytes) {
  const ElementType type = default_type(c, input::X);
  const Tensor X(type, default_shape(c, input::X));
  if (bytes.empty() || X.bytes().empty()) return;
  std::vector<std::byte> values(X.bytes().size());
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<std::byte>(bytes[k % bytes.size()]);
  c.inputs[input::X].values = Tensor(type, X.shape(), std::move(values));
}

}  // namespace

Case case_of_bytes(std::span<const std::uint8_t> data) {
  Bytes bytes(data);
  const auto versions = all_operator_versions();
  Case c = plain_case(versions[bytes.next() % versions.size()], ElementType::Float, 2, 2, 3, 2);
  const std::uint8_t head = bytes.next();
  for (std::size_t step = 0; step < head % (most_steps + 1); ++step) {
    const Axis& axis = axes_of_meaning()[bytes.next() % axes_of_meaning().size()];
    const std::vector<std::string>& values = small_values(axis, c.version);
    const std::uint8_t which = bytes.next();
    if (!values.empty()) c = axis.apply(c, values[which % values.size()]);
  }
  c = with_little_work(std::move(c), most_gate_work);
  c.seed = bytes.next();
  c.seed += 256 * std::uint64_t{bytes.next()};
  if ((head & literal_values) != 0) fill_with(c, bytes.rest());
  return c;
}

std::vector<std::uint8_t> bytes_of(const Case& c) {
  const auto versions = all_operator_versions();
  const auto version = std::ranges::find(versions, c.version) - versions.begin();
  std::vector<std::uint8_t> bytes{static_cast<std::uint8_t>(version), 0};
  for (const auto& [name, value] : axis_values(c)) {
    const Axis& row = axis(name);
    const auto number = static_cast<std::size_t>(&row - axes().data());
    const std::vector<std::string>& values = small_values(row, c.version);
    const auto found = std::ranges::find(values, value);
    if (number >= axes_of_meaning().size() || found == values.end() || bytes[1] == most_steps) continue;
    ++bytes[1];
    bytes.push_back(static_cast<std::uint8_t>(number));
    bytes.push_back(static_cast<std::uint8_t>(found - values.begin()));
  }
  bytes.push_back(static_cast<std::uint8_t>(c.seed));
  bytes.push_back(static_cast<std::uint8_t>(c.seed >> 8));
  return bytes;
}

}  // namespace cellproof::fuzz
