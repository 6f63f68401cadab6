#include "reports/formats.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string>

#include "reports/testing/sample_findings.hpp"
#include "reports/write_reports.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::reports {
namespace {

TEST(Formats, EachHasANameAndAFileOfItsOwnAndRenders) {
  const ReportData data = sample_report();
  std::set<std::string_view> names, files;
  for (const Format& format : formats()) {
    names.insert(format.name);
    files.insert(format.file);
    EXPECT_EQ(format_named(format.name).file, format.file);
    EXPECT_NE(format.render(data), "") << format.name;
  }
  EXPECT_EQ(names.size(), formats().size());
  EXPECT_EQ(files.size(), formats().size());
}

TEST(Formats, AreWrittenAsTheyAreRendered) {
  const TemporaryFolder folder;
  const ReportData data = sample_report();
  write_reports(data, folder.path(), names_of_formats());
  for (const Format& format : formats()) {
    std::ifstream file(folder / format.file);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(text, format.render(data)) << format.name;
  }
}

TEST(Formats, AnUnknownOneIsToldWhatThereIs) {
  try {
    format_named("pdf");
    FAIL();
  } catch (const std::invalid_argument& error) {
    for (const Format& format : formats()) EXPECT_THAT(error.what(), testing::HasSubstr(std::string(format.name)));
    EXPECT_THAT(error.what(), testing::HasSubstr("format pdf: "));
  }
}

}  // namespace
}  // namespace cellproof::reports
