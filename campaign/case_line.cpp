#include "campaign/case_line.hpp"

#include <fmt/format.h>

#include <sstream>
#include <stdexcept>
#include <utility>

#include "spec/case_text.hpp"
#include "spec/files/regular_file.hpp"

namespace cellproof::campaign {

namespace {

constexpr double most_bytes = 0x1p30;
constexpr std::uint64_t largest_case_file = 1 << 28;

[[noreturn]] void refuse(const Case& c, const std::string& what) {
  throw CaseTextError(fmt::format("case text: T={} N={} I={} H={}: expected sizes whose tensors have at most 1 GiB: {}",
                                  c.T, c.N, c.I, c.H, what));
}

}  // namespace

Case case_of_line(const std::string& line) {
  Case c = parse_case(line);
  const double directions = c.attributes.direction == "bidirectional" ? 2 : 1;
  const double bytes = directions * static_cast<double>(c.T) * static_cast<double>(c.N) * static_cast<double>(c.H) *
                       static_cast<double>(size_of(c.type));
  if (bytes > most_bytes) refuse(c, "Y would exceed it");
  try {
    make_problem(c);
  } catch (const std::length_error& error) {
    refuse(c, error.what());
  }
  return c;
}

std::vector<std::string> lines_of_case_file(const std::filesystem::path& file) {
  std::istringstream in(read_regular_file(file, largest_case_file));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(std::move(line));
  return lines;
}

}  // namespace cellproof::campaign
