#include "campaign/check_tally.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "campaign/exit_code.hpp"
#include "corpus/backend_test.hpp"

namespace cellproof::campaign {
namespace {

namespace fs = std::filesystem;

fs::path outputs_for(const fs::path& directory, const fs::path& root, const std::string& outputs) {
  if (outputs.empty()) return {};
  const fs::path relative = fs::relative(directory, root);
  return relative == "." ? fs::path(outputs) : fs::path(outputs) / relative;
}

}  // namespace

std::vector<std::pair<fs::path, fs::path>> directories_to_check(const std::vector<std::string>& paths,
                                                                const std::string& outputs) {
  std::vector<std::pair<fs::path, fs::path>> directories;
  for (const std::string& path : paths) {
    const auto found = corpus::find_backend_tests(path);
    if (found.empty()) {
      throw std::invalid_argument(
          fmt::format("{}: holds no backend-test directory (a folder with a model.onnx)", path));
    }
    for (const fs::path& directory : found) directories.emplace_back(directory, outputs_for(directory, path, outputs));
  }
  return directories;
}

void CheckTally::add(const Finding& finding) {
  ++total_;
  unreadable_ += finding.judgement.verdict == Verdict::Unreadable;
  undecided_ += finding.judgement.verdict == Verdict::Undecided;
  failing_ += !finding.pass && finding.judgement.verdict != Verdict::Unreadable;
}

std::string CheckTally::text() const {
  return fmt::format("{} judged, {} failing, {} undecided, {} unreadable", total_ - unreadable_, failing_, undecided_,
                     unreadable_);
}

int CheckTally::exit_code(bool strict) const {
  if (unreadable_ > 0) return bad_input;
  if (failing_ > 0 || (strict && undecided_ > 0)) return unexpected;
  return total_ == 0 ? nothing_ran : ok;
}

}  // namespace cellproof::campaign
