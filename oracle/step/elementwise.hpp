#pragma once

#include "oracle/step/arithmetic.hpp"
#include "oracle/step/enclosure.hpp"

namespace cellproof::oracle {

/// A sum of two parts that were computed each by itself. Beside an infinity a finite part that overflows to the other
/// one makes an honest NaN, which a fused operation does not.
template <class Real>
Enclosure<Real> sum_of_parts(const Enclosure<Real>& a, const Enclosure<Real>& b, const Arithmetic& arithmetic);

/// (1 - z) a + z b, of which the same holds.
template <class Real>
Enclosure<Real> blend_of_parts(const Enclosure<Real>& z, const Enclosure<Real>& a, const Enclosure<Real>& b,
                               const Arithmetic& arithmetic);

/// The result of elementwise operations whose roundings amount to those of `intermediates` (a sum of magnitudes) and of
/// the result; `storable`: it may pass through the tensor's type; `exact`: proved to need no rounding.
template <class Real>
Enclosure<Real> elementwise(const Enclosure<Real>& value, double intermediates, bool storable, bool exact,
                            const Arithmetic& arithmetic);

extern template Enclosure<double> sum_of_parts(const Enclosure<double>&, const Enclosure<double>&, const Arithmetic&);
extern template Enclosure<Ball> sum_of_parts(const Enclosure<Ball>&, const Enclosure<Ball>&, const Arithmetic&);
extern template Enclosure<double> blend_of_parts(const Enclosure<double>&, const Enclosure<double>&,
                                                 const Enclosure<double>&, const Arithmetic&);
extern template Enclosure<Ball> blend_of_parts(const Enclosure<Ball>&, const Enclosure<Ball>&, const Enclosure<Ball>&,
                                               const Arithmetic&);
extern template Enclosure<double> elementwise(const Enclosure<double>&, double, bool, bool, const Arithmetic&);
extern template Enclosure<Ball> elementwise(const Enclosure<Ball>&, double, bool, bool, const Arithmetic&);

}  // namespace cellproof::oracle
