#pragma once

#include "oracle/step/arithmetic.hpp"
#include "oracle/step/enclosure.hpp"

namespace cellproof::oracle {

/// The range of the values that are quantised together, 0 included; each value known up to an interval.
template <class Real>
class DataRange {
 public:
  using Set = Enclosure<Real>;

  DataRange() = default;
  virtual ~DataRange() = default;
  DataRange(const DataRange&) = default;
  DataRange& operator=(const DataRange&) = default;

  virtual void add(const Set& value);

  /// The smallest and the largest value, and 0.
  const Set& least() const { return least_; }
  const Set& greatest() const { return greatest_; }
  /// Is some value infinite or possibly NaN? No text says what then becomes of the range.
  bool special() const { return special_; }

 protected:
  Set least_ = Set::point(0), greatest_ = Set::point(0);

 private:
  bool special_ = false;
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
  Quantiser(const DataRange<Real>& range, const Arithmetic& arithmetic);
  virtual ~Quantiser() = default;
  Quantiser(const Quantiser&) = default;
  Quantiser& operator=(const Quantiser&) = default;

  /// The value after quantisation, the zero point subtracted: within +-255.
  virtual Digit digit(const Set& value) const;
  const Set& scale() const { return scale_; }
  Digit zero_point() const { return zero_point_; }
  /// Nothing can be said of what is quantised: the range is special or overflows.
  bool unknown() const { return unknown_; }

 protected:
  /// False where there is nothing to fit to the range.
  bool starts(const DataRange<Real>& range, const Arithmetic& m);
  static Set width_of(const DataRange<Real>& range);
  void set_scale(const Set& width, int steps, const Arithmetic& m);
  void set_zero_point(const DataRange<Real>& range);

  /// value / scale, and how binary32 has it: so that with the zero point added it is not below or above a code.
  Set quotient_of(const Set& value) const;
  float ideal_of(const Set& value, int below, int above) const;
  static Digit nearest(const Set& quotient, float ideal);
  /// The same digit for codes from `below` to `above`, whichever the zero point is.
  Digit within(Digit digit, int below, int above) const;

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
