#include "campaign/reduction_journal.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace cellproof::campaign {
namespace {

constexpr std::size_t hash_length = 16;
constexpr std::string_view fails_alike = " fails", does_not = " does-not";

/// A line that a kill cut short is none.
std::optional<std::pair<std::string, bool>> answer_in(const std::string& line) {
  const std::string_view said = std::string_view(line).substr(std::min(line.size(), hash_length));
  if (said != fails_alike && said != does_not) return std::nullopt;
  return std::pair(line.substr(0, hash_length), said == fails_alike);
}

}  // namespace

ReductionJournal::ReductionJournal(std::filesystem::path file, const std::string& what) : file_(std::move(file)) {
  std::ifstream in(file_);
  if (std::string first; std::getline(in, first)) {
    // A kill in the first moment leaves a beginning of the first line.
    if (!what.starts_with(first)) {
      throw std::invalid_argument(
          fmt::format("{}: exists, and is not of this reduction: expected another -o, or that this file goes first",
                      file_.string()));
    }
    for (std::string line; std::getline(in, line);) {
      if (auto answer = answer_in(line)) answers_.insert(*std::move(answer));
    }
  }
  in.close();
  taken_over_ = answers_.size();
  // Written anew: what a kill left may end in the middle of a line.
  out_.open(file_, std::ios::trunc);
  out_ << what << '\n';
  for (const auto& [hash, fails] : answers_) out_ << hash << (fails ? fails_alike : does_not) << '\n';
  out_.flush();
  check();
}

void ReductionJournal::check() const {
  if (!out_)
    throw std::system_error(errno, std::generic_category(), fmt::format("{}: cannot be written", file_.string()));
}

std::optional<bool> ReductionJournal::answer_to(std::string_view case_hash) const {
  const auto found = answers_.find(case_hash);
  return found == answers_.end() ? std::nullopt : std::optional(found->second);
}

void ReductionJournal::note(const std::string& case_hash, bool fails) {
  if (!answers_.emplace(case_hash, fails).second) return;
  out_ << case_hash << (fails ? fails_alike : does_not) << '\n' << std::flush;
  check();
}

void ReductionJournal::remove() {
  out_.close();
  std::error_code ignored;
  std::filesystem::remove(file_, ignored);
}

}  // namespace cellproof::campaign
