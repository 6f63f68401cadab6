#include "reports/formats.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "reports/testing/sample_findings.hpp"

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
