#include "campaign/reduction_journal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "spec/files/regular_file.hpp"

namespace cellproof::campaign {
namespace {

constexpr std::uint64_t longest_journal = 1 << 30;
constexpr std::size_t hash_length = 16;
constexpr std::string_view fails_alike = " fails", does_not = " does-not";

/// A line that a kill cut short is none.
std::optional<std::pair<std::string, bool>> answer_in(const std::string& line) {
  const std::string_view said = std::string_view(line).substr(std::min(line.size(), hash_length));
  if (said != fails_alike && said != does_not) return std::nullopt;
  return std::pair(line.substr(0, hash_length), said == fails_alike);
}

std::string line_of(std::string_view case_hash, bool fails) {
  return fmt::format("{}{}\n", case_hash, fails ? fails_alike : does_not);
}

/// Returns what the file holds; nothing where there is none.
std::map<std::string, bool, std::less<>> answers_in(const std::filesystem::path& file, const std::string& what) {
  std::map<std::string, bool, std::less<>> answers;
  if (!std::filesystem::exists(file)) return answers;
  std::istringstream in(read_regular_file(file, longest_journal));
  std::string line;
  // A kill in the first moment leaves a beginning of the first line.
  if (std::getline(in, line) && !what.starts_with(line)) {
    throw std::invalid_argument(fmt::format(
        "{}: exists, and is not of this reduction: expected another -o, or that this file goes first", file.string()));
  }
  while (std::getline(in, line)) {
    if (auto answer = answer_in(line)) answers.insert(*std::move(answer));
  }
  return answers;
}

}  // namespace

ReductionJournal::ReductionJournal(const std::filesystem::path& file, const std::string& what)
    : answers_(answers_in(file, what)), taken_over_(answers_.size()), file_(file) {
  // Written anew: what a kill left may end in the middle of a line.
  std::string all = what + '\n';
  for (const auto& [hash, fails] : answers_) all += line_of(hash, fails);
  file_.add(all);
}

std::optional<bool> ReductionJournal::answer_to(std::string_view case_hash) const {
  const auto found = answers_.find(case_hash);
  return found == answers_.end() ? std::nullopt : std::optional(found->second);
}

void ReductionJournal::note(const std::string& case_hash, bool fails) {
  if (answers_.emplace(case_hash, fails).second) file_.add(line_of(case_hash, fails));
}

void ReductionJournal::remove() {
  file_.remove();
}

}  // namespace cellproof::campaign
