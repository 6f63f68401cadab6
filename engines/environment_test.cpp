#include "engines/environment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace cellproof::engines {
namespace {

using ::testing::ElementsAre;

const char* const harness_settings[] = {"PATH=/bin",  "GH_TOKEN=secret", "LC_ALL=C.UTF-8",      "CELLPROOF_ROOT=/root",
                                        "LANGUAGES=", "no name",         "CELLPROOF_THREADS=8", nullptr};

std::vector<std::string> strings_for(const WorkerEnvironment& environment) {
  return strings_of(environment, harness_settings);
}

TEST(WorkerEnvironment, IsTheHarnessesUnlessSomethingElseIsAskedFor) {
  EXPECT_THAT(strings_for({}), ElementsAre("PATH=/bin", "GH_TOKEN=secret", "LC_ALL=C.UTF-8", "CELLPROOF_ROOT=/root",
                                           "LANGUAGES=", "no name", "CELLPROOF_THREADS=8", "PYTHONUNBUFFERED=1"));
}

TEST(WorkerEnvironment, CleanIsTheMinimumAndWhatIsPassed) {
  EXPECT_THAT(strings_for({.clean = true}), ElementsAre("PATH=/bin", "LC_ALL=C.UTF-8", "CELLPROOF_ROOT=/root",
                                                        "CELLPROOF_THREADS=8", "PYTHONUNBUFFERED=1"));
  EXPECT_THAT(strings_for({.clean = true, .passed = {"GH_TOKEN", "NOT_SET"}}),
              ElementsAre("PATH=/bin", "GH_TOKEN=secret", "LC_ALL=C.UTF-8", "CELLPROOF_ROOT=/root",
                          "CELLPROOF_THREADS=8", "PYTHONUNBUFFERED=1"));
}

TEST(WorkerEnvironment, SaysHowManyThreads) {
  EXPECT_THAT(
      strings_for({.clean = true, .threads = 3}),
      ElementsAre("PATH=/bin", "LC_ALL=C.UTF-8", "CELLPROOF_ROOT=/root", "PYTHONUNBUFFERED=1", "CELLPROOF_THREADS=3"));
}

TEST(WorkerEnvironment, FillsAndKeepsTheOtherTunables) {
  const WorkerEnvironment filled{.fill = 0x5a};
  const char* const nothing[] = {nullptr};
  EXPECT_THAT(strings_of(filled, nothing),
              ElementsAre("GLIBC_TUNABLES=glibc.malloc.perturb=165:glibc.malloc.tcache_count=0", "PYTHONUNBUFFERED=1"));
  const char* const others[] = {"MALLOC_PERTURB_=7", "A=b",
                                "GLIBC_TUNABLES=glibc.malloc.perturb=1::glibc.malloc.arena_max=2:"
                                "glibc.malloc.tcache_count=7:glibc.malloc.check=0",
                                nullptr};
  EXPECT_THAT(strings_of(filled, others),
              ElementsAre("A=b",
                          "GLIBC_TUNABLES=glibc.malloc.arena_max=2:glibc.malloc.check=0:glibc.malloc.perturb=165:"
                          "glibc.malloc.tcache_count=0",
                          "PYTHONUNBUFFERED=1"));
}

TEST(WorkerEnvironment, RefusesWhatCannotBe) {
  EXPECT_THROW(strings_for({.fill = 0xff}), std::invalid_argument);
  EXPECT_THROW(strings_for({.clean = true, .passed = {"A=b"}}), std::invalid_argument);
  EXPECT_THROW(strings_for({.clean = true, .passed = {""}}), std::invalid_argument);
}

}  // namespace
}  // namespace cellproof::engines
