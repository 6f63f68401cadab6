#include "cli/gpu/part.hpp"

#include "cli/gpu/record.hpp"
#include "cli/output_file.hpp"

namespace cellproof::cli {

RecordOnDisk::RecordOnDisk(const std::filesystem::path& folder) : folder_(folder) {
  make_folder(folder_);
  record = read_gpu_record(folder_ / "gpu-check.json");
}

void RecordOnDisk::save() const {
  write_file(folder_ / "gpu-check.json", record.dump(1) + "\n");
  write_file(folder_ / "gpu-check.md", render_gpu_record(record));
}

}  // namespace cellproof::cli
