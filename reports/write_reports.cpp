#include "reports/write_reports.hpp"

#include <algorithm>
#include <future>

#include "reports/formats.hpp"
#include "spec/files/output_file.hpp"
#include "spec/files/pending_file.hpp"

namespace cellproof::reports {
namespace {

void write_report(const ReportData& data, const Format& format, const std::filesystem::path& file) {
  PendingFile pending(file);
  if (format.write != nullptr)
    format.write(data, [&](std::string_view part) { pending.add(part); });
  else
    pending.add(format.render(data));
  pending.commit();
}

}  // namespace

void write_reports(const ReportData& data, const std::filesystem::path& folder,
                   const std::vector<std::string>& formats) {
  std::vector<const Format*> asked;
  for (const std::string& wanted : formats) asked.push_back(&format_named(wanted));
  make_folder(folder);
  std::vector<std::future<void>> written;
  // One after the other where no thread can be had.
  for (const Format* format : asked)
    written.push_back(std::async(std::launch::async | std::launch::deferred,
                                 [&, format] { write_report(data, *format, folder / format->file); }));
  for (std::future<void>& each : written) each.get();
}

}  // namespace cellproof::reports
