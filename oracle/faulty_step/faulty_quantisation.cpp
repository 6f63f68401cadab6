#include "oracle/faulty_step/faulty_quantisation.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "oracle/faulty_step/with_bits.hpp"

namespace cellproof::oracle {
namespace {

constexpr int largest_code_of_all = 255, largest_symmetric_code = 127;
constexpr double beyond_all_codes = 2 * largest_code_of_all;
constexpr double smallest_16_bits = -0x1p15, largest_16_bits = 0x1p15 - 1;

/// From the smallest to the largest value, whatever their signs.
template <class Real>
class RangeWithoutZero : public DataRange<Real> {
 public:
  using Set = Enclosure<Real>;

  void add(const Set& value) override {
    if (!holds_something_ && value.is_finite() && is_ordinary(value.flags)) {
      this->least_ = this->greatest_ = value;
      holds_something_ = true;
    }
    DataRange<Real>::add(value);
  }

 private:
  bool holds_something_ = false;
};

template <class Real>
Digit cut_off(const Enclosure<Real>& q, float ideal) {
  const double lo = std::clamp(lower(q.lo), -beyond_all_codes, beyond_all_codes);
  const double hi = std::clamp(upper(q.hi), -beyond_all_codes, beyond_all_codes);
  return {static_cast<int>(lo), static_cast<int>(ideal), static_cast<int>(hi)};
}

template <class Real>
class FaultyQuantiser : public Quantiser<Real> {
 public:
  using Set = Enclosure<Real>;
  using Base = Quantiser<Real>;

  FaultyQuantiser(const DataRange<Real>& range, const Arithmetic& m, const QuantiserSwitches& switches) : s_(switches) {
    if (!this->starts(range, m)) return;
    if (s_.symmetric) {
      this->set_scale(largest_magnitude(range), largest_symmetric_code, m);
      keep_bits_of_scale();
      return;
    }
    this->set_scale(Base::width_of(range), s_.steps, m);
    keep_bits_of_scale();
    this->set_zero_point(range);
  }

  Digit digit(const Set& value) const override {
    if (this->unknown_ || this->vague_) return Base::digit(value);
    const int below = s_.symmetric ? -largest_symmetric_code : 0;
    const int above = s_.symmetric ? largest_symmetric_code : largest_code_of_all;
    const float ideal = this->ideal_of(value, below, above);
    const Set q = this->quotient_of(value);
    const Digit d = this->within(s_.truncates ? cut_off(q, ideal) : Base::nearest(q, ideal), below, above);
    if (!s_.drops_zero_point) return d;
    const Digit& zero = this->zero_point_;
    return {d.lo + zero.lo, d.expected + zero.expected, d.hi + zero.hi, d.open};
  }

 private:
  /// As far to one side of 0 as to the other.
  static Set largest_magnitude(const DataRange<Real>& range) {
    const Set &least = range.least(), &greatest = range.greatest();
    return {max(Real(-least.centre), Real(greatest.centre)), max(Real(-least.hi), greatest.lo),
            max(Real(-least.lo), greatest.hi), 0};
  }

  void keep_bits_of_scale() {
    this->scale_ = kept_with(this->scale_, s_.scale_bits);
    this->vague_ = !surely_less(Real(0), this->scale_.lo);
  }

  QuantiserSwitches s_;
};

template <class Real>
class FaultyProduct : public QuantizedProduct<Real> {
 public:
  using Set = Enclosure<Real>;
  using Base = QuantizedProduct<Real>;

  FaultyProduct(const QuantizedMatrix& matrix, const Arithmetic& m, const QuantiserSwitches& switches)
      : Base(matrix, m), s_(switches) {}

  void multiply(const std::vector<Digit>& digits, const Quantiser<Real>& quantiser,
                std::vector<Set>& products) override {
    Base::multiply(digits, quantiser, products);
    if (quantiser.unknown()) return;
    if (s_.pairs_saturate && this->matrix_.has_signed_codes) {
      saturate_pairs(digits, quantiser.zero_point().expected);
      this->scale_sums(quantiser.scale(), products);
    }
    for (Set& product : products) product = kept_with(product, s_.product_bits);
  }

 private:
  /// Takes off what is lost if two products of codes, zero points not subtracted, are added in 16 bits.
  void saturate_pairs(const std::vector<Digit>& digits, int zero_point) {
    const QuantizedMatrix& matrix = this->matrix_;
    const auto rows = static_cast<std::size_t>(matrix.rows);
    for (std::size_t r = 0; r < rows; ++r) {
      const auto term = [&](std::size_t k) {
        const double code = matrix.integers[k * rows + r] + matrix.zero_points[r];
        return (digits[k].expected + zero_point) * code;
      };
      for (std::size_t k = 0; k + 1 < digits.size(); k += 2) {
        const double pair = term(k) + term(k + 1);
        this->sum_[r] += std::clamp(pair, smallest_16_bits, largest_16_bits) - pair;
      }
    }
  }

  QuantiserSwitches s_;
};

}  // namespace

template <class Real>
std::unique_ptr<DataRange<Real>> faulty_range_of(const QuantiserSwitches& switches) {
  if (switches.range_without_zero) return std::make_unique<RangeWithoutZero<Real>>();
  return std::make_unique<DataRange<Real>>();
}

template <class Real>
std::unique_ptr<Quantiser<Real>> faulty_quantiser_of(const DataRange<Real>& range, const Arithmetic& arithmetic,
                                                     const QuantiserSwitches& switches) {
  if (switches == QuantiserSwitches{}) return std::make_unique<Quantiser<Real>>(range, arithmetic);
  return std::make_unique<FaultyQuantiser<Real>>(range, arithmetic, switches);
}

template <class Real>
std::unique_ptr<QuantizedProduct<Real>> faulty_product_of(const QuantizedMatrix& matrix, const Arithmetic& arithmetic,
                                                          const QuantiserSwitches& switches) {
  if (switches == QuantiserSwitches{}) return std::make_unique<QuantizedProduct<Real>>(matrix, arithmetic);
  return std::make_unique<FaultyProduct<Real>>(matrix, arithmetic, switches);
}

template std::unique_ptr<DataRange<double>> faulty_range_of(const QuantiserSwitches&);
template std::unique_ptr<DataRange<Ball>> faulty_range_of(const QuantiserSwitches&);
template std::unique_ptr<Quantiser<double>> faulty_quantiser_of(const DataRange<double>&, const Arithmetic&,
                                                                const QuantiserSwitches&);
template std::unique_ptr<Quantiser<Ball>> faulty_quantiser_of(const DataRange<Ball>&, const Arithmetic&,
                                                              const QuantiserSwitches&);
template std::unique_ptr<QuantizedProduct<double>> faulty_product_of(const QuantizedMatrix&, const Arithmetic&,
                                                                     const QuantiserSwitches&);
template std::unique_ptr<QuantizedProduct<Ball>> faulty_product_of(const QuantizedMatrix&, const Arithmetic&,
                                                                   const QuantiserSwitches&);

}  // namespace cellproof::oracle
