#include "campaign/shard.hpp"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>

namespace cellproof::campaign {

Shard parse_shard(std::string_view text) {
  const auto slash = text.find('/');
  std::int64_t index = 0;
  std::int64_t count = 0;
  const auto number = [](std::string_view digits, std::int64_t& out) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
    return error == std::errc{} && end == digits.data() + digits.size() && !digits.empty();
  };
  const bool readable =
      slash != std::string_view::npos && number(text.substr(0, slash), index) && number(text.substr(slash + 1), count);
  if (!readable || index < 1 || count < index) {
    throw std::invalid_argument(
        fmt::format("--shard {}: expected I/N with 1 <= I <= N, for example 2/4, or bazel, slurm, kubernetes/N", text));
  }
  return {index - 1, count};
}

}  // namespace cellproof::campaign
