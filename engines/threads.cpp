#include "engines/threads.hpp"

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace cellproof::engines {
namespace {

constexpr int most_threads = 1024;

}  // namespace

int threads_asked_for() {
  const char* text = std::getenv(threads_variable);
  if (text == nullptr) return 1;
  const std::string_view words = text;
  int threads = 0;
  const auto [end, error] = std::from_chars(words.data(), words.data() + words.size(), threads);
  const bool whole = error == std::errc() && end == words.data() + words.size();
  return whole && threads >= 1 && threads <= most_threads ? threads : 1;
}

}  // namespace cellproof::engines
