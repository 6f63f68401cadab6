#include "lab/bench/gpu/roofline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cellproof::lab::bench::gpu {
namespace {

double microseconds_a_step(double (*model)(const Row&), const char* row) {
  return model(row_named(row)) * 1e6 / 512;
}

/// The figures of the roofline as it was made by hand, for LSTM over 512 steps.
TEST(GpuRoofline, GivesWhatItGaveByHand) {
  EXPECT_NEAR(microseconds_a_step(least_seconds_of_cudnn, "lstm-f32-T512-N1-H256"), 5, 0.5);
  EXPECT_NEAR(microseconds_a_step(least_seconds_of_cudnn, "lstm-f32-T512-N1-H1024"), 7.6, 0.5);
  EXPECT_NEAR(microseconds_a_step(least_seconds_of_cudnn, "lstm-f32-T512-N1-H2048"), 27, 1.5);
  EXPECT_NEAR(microseconds_a_step(least_seconds_of_cudnn, "lstm-f16-T512-N1-H2048"), 10, 1.5);
  EXPECT_NEAR(microseconds_a_step(design_seconds, "lstm-f32-T512-N1-H256"), 1.9, 0.3);
  EXPECT_NEAR(microseconds_a_step(design_seconds, "lstm-f32-T512-N16-H1024"), 13, 2);
}

TEST(GpuRoofline, HasABarForEveryRowThatIsNeitherNothingNorAnything) {
  for (const Row& row : full_grid()) {
    const double bar = bar_of_design(row);
    EXPECT_GT(bar, 0.15) << row.name();
    EXPECT_LT(bar, 4) << row.name();
    // Twice as fast where our kernels are made for it.
    if (row.N <= 4 && row.H <= 512 && row.T == 512 && row.cell != Cell::GruBefore) {
      EXPECT_LT(bar, 0.5) << row.name();
    }
  }
}

TEST(GpuRoofline, SeesThatTwoPhasesTakeLongerThanOne) {
  EXPECT_GT(bar_of_design(row_named("gru-before-f32-T512-N64-H128")),
            bar_of_design(row_named("gru-after-f32-T512-N64-H128")));
  EXPECT_GT(bar_of_design(row_named("gru-before-f16-T512-N64-H2048")),
            bar_of_design(row_named("gru-before-bf16-T512-N64-H2048")));
}

}  // namespace
}  // namespace cellproof::lab::bench::gpu
