#pragma once

#include "oracle/step/arithmetic.hpp"
#include "oracle/step/enclosure.hpp"

namespace cellproof::oracle {

/// The range of the values that are quantised together, 0 included; each value known up to an interval.
class DataRange {
 public:
  void add(const Enclosure<double>& value);

  /// The smallest and the largest value, and 0.
  Enclosure<double> least() const { return least_; }
  Enclosure<double> greatest() const { return greatest_; }
  /// Is some value infinite or possibly NaN? No text says what then becomes of the range.
  bool special() const { return special_; }

 private:
  Enclosure<double> least_ = Enclosure<double>::point(0), greatest_ = Enclosure<double>::point(0);
  bool special_ = false;
};

/// An integer of which honest arithmetic leaves one value or several: `expected` is the one that binary32 with one
/// rounding for each operation gives.
struct Digit {
  int lo = 0, expected = 0, hi = 0;
  bool decided() const { return lo == hi; }
};

/// Dynamic quantisation to uint8: scale = (greatest - least) / 255, zero point = -least / scale, and a value stands for
/// round(value / scale), half to even, bounded so that the zero point added to it fits into 0 to 255. Honest arithmetic
/// may round the scale once more or once less, multiply by a reciprocal, and add the zero point before it rounds; where
/// that can put a number on either side of a tie, both neighbours are admitted.
class Quantiser {
 public:
  /// Everything is 0.
  Quantiser() = default;
  Quantiser(const DataRange& range, const Arithmetic& arithmetic);

  /// The value after quantisation, the zero point subtracted: within +-255.
  Digit digit(const Enclosure<double>& value) const;
  const Enclosure<double>& scale() const { return scale_; }
  Digit zero_point() const { return zero_point_; }
  /// Nothing can be said of what is quantised: the range is special or overflows.
  bool unknown() const { return unknown_; }

 private:
  Enclosure<double> scale_ = Enclosure<double>::point(1);
  Digit zero_point_;
  double u_ = 0;
  bool unknown_ = false;
  bool vague_ = false;  ///< the scale may underflow, or the range may or may not be empty: any digit is possible
};

}  // namespace cellproof::oracle
