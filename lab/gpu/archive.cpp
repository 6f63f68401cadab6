#include "lab/gpu/archive.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "lab/gpu/case_lines.hpp"
#include "lab/gpu/process.hpp"
#include "spec/files/output_file.hpp"

namespace cellproof::lab {
namespace {

namespace fs = std::filesystem;

constexpr int seconds_of_tar = 60;
constexpr const char* record_name = "gpu-check.json";

/// The record, and what a run is resumed from: its store with what SQLite keeps beside it. No pages: they are made
/// anew.
std::vector<std::string> kept_files(const fs::path& folder) {
  std::vector<std::string> files{record_name};
  for (const fs::directory_entry& one : fs::directory_iterator(folder)) {
    if (!one.is_directory()) continue;
    for (const fs::directory_entry& file : fs::directory_iterator(one.path()))
      if (file.path().filename().string().starts_with("run.sqlite"))
        files.push_back((one.path().filename() / file.path().filename()).string());
  }
  return files;
}

}  // namespace

void pack_record(const fs::path& folder, const fs::path& archive) {
  const fs::path fresh = archive.string() + ".new";
  std::vector<std::string> words{"tar", "-C", folder.string(), "-czf", fs::absolute(fresh).string(), "--"};
  for (std::string& file : kept_files(folder)) words.push_back(std::move(file));
  const ProcessEnd end = run_bounded(words, "", seconds_of_tar);
  if (end.exit_code != 0)
    throw std::runtime_error(fmt::format("{}: cannot be packed: {}", archive.string(), first_words(end.output)));
  fs::rename(fresh, archive);  // a call that is cut off leaves the one before
}

void unpack_record(const fs::path& archive, const fs::path& folder) {
  if (fs::exists(folder / record_name))
    throw std::invalid_argument(
        fmt::format("--unpack: {} has a record already, expected a folder without one", folder.string()));
  make_folder(folder);
  const ProcessEnd end =
      run_bounded({"tar", "-C", folder.string(), "-xzf", fs::absolute(archive).string()}, "", seconds_of_tar);
  if (end.exit_code != 0 || !fs::exists(folder / record_name))
    throw std::invalid_argument(fmt::format("--unpack: {} is no archive of --pack{}{}", archive.string(),
                                            end.output.empty() ? "" : ": ", first_words(end.output)));
}

}  // namespace cellproof::lab
