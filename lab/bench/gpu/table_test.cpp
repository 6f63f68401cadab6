#include "lab/bench/gpu/table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/bench/gpu/floor.hpp"
#include "lab/bench/gpu/roofline.hpp"
#include "spec/testing/approval.hpp"

namespace cellproof::lab::bench::gpu {
namespace {

constexpr Rates rates{.bytes = 1e12, .operations = 5e13, .operations_of_16 = 5e14};

TEST(GpuFloor, CountsWhatNobodyCanLeaveOut) {
  // LSTM, T = 2, N = 1, H = I = 128: two products of X, one of H, four gates each.
  const Row row{.T = 2, .N = 1, .H = 128};
  const Work work = work_of(row);
  EXPECT_EQ(work.operations, 2.0 * 4 * 128 * 128 * 3);
  EXPECT_EQ(work.bytes, 4.0 * (2 * 128 + 4 * 128 * 256 + 8 * 128 + 2 * 128 + 2 * 128));
  EXPECT_EQ(floor_of(row, rates), work.bytes / 1e12);
  EXPECT_EQ(bound_of(row, rates), "bytes");
}

TEST(GpuFloor, TakesTheRateOfTheType) {
  const Row wide{.T = 512, .N = 256, .H = 2048};
  Row narrow = wide;
  narrow.element = Element::Float16;
  EXPECT_EQ(bound_of(wide, rates), "operations");
  EXPECT_DOUBLE_EQ(floor_of(wide, rates), 10 * floor_of(narrow, rates));
}

TEST(GpuFloor, LeavesPaddingOut) {
  const Row full{.T = 32, .N = 64, .H = 256};
  Row ragged = full;
  ragged.ragged = true;
  EXPECT_LT(work_of(ragged).operations, 0.6 * work_of(full).operations);
}

nlohmann::json figures(double cudnn, double layer, double kernels) {
  return {{"device", "a made-up device"},
          {"rates", {{"bytes", 1e12}, {"operations", 5e13}, {"operations_of_16", 5e14}}},
          {"subjects",
           {{"cudnn", {{"version", "9"}, {"seconds", {cudnn, cudnn * 3, cudnn}}}},
            {"cellproof-cudnn", {{"version", "9"}, {"seconds", {layer, layer * 3, layer}}}},
            {"cellproof-cuda", {{"version", "0"}, {"seconds", {kernels, kernels * 3, kernels}}}},
            {"torch", {{"missing", "no module torch"}}}}}};
}

TEST(GpuTable, JudgesTheBarsOnTheirOwnRows) {
  nlohmann::json rows;
  rows["lstm-f32-T32-N1-H128"] = figures(1e-4, 1.02e-4, 4e-5);
  rows["lstm-f32-T1-N1-H128"] = figures(1e-5, 9e-5, 9e-6);  // no row of the first bar: one step
  rows["rnn-f16-T512-N64-H2048"] = figures(1e-3, 1e-3, 9e-3);
  auto before = figures(1e-3, 1e-3, 9e-3);
  before["subjects"]["cudnn-nearest"] = before["subjects"]["cudnn"];
  before["subjects"].erase("cudnn");
  rows["gru-before-f32-T32-N64-H512"] = before;
  const std::vector<Bar> bars = bars_of(rows);
  ASSERT_EQ(bars.size(), 3U);
  EXPECT_EQ(bars[0].rows, 2);
  ASSERT_EQ(bars[0].missed.size(), 1U);
  EXPECT_EQ(bars[0].missed[0].row, "lstm-f32-T32-N1-H128");
  EXPECT_EQ(bars[0].worst.row, "lstm-f32-T32-N1-H128");
  EXPECT_EQ(bars[1].rows, 2);
  ASSERT_EQ(bars[1].missed.size(), 1U);
  EXPECT_NEAR(bars[1].missed[0].ratio, 0.9, 1e-12);
  EXPECT_NEAR(bars[1].worst.ratio, 0.9, 1e-12);
  EXPECT_EQ(bars[2].rows, 1);
  EXPECT_EQ(bars[2].missed.size(), 1U);
  EXPECT_THAT(render_table(nlohmann::json::object()), ::testing::HasSubstr("not measured"));
}

TEST(GpuTable, WhatCudnnDiffersFromItselfByIsNoMiss) {
  nlohmann::json rows;
  rows["lstm-f32-T32-N1-H128"] = figures(1e-4, 1.02e-4, 4e-5);
  auto& again = rows["lstm-f32-T32-N1-H128"]["subjects"]["cudnn-again"];
  again = {{"version", "9"}, {"seconds", {1.015e-4, 3.045e-4, 1.015e-4}}};
  EXPECT_TRUE(bars_of(rows)[0].is_met());
  again["seconds"] = {1e-4, 3e-4, 1e-4};
  EXPECT_FALSE(bars_of(rows)[0].is_met());
}

TEST(GpuTable, ARoundOfFourThatIsSlowIsNoMiss) {
  nlohmann::json rows;
  rows["lstm-f32-T32-N1-H128"] = figures(1e-4, 1e-4, 4e-5);
  auto& layer = rows["lstm-f32-T32-N1-H128"]["subjects"]["cellproof-cudnn"];
  layer["seconds"] = {1e-4, 3.6e-4, 1e-4};
  EXPECT_TRUE(bars_of(rows)[0].is_met());
  layer["seconds"] = {1.2e-4, 3.6e-4, 1.2e-4};
  EXPECT_FALSE(bars_of(rows)[0].is_met());
}

TEST(GpuTable, GivesEachRowTheBarThatTheRooflineLeaves) {
  for (const std::string name : {"lstm-f16-T512-N1-H512", "rnn-f32-T512-N1-H1024"}) {
    const double bar = bar_of_design(row_named(name));
    nlohmann::json rows;
    rows[name] = figures(1e-4, 1e-4, 0.99e-4 * bar);
    EXPECT_TRUE(bars_of(rows)[1].is_met()) << name;
    rows[name] = figures(1e-4, 1e-4, 1.01e-4 * bar);
    EXPECT_FALSE(bars_of(rows)[1].is_met()) << name;
  }
}

TEST(GpuTable, ABarIsMetOnlyWhereItWasMeasuredAndNoRowMissesIt) {
  nlohmann::json rows;
  rows["lstm-f32-T32-N1-H128"] = figures(1e-4, 1e-4, 4e-5);
  const std::vector<Bar> bars = bars_of(rows);
  EXPECT_TRUE(bars[0].is_met());
  EXPECT_TRUE(bars[1].is_met());
  EXPECT_FALSE(bars[2].is_met());  // there is no row that it is about
  rows["lstm-f32-T32-N1-H256"] = figures(1e-4, 1e-4, 6e-5);
  EXPECT_FALSE(bars_of(rows)[1].is_met());
}

TEST(GpuTable, IsWellOnlyWhereSomebodyRanAndNobodyFailed) {
  nlohmann::json row = figures(1, 1, 1);
  EXPECT_TRUE(is_well(row));
  row["subjects"]["cellproof-cuda"] = {{"failed", "outputs differ"}};
  EXPECT_FALSE(is_well(row));
  EXPECT_FALSE(is_well({{"failed", "exit code 1"}}));
  EXPECT_FALSE(is_well({{"rates", {}}, {"subjects", {{"torch", {{"missing", "not here"}}}}}}));
}

TEST(GpuTable, IsRenderedAsApproved) {
  nlohmann::json rows;
  rows["lstm-f32-T32-N1-H128"] = figures(1e-4, 1e-4, 4e-5);
  rows["lstm-f32-T32-N1-H256"] = figures(1e-4, 1e-4, 6e-5);
  rows["gru-after-bf16-T512-N16-H256-ragged"] = figures(1.5e-3, 1.5e-3, 2e-3);
  rows["gru-after-bf16-T512-N16-H256-ragged"]["subjects"]["cellproof-cuda"] = {{"failed", "outputs differ by 3"}};
  rows["lstm-f32-T32-N1-H256"]["subjects"]["cudnn"]["device_seconds"] = 4.9e-5;
  rows["lstm-f32-T32-N1-H256"]["subjects"]["cellproof-cuda"]["device_seconds"] = 3.1e-5;
  rows["rnn-f16-T1-N64-H512"] = {{"failed", "exit code 1: no device"}};
  EXPECT_EQ(difference_from_approved("lab/bench/gpu/approved/table.md", render_table(rows)), "");
}

}  // namespace
}  // namespace cellproof::lab::bench::gpu
