#include "oracle/ball/refused_memory.hpp"

#include <flint/flint.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <limits>

#include "oracle/ball/ball.hpp"

namespace cellproof::oracle {
namespace {

constexpr int of_a_refusal = 7;

/// Uses balls, then asks for more memory than there is.
void compute_and_ask_for_too_much() {
  on_refused_memory([] { std::_Exit(of_a_refusal); });
  const WorkingPrecision precision(100'000);
  if (surely_less(exp(Ball(1)), Ball(3))) std::fputs("computed, then refused", stderr);
  flint_malloc(std::numeric_limits<std::size_t>::max() / 4);
}

TEST(RefusedMemory, EndsTheProgramAndMemoryThatIsGivenDoesNot) {
  // AddressSanitizer refuses by ending the program itself, unless a program is started with this.
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  ::setenv("ASAN_OPTIONS", "allocator_may_return_null=1", 1);
  EXPECT_EXIT(compute_and_ask_for_too_much(), ::testing::ExitedWithCode(of_a_refusal), "computed, then refused");
}

}  // namespace
}  // namespace cellproof::oracle
