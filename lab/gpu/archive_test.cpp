#include "lab/gpu/archive.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>

#include "lab/command.hpp"
#include "lab/gpu/record.hpp"
#include "lab/gpu/suites.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::lab {
namespace {

namespace fs = std::filesystem;

/// One call does some of a suite, the next one goes on elsewhere with nothing but the archive.
TEST(GpuArchive, IsEnoughToGoOnAnywhere) {
  const TemporaryFolder folder;
  const std::vector<std::string> present{"cellproof-cuda@host"};
  {
    RecordOnDisk disk(folder / "first");
    GpuPart part{disk, present};
    EXPECT_EQ(check_these_suites(part, "onnx-backend"), ok);
    disk.record["facts"]["A"] = {{"failed", "not here"}};
    disk.save();
  }
  pack_record(folder / "first", folder / "kept.tgz");
  pack_record(folder / "first", folder / "kept.tgz");  // again, over the old one
  fs::remove_all(folder / "first");
  unpack_record(folder / "kept.tgz", folder / "second");
  EXPECT_FALSE(fs::exists(folder / "second/suites-cellproof-cuda@host/index.html"));
  RecordOnDisk disk(folder / "second");
  EXPECT_EQ(disk.record["facts"]["A"]["failed"], "not here");
  GpuPart part{disk, present, PartClock(0)};  // no time for a case: all of them are done
  EXPECT_EQ(check_these_suites(part, "onnx-backend"), ok);
  EXPECT_EQ(disk.record["suites"]["cellproof-cuda@host"].value("ran", 0U), 18U);
}

TEST(GpuArchive, RefusesWhatIsNoneAndAFolderThatHasARecord) {
  const TemporaryFolder folder;
  std::ofstream(folder / "text") << "no archive";
  EXPECT_THROW(unpack_record(folder / "text", folder / "record"), std::invalid_argument);
  EXPECT_THROW(unpack_record(folder / "nowhere", folder / "record"), std::invalid_argument);
  RecordOnDisk(folder / "record").save();
  pack_record(folder / "record", folder / "kept.tgz");
  EXPECT_THROW(unpack_record(folder / "kept.tgz", folder / "record"), std::invalid_argument);
  EXPECT_THROW(pack_record(folder / "nothing", folder / "kept.tgz"), std::exception);
}

}  // namespace
}  // namespace cellproof::lab
