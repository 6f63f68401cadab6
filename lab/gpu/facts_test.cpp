#include "lab/gpu/facts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "lab/command.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::lab {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// The part over a script in place of the probe: $1 is the letter, $2 the first question.
class FactsPart : public ::testing::Test {
 protected:
  FactsPart() {
    fs::create_directories(folder_ / "bin");
    setenv("CELLPROOF_WORKERS", (folder_ / "bin").c_str(), 1);
  }
  ~FactsPart() override { unsetenv("CELLPROOF_WORKERS"); }

  void use_probe(const std::string& script) {
    const fs::path file = folder_ / "bin/cellproof-cudnn-probe";
    std::ofstream(file) << "#!/bin/sh\necho \"$1 $2\" >>" << (folder_ / "asked").string() << "\n" << script << "\n";
    fs::permissions(file, fs::perms::owner_all);
  }
  int check(double seconds = seconds_of_a_part) {
    RecordOnDisk disk(folder_ / "record");
    const std::vector<std::string> present{"cellproof-cudnn@tf32"};
    GpuPart part{disk, present, PartClock(seconds)};
    const int code = check_facts(part);
    record_ = RecordOnDisk(folder_ / "record").record["facts"];
    return code;
  }
  std::string asked() const {
    std::string all;
    std::ifstream file(folder_ / "asked");
    for (std::string line; std::getline(file, line);) all += line + ";";
    return all;
  }

  TemporaryFolder folder_;
  nlohmann::json record_;
};

constexpr const char* answers =
    R"(echo "{\"probe\": \"$1\", \"question\": \"q\", \"on\": \"d\", \"next\": 2, \"of\": 2, )"
    R"(\"rows\": [{\"asked\": \"a\", \"answer\": \"b\"}]}")";

TEST_F(FactsPart, AsksEveryLetterOnceFromTheFirstQuestionOn) {
  use_probe(answers);
  EXPECT_EQ(check(), ok);
  EXPECT_EQ(asked(), "O 0;J 0;K 0;D 0;N 0;L 0;F 0;P 0;B 0;A 0;E 0;G 0;I 0;C 0;H 0;");
  EXPECT_EQ(record_.size(), 15U);
  EXPECT_EQ(record_["J"]["rows"][0]["answer"], "b");
  EXPECT_EQ(check(), ok);
  EXPECT_EQ(asked().size(), 4U * 15) << "what is answered is asked again";
}

TEST_F(FactsPart, ALetterThatFailsKeepsNoneFromBeingAsked) {
  use_probe(std::string(R"([ "$1" != K ] || { echo broken; exit 3; })") + "\n" + answers);
  EXPECT_EQ(check(), unexpected);
  EXPECT_THAT(record_["K"]["failed"].get<std::string>(), HasSubstr("exit code 3: broken"));
  EXPECT_EQ(record_["H"]["rows"].size(), 1U);
}

TEST_F(FactsPart, GoesOnBehindAQuestionThatEndsTheProcess) {
  const std::string begun =
      R"(echo "{\"probe\": \"$1\", \"question\": \"q\", \"on\": \"d\", \"next\": 0, \"of\": 2, \"rows\": []}")";
  use_probe(R"([ "$2" != 0 ] || { )" + begun + "; exit 139; }\n" + answers);
  EXPECT_EQ(check(), ok);
  EXPECT_THAT(asked(), HasSubstr("J 0;J 1;K 0;K 1;"));
  EXPECT_THAT(record_["J"]["rows"][0]["answer"].get<std::string>(), HasSubstr("exit code 139"));
  EXPECT_EQ(record_["J"]["rows"][1]["answer"], "b");
}

TEST_F(FactsPart, AQuestionThatItsPartHasNoTimeForStaysOpen) {
  const std::string begun =
      R"(echo "{\"probe\": \"$1\", \"question\": \"q\", \"on\": \"d\", \"next\": 1, \"of\": 2, \"rows\": [{}]}")";
  use_probe(begun + "; exec sleep 60");
  EXPECT_EQ(check(1.5), unexpected);
  EXPECT_EQ(asked(), "O 0;");
  EXPECT_EQ(record_["O"]["next"], 1);
  EXPECT_EQ(record_["O"]["rows"].size(), 1U);
  use_probe(answers);
  EXPECT_EQ(check(), ok);
  EXPECT_THAT(asked(), HasSubstr("O 0;O 1;J 0;"));
}

TEST_F(FactsPart, WithoutCudnnNothingIsAsked) {
  RecordOnDisk disk(folder_ / "record");
  const std::vector<std::string> present{"cellproof-cuda"};
  GpuPart part{disk, present};
  EXPECT_EQ(check_facts(part), nothing_ran);
}

}  // namespace
}  // namespace cellproof::lab
