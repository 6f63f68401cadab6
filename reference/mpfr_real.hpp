#pragma once

#include <boost/multiprecision/mpfr.hpp>

#include "reference/real.hpp"

namespace cellproof::reference {

/// 50 decimal digits and an exponent range that no product of tensor values can leave; functions correctly rounded. No
/// expression templates: every operator yields a number, so that `auto` and generic code mean what they say.
using Mpfr50 =
    boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<50, boost::multiprecision::allocate_stack>,
                                  boost::multiprecision::et_off>;

template <>
struct Functions<Mpfr50> {
  static bool is_nan(const Mpfr50& x) { return mpfr_nan_p(x.backend().data()) != 0; }
  static bool is_infinite(const Mpfr50& x) { return mpfr_inf_p(x.backend().data()) != 0; }
  static bool is_negative(const Mpfr50& x) { return mpfr_signbit(x.backend().data()) != 0; }
  static Mpfr50 exp(const Mpfr50& x) { return apply<mpfr_exp>(x); }
  static Mpfr50 expm1(const Mpfr50& x) { return apply<mpfr_expm1>(x); }
  static Mpfr50 log1p(const Mpfr50& x) { return apply<mpfr_log1p>(x); }

 private:
  template <int (*function)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t)>
  static Mpfr50 apply(const Mpfr50& x) {
    Mpfr50 result;
    function(result.backend().data(), x.backend().data(), MPFR_RNDN);
    return result;
  }
};

/// MPFR keeps constants for each thread. Whoever computes with Mpfr50 in a thread that may end frees them with this.
struct MpfrThreadCaches {
  MpfrThreadCaches() = default;
  MpfrThreadCaches(const MpfrThreadCaches&) = delete;
  MpfrThreadCaches& operator=(const MpfrThreadCaches&) = delete;
  ~MpfrThreadCaches() { mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); }
};

}  // namespace cellproof::reference
