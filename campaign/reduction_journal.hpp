#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "spec/files/append_file.hpp"

namespace cellproof::campaign {

/// Which cases fail alike, as far as one reduction has asked: written to a file as it comes, so that the same reduction
/// begun again, after a kill -9, too, asks nothing twice and ends as if it had not been interrupted.
class ReductionJournal {
 public:
  /// Takes over what `file` holds, whose first line is `what` (engine, version, case: what the answers are about).
  /// Throws std::invalid_argument for a file with another first line, which stays as it is, and std::system_error when
  /// the file cannot be written; a link is never followed.
  ReductionJournal(const std::filesystem::path& file, const std::string& what);

  /// Answers that were there already.
  std::size_t taken_over() const { return taken_over_; }
  std::optional<bool> answer_to(std::string_view case_hash) const;
  /// Throws std::system_error when it cannot be written.
  void note(const std::string& case_hash, bool fails);
  /// The reduction is complete.
  void remove();

 private:
  std::map<std::string, bool, std::less<>> answers_;
  std::size_t taken_over_ = 0;
  AppendFile file_;  ///< made once the answers are taken over
};

}  // namespace cellproof::campaign
