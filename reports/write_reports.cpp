#include "reports/write_reports.hpp"

#include <algorithm>
#include <future>

#include "reports/formats.hpp"
#include "spec/files/output_file.hpp"

namespace cellproof::reports {

void write_reports(const ReportData& data, const std::filesystem::path& folder,
                   const std::vector<std::string>& formats) {
  std::vector<const Format*> asked;
  for (const std::string& wanted : formats) asked.push_back(&format_named(wanted));
  make_folder(folder);
  std::vector<std::future<std::string>> texts;
  // One after the other where no thread can be had.
  for (const Format* format : asked)
    texts.push_back(
        std::async(std::launch::async | std::launch::deferred, [&data, format] { return format->render(data); }));
  for (std::size_t k = 0; k < asked.size(); ++k) write_file(folder / asked[k]->file, texts[k].get());
}

}  // namespace cellproof::reports
