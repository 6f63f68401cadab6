#include "oracle/step/special_sums.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "oracle/testing/numbers.hpp"

namespace cellproof::oracle {
namespace {

using testing::f32;
using testing::infinity;
using Set = Enclosure<double>;
const double nan = std::nan("");

/// One row of a matrix of three, times a vector; what the other rows hold would show.
struct Addend {
  std::vector<double> weights, vector, radius;
  double bias = 0;

  SpecialAddends<double>::Products products(std::vector<double>& columns) const {
    columns.assign(3 * weights.size(), 1e30);
    for (std::size_t k = 0; k < weights.size(); ++k) columns[3 * k] = weights[k];
    return {columns.data(), vector.data(), radius.empty() ? nullptr : radius.data(), static_cast<int>(vector.size()),
            bias};
  }
};

SpecialSum<double> sum_of(const Addend& x, const Addend& h, bool absent = false,
                          EvaluationMode::Absent mode = EvaluationMode::Absent::Any) {
  std::vector<double> W, R;
  Arithmetic m = f32;
  m.mode.state = mode;
  return special_sum(SpecialAddends<double>{x.products(W), h.products(R), 3, absent}, m);
}

TEST(SpecialSum, IsTheInfinityInIt) {
  const Addend one{{2, 3}, {infinity, 1}, {}, 0}, none{{1}, {1}, {0}, 0};
  EXPECT_EQ(sum_of(one, none).set.lo, infinity);
  EXPECT_EQ(sum_of(one, none).set.hi, infinity);
  EXPECT_EQ(sum_of(Addend{{2}, {1}, {}, -infinity}, none).set.hi, -infinity);
  EXPECT_EQ(sum_of(Addend{{2}, {1}, {}, 0}, Addend{{1}, {1}, {0}, infinity}).set.lo, infinity);
  EXPECT_EQ(sum_of(Addend{{2}, {1}, {}, 0}, Addend{{-infinity}, {1}, {0}, 0}).set.hi, -infinity);
  EXPECT_EQ(sum_of(one, none).set.flags, 0);
  EXPECT_FALSE(sum_of(one, none).without_state);
}

TEST(SpecialSum, IsNanOfNanAndOfOppositeInfinities) {
  const Addend up{{1}, {infinity}, {}, 0};
  EXPECT_TRUE(sum_of(up, Addend{{-infinity}, {1}, {0}, 0}).set.empty());
  EXPECT_TRUE(sum_of(up, Addend{{1}, {nan}, {0}, 0}).set.empty());
  EXPECT_TRUE(sum_of(Addend{{0}, {infinity}, {}, 0}, Addend{{1}, {1}, {0}, 0}).set.empty());
  EXPECT_TRUE(sum_of(Addend{{1}, {1}, {}, nan}, Addend{{1}, {1}, {0}, 0}).set.empty());
}

TEST(SpecialSum, IsOpenWhereAStateIsNotKnown) {
  const Addend x{{1}, {infinity}, {}, 0};
  const auto is_open = [&](const Addend& h) {
    const Set set = sum_of(x, h).set;
    return set.lo == -infinity && set.hi == infinity && set.has(may_have_overflowed);
  };
  EXPECT_TRUE(is_open({{1}, {0}, {infinity}, 0}));
  EXPECT_TRUE(is_open({{infinity}, {1}, {1}, 0}));     // may be 0
  EXPECT_FALSE(is_open({{infinity}, {1}, {0.5}, 0}));  // may not
  EXPECT_FALSE(is_open({{infinity}, {0}, {0.5}, 0}));  // is 0: no number
  EXPECT_TRUE(is_open({{-1}, {2 * f32.largest_accumulated}, {0}, 0}));
  EXPECT_FALSE(is_open({{-1}, {f32.largest_accumulated / 2}, {0}, 0}));
}

TEST(SpecialSum, OfFiniteNumbersBeyondDoubleIsOpen) {
  const Set set = sum_of(Addend{{0x1p1000}, {0x1p23}, {}, 0}, Addend{{0x1p1000}, {0x1p23}, {0}, 0}).set;
  EXPECT_TRUE(set.has(may_have_overflowed) && set.lo == -infinity && set.hi == infinity);
}

TEST(SpecialSum, LeavesOutAnAbsentStateAsTheImplementationDoes) {
  const Addend x{{1}, {1}, {}, 0}, h{{infinity}, {0}, {0}, 0};
  EXPECT_TRUE(sum_of(x, h).set.empty());
  EXPECT_TRUE(sum_of(x, h, true, EvaluationMode::Absent::Multiplied).set.empty());
  EXPECT_TRUE(sum_of(x, h, true, EvaluationMode::Absent::LeftOut).without_state);
  EXPECT_EQ(sum_of(x, h, true, EvaluationMode::Absent::LeftOut).set.flags, 0);
  EXPECT_TRUE(sum_of(x, h, true).without_state);
  EXPECT_EQ(sum_of(x, h, true).set.flags, may_be_nan | is_unspecified);
  EXPECT_TRUE(sum_of(x, Addend{{1}, {nan}, {0}, 0}, true).without_state);
  EXPECT_TRUE(sum_of(x, Addend{{infinity}, {1}, {0}, 0}, true).set.is_point());
  const SpecialSum<double> beside = sum_of(Addend{{1}, {infinity}, {}, 0}, h, true);
  EXPECT_EQ(beside.set.lo, infinity);
  EXPECT_EQ(beside.set.flags, may_be_nan | is_unspecified);
}

TEST(SpecialPeephole, IsAddedUnlessItIsOfAnAbsentCell) {
  const auto added = [](double sum, double C, double p, bool absent, EvaluationMode::Absent mode) {
    Arithmetic m = f32;
    m.mode.state = mode;
    return special_peephole(Set::point(sum), Set::point(C).with(is_grazing), p, absent, m);
  };
  using enum EvaluationMode::Absent;
  EXPECT_EQ(added(1, infinity, -2, false, Any).hi, -infinity);
  EXPECT_TRUE(added(infinity, infinity, -2, false, Any).empty());
  EXPECT_TRUE(added(1, 0, infinity, false, LeftOut).empty());
  EXPECT_TRUE(added(1, 0, infinity, true, Multiplied).empty());
  EXPECT_EQ(added(1, 0, infinity, true, LeftOut).lo, 1);
  EXPECT_EQ(added(1, 0, infinity, true, LeftOut).flags, is_grazing);
  EXPECT_EQ(added(1, 0, infinity, true, Any).hi, 1);
  EXPECT_TRUE(added(1, 0, infinity, true, Any).has(is_unspecified));
  EXPECT_EQ(added(infinity, 0, 2, true, LeftOut).lo, infinity);
}

}  // namespace
}  // namespace cellproof::oracle
