#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "oracle/quantized/testing/cases.hpp"
#include "oracle/quantized/testing/kernel.hpp"
#include "oracle/testing/bounds_text.hpp"
#include "spec/case_text.hpp"
#include "spec/content_hash.hpp"
#include "spec/testing/approval.hpp"

namespace cellproof::oracle {
namespace {

TEST(QuantizedBoundsAtRest, AreThoseThatWereApproved) {
  const ContractId contracts[] = {ContractId::F32Strict, ContractId::F32, ContractId::F32FastActivationsFtz};
  std::string text;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    for (const bool with_Y : {true, false}) {
      Case c = testing::drawn_case(seed);
      if (!with_Y) c.outputs[output::Y] = Presence::Empty;
      const Problem problem = make_problem(c);
      text += to_text(c) + "\n" + testing::bounds_text(problem, testing::run_kernel(problem), contracts);
    }
  }
  EXPECT_EQ(difference_from_approved("oracle/approved/quantized_bounds.txt", text), "");
}

TEST(QuantizedBoundsAtRest, AreThoseThatWereApprovedBitByBit) {
  const ContractId contracts[] = {ContractId::F32Strict, ContractId::F32, ContractId::F32FastActivationsFtz};
  std::string text;
  for (std::uint64_t seed = 101; seed <= 140; ++seed) {
    Case c = testing::drawn_case(seed);
    if (seed % 4 == 0) c.regime = Regime::Special;
    const std::string with_Y = testing::digest_of_bounds(make_problem(c), contracts);
    c.outputs[output::Y] = Presence::Empty;
    const Problem problem = make_problem(c);
    const std::string without_Y = testing::bounds_text(problem, testing::run_kernel(problem), contracts);
    text += fmt::format("{}: {} {}\n", seed, with_Y, content_hash(without_Y));
  }
  EXPECT_EQ(difference_from_approved("oracle/approved/bounds_by_bit_DynamicQuantizeLSTM.txt", text), "");
}

}  // namespace
}  // namespace cellproof::oracle
