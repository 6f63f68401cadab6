#include "spec/testing/approval.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace cellproof {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

/// The first line in which they differ, from shortly before the difference on.
std::string first_difference(const std::string& approved, const std::string& received) {
  std::size_t at = 0;
  while (at < approved.size() && at < received.size() && approved[at] == received[at]) ++at;
  const std::size_t line = 1 + static_cast<std::size_t>(std::count(
                                   received.begin(), received.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  const std::size_t from = at < 60 ? 0 : at - 60;
  return fmt::format("line {}:\n  approved ...{}\n  received ...{}", line,
                     approved.substr(std::min(from, approved.size()), 140),
                     received.substr(std::min(from, received.size()), 140));
}

}  // namespace

std::string difference_from_approved(const std::string& path, const std::string& text) {
  const fs::path approved = fs::path(CELLPROOF_SOURCE_DIR) / path;
  const char* approve = std::getenv("CELLPROOF_APPROVE");
  if (approve && std::string_view(approve) == "1") {
    write(approved, text);
    return "";
  }
  if (!fs::exists(approved)) return fmt::format("{} does not exist; CELLPROOF_APPROVE=1 writes it", approved.string());
  const std::string expected = contents(approved);
  if (expected == text) return "";
  const fs::path received = fs::path(CELLPROOF_BINARY_DIR) / "received" / path;
  write(received, text);
  return fmt::format("{}\nreceived text is in {}; look at it, then run again with CELLPROOF_APPROVE=1",
                     first_difference(expected, text), received.string());
}

}  // namespace cellproof
