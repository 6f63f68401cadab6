#pragma once

#include "oracle/quantized/switches.hpp"
#include "oracle/step/arithmetic.hpp"
#include "oracle/step/enclosure.hpp"

namespace cellproof::oracle {

/// The range of the values that are quantised together, 0 included (unless a fault leaves it out); each value known up
/// to an interval.
template <class Real>
class DataRange {
 public:
  using Set = Enclosure<Real>;

  explicit DataRange(const QuantiserSwitches& switches = {}) : holds_something_(!switches.range_without_zero) {}

  void add(const Set& value);

  /// The smallest and the largest value, and 0.
  const Set& least() const { return least_; }
  const Set& greatest() const { return greatest_; }
  /// Is some value infinite or possibly NaN? No text says what then becomes of the range.
  bool special() const { return special_; }

 private:
  Set least_ = Set::point(0), greatest_ = Set::point(0);
  bool special_ = false;
  bool holds_something_ = true;
};

/// An integer of which honest arithmetic leaves one value or several: `expected` is the one that binary32 with one
/// rounding for each operation gives.
struct Digit {
  int lo = 0, expected = 0, hi = 0;
  bool open = false;  ///< `lo` or `hi` may be in only because of the judge's own error
  bool decided() const { return lo == hi; }
};

/// Dynamic quantisation to uint8: scale = (greatest - least) / 255, zero point = -least / scale, and a value stands for
/// round(value / scale), half to even, bounded so that the zero point added to it fits into 0 to 255. Honest arithmetic
/// may round the scale once more or once less, multiply by a reciprocal, and add the zero point before it rounds; where
/// that can put a number on either side of a tie, both neighbours are admitted. Compiled for double and for balls.
template <class Real>
class Quantiser {
 public:
  using Set = Enclosure<Real>;

  /// Everything is 0.
  Quantiser() = default;
  Quantiser(const DataRange<Real>& range, const Arithmetic& arithmetic, const QuantiserSwitches& switches = {});

  /// The value after quantisation, the zero point subtracted: within +-255.
  Digit digit(const Set& value) const;
  const Set& scale() const { return scale_; }
  Digit zero_point() const { return zero_point_; }
  /// Nothing can be said of what is quantised: the range is special or overflows.
  bool unknown() const { return unknown_; }

 private:
  void fit_symmetrically(const Set& least, const Set& greatest, const Arithmetic& m);
  void set_scale(const Set& width, int steps, const Arithmetic& m);

  QuantiserSwitches switches_;
  Set scale_ = Set::point(1);
  Digit zero_point_;
  double u_ = 0;
  bool unknown_ = false;
  bool vague_ = false;  ///< the scale may underflow, or the range may or may not be empty: any digit is possible
};

extern template class DataRange<double>;
extern template class DataRange<Ball>;
extern template class Quantiser<double>;
extern template class Quantiser<Ball>;

}  // namespace cellproof::oracle
