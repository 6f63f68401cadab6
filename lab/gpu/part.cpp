#include "lab/gpu/part.hpp"

#include <fmt/format.h>

#include <exception>

#include "campaign/engine_campaign.hpp"
#include "lab/command.hpp"
#include "lab/gpu/record.hpp"
#include "spec/files/output_file.hpp"

namespace cellproof::lab {

RecordOnDisk::RecordOnDisk(const std::filesystem::path& folder) : folder_(folder) {
  make_folder(folder_);
  record = read_gpu_record(folder_ / "gpu-check.json");
}

void RecordOnDisk::save() const {
  write_file(folder_ / "gpu-check.json", record.dump(1) + "\n");
  write_file(folder_ / "gpu-check.md", render_gpu_record(record));
  if (after_save) after_save();
}

int run_parts(const std::vector<PartInfo>& parts, RecordOnDisk& disk, const std::vector<std::string>& present,
              std::optional<double> all_seconds) {
  std::vector<int> codes;
  std::size_t waiting = parts.size();
  const PartClock clock(all_seconds.value_or(0));
  for (const PartInfo& part : parts) {
    try {
      // Time that an early part does not use is there for those behind it.
      const double seconds = all_seconds ? clock.left() / static_cast<double>(waiting) : seconds_of_a_part;
      --waiting;
      GpuPart work{disk, present, PartClock(seconds)};
      codes.push_back(part.check(work));
    } catch (const std::exception& error) {
      fmt::print("{}: failed: {}\n", part.name, error.what());
      codes.push_back(harness_error);
    }
    if (campaign::stop_is_requested()) {
      fmt::print("gpu-check: stopped in {}: the same command goes on\n", part.name);
      codes.push_back(unexpected);
      break;
    }
  }
  disk.save();
  return code_of_parts(codes);
}

}  // namespace cellproof::lab
