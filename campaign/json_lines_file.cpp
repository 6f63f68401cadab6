#include "campaign/json_lines_file.hpp"

#include <fmt/format.h>

namespace cellproof::campaign {

JsonLinesFile::JsonLinesFile(const std::string& argument) : to_stdout_(argument == "-") {
  if (!argument.empty() && !to_stdout_) file_.emplace(argument);
}

void JsonLinesFile::add(const std::string& line) {
  if (file_) {
    file_->add(line);
    file_->add("\n");
  }
  if (to_stdout_) fmt::print("{}\n", line);
}

void JsonLinesFile::close() {
  if (file_) file_->commit();
  file_.reset();
}

}  // namespace cellproof::campaign
