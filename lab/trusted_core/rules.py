"""Rules of the judge, by id: a piece of text in a source, and what stands there without the rule. Some test must fail without it.

Left out are terms of a bound that other terms always make room for as well, so that no output could show their absence: that a
narrower carrier rounds its inputs, that attributes are rounded, that a stored cell is; that a state of any size leaves a sum beside
an infinity open, which the flag that it has says of whatever comes of it.
"""

ARITHMETIC = "oracle/step/arithmetic.cpp"
PREACTIVATION = "oracle/step/preactivation.cpp"
OBSERVATION = "oracle/step/observation.cpp"
COURSE = "oracle/element_evaluation.hpp"
IMAGE = "oracle/step/image.cpp"
CLIP = "oracle/step/clip.hpp"
GRID = "oracle/step/grid.hpp"
ELEMENTWISE = "oracle/step/elementwise.cpp"
SPECIAL = "oracle/step/special_sums.cpp"
LSTM = "oracle/step/lstm_step.cpp"
GRU = "oracle/step/gru_step.cpp"
SPECIAL_SETS = "oracle/step/special_sets.cpp"
QUANTISER = "oracle/quantized/quantiser.cpp"
PRODUCT = "oracle/quantized/product.cpp"

# id: (source, the rule, what stands there without it)
RULES = {
    # What underflows, and what is flushed to zero.
    "underflow-of-storage": (ARITHMETIC, "a.eta_storage = underflow_error(", "a.eta_storage = 0 * underflow_error("),
    "underflow-of-sums": (ARITHMETIC, "a.eta_accumulate = underflow_error(", "a.eta_accumulate = 0 * underflow_error("),
    "underflow-of-elements": (ARITHMETIC, "a.eta_elementwise = underflow_error(", "a.eta_elementwise = 0 * underflow_error("),
    "flush-of-results": (ARITHMETIC, "return flushed ? format.min_normal : format.min_subnormal;", "return flushed ? format.min_subnormal : format.min_subnormal;"),
    "flush-of-operands": (PREACTIVATION, "error += in.lost;", "error += 0 * in.lost;"),
    # What has a size of its own.
    "activation-floor": (ARITHMETIC, "a.activation_floor = c.activation_floor", "a.activation_floor = 0 * c.activation_floor"),
    "rounded-operands": (ARITHMETIC, "a.u_operand = c.operand_rounding;", "a.u_operand = 0;"),
    "stored-sums": (PREACTIVATION, "  if (m.stored_intermediates) {", "  if (false) {"),
    "state-fed-back-unrounded": (OBSERVATION, "const double rounding = m.u_storage * std::abs(observed);", "const double rounding = 0 * m.u_storage * std::abs(observed);"),
    "state-fed-back-rounded": (OBSERVATION, "  both.lo = min(both.lo, ends.lo);\n  both.hi = max(both.hi, ends.hi);\n", "  static_cast<void>(ends);\n"),
    "rounded-outputs": (OBSERVATION, "  const double error = rounded_up<Real>(m.u_storage * value.magnitude()", "  const double error = rounded_up<Real>(0 * m.u_storage * value.magnitude()"),
    # What is exact.
    "exact-where-provable": (ARITHMETIC, "a.exact_bits = provable ?", "a.exact_bits = provable && false ?"),
    "not-exact-where-flushed": (ARITHMETIC, "!c.stored_intermediates && !c.flushed_subnormals &&", "!c.stored_intermediates &&"),
    "not-exact-where-stored": (ARITHMETIC, "!c.stored_intermediates && !c.flushed_subnormals &&", "!c.flushed_subnormals &&"),
    "not-exact-where-operands-are-rounded": (ARITHMETIC, "&& !c.narrowed_inputs && !c.operand_rounding;", "&& !c.narrowed_inputs;"),
    "exact-sums": (PREACTIVATION, "if (in.spread == 0 && in.peephole_radius == 0 && never_rounded(in.grid, total, m)) {", "if (false) {"),
    "exact-elements": (ELEMENTWISE, "if (exact) return value.with(flags);", "if (exact && false) return value.with(flags);"),
    "exact-outputs": (OBSERVATION, "if (value.is_point() && m.exact_bits > 0 && is_storable(value.lo, m)) return {value.lo, value.hi};", "if (false && is_storable(value.lo, m)) return {value.lo, value.hi};"),
    "exact-lines": (IMAGE, "    if (!x_.is_point()) return false;\n", "    if (product_magnitude >= 0) return false;\n"),
    "exact-bounds-of-hard-sigmoid": (IMAGE, "return y.is_point() ? y : stored(y);", "return rounded(y, 0);"),
    "exact-reset-state": (GRU, "return elementwise(product(r, h), 0, true, exact, m_);", "return elementwise(product(r, h), 0, true, exact && false, m_);"),
    "exact-blend": (GRU, "3 * weight * sizes, false, exact, m_);", "3 * weight * sizes, false, exact && false, m_);"),
    # What overflows.
    "overflow-of-short-sums": (GRID, "const double largest = std::min(arithmetic.largest_accumulated,", "const double largest = std::max(1e308 + 0 * arithmetic.largest_accumulated,"),
    "overflow-of-sums": (PREACTIVATION, "if (total + growth <= m.largest_accumulated && !stored_part_overflows && !in.overflows) return result;", "if (!stored_part_overflows && !in.overflows) return result;"),
    "overflow-of-stored-parts": (PREACTIVATION, "if (total + growth <= m.largest_accumulated && !stored_part_overflows && !in.overflows) return result;", "if (total + growth <= m.largest_accumulated && (!stored_part_overflows || true) && !in.overflows) return result;"),
    "overflow-on-the-way-in": (PREACTIVATION, "if (total + growth <= m.largest_accumulated && !stored_part_overflows && !in.overflows) return result;", "if (total + growth <= m.largest_accumulated && !stored_part_overflows) return result;"),
    "overflow-to-both-sides": (PREACTIVATION, "return of_other_sign + error <= m.largest_accumulated;", "return of_other_sign + error <= m.largest_accumulated || true;"),
    "overflow-of-an-open-sign": (PREACTIVATION, "if (!surely_less(Real(0), sum.lo) && !surely_less(sum.hi, Real(0))) return false;\n", ""),
    "overflow-behind-a-bound": (IMAGE, "if (whole.is_finite() && !whole.has(may_be_nan)) return result;", "if (!whole.has(may_be_nan)) return result;"),
    "overflow-into-nan": (IMAGE, "if (whole.is_finite() && !whole.has(may_be_nan)) return result;", "if (whole.is_finite()) return result;"),
    "overflow-of-elements": (ELEMENTWISE, "const auto flags = static_cast<std::uint8_t>(overflows ? may_have_overflowed : 0);\n  if (exact)", "const auto flags = static_cast<std::uint8_t>(overflows ? 0 : 0);\n  if (exact)"),
    "overflow-of-outputs-above": (OBSERVATION, "  if (by > 0 && !surely_at_most(moved, largest)) return infinity;\n", ""),
    "overflow-of-outputs-below": (OBSERVATION, "  if (by < 0 && !surely_at_most(Real(-largest), moved)) return -infinity;\n", ""),
    "overflow-proves-nothing": (COURSE, "e.cls = overflowed ? ElementClass::Unverifiable : ElementClass::Divergent;", "e.cls = ElementClass::Divergent;"),
    "overflow-verifies-nothing": (COURSE, "} else if (overflowed && !set.is_finite()) {", "} else if (false) {"),
    "overflow-is-never-exact": (COURSE, "} else if (observed == e.expected && !overflowed) {", "} else if (observed == e.expected) {"),
    "infinite-operands-do-not-overflow": (ELEMENTWISE, "const bool overflows = value.is_finite() && m.may_overflow(", "const bool overflows = m.may_overflow("),
    # Infinities and NaN.
    "unspecified-is-said": (COURSE, "} else if (set.has(is_unspecified)) {", "} else if (false) {"),
    "certain-nan-is-exact": (COURSE, "e.cls = set.empty() ? ElementClass::Exact : ElementClass::Unverifiable;", "e.cls = ElementClass::Unverifiable;"),
    "possible-nan-verifies-nothing": (COURSE, "e.cls = set.empty() ? ElementClass::Exact : ElementClass::Unverifiable;", "e.cls = ElementClass::Exact;"),
    "nan-is-inside-where-it-may-be": (OBSERVATION, "result.inside = value.has(may_be_nan);", "result.inside = value.empty();"),
    "number-is-outside-of-nan": (OBSERVATION, "  if (value.empty()) {\n    result.ratio = result.error = infinity;\n    return result;\n  }\n", "  if (value.empty()) {\n    result.inside = true;\n    return result;\n  }\n"),
    "opposite-infinities": (SPECIAL, "if (found.nan || (found.plus && found.minus)) return", "if (found.nan) return"),
    "nan-addend": (SPECIAL, "if (found.nan || (found.plus && found.minus)) return", "if (found.plus && found.minus) return"),
    "infinite-weight-times-unknown": (SPECIAL, "std::isinf(radius) || (std::isinf(w) && upper(abs(h)) <= radius && !(h == 0)) ||", "std::isinf(radius) ||"),
    "overflow-beside-infinity": (SPECIAL, "if (!(found.finite_magnitude <= m.largest_accumulated)) return {Set::anything(0, flags)};", ""),
    "overflow-of-a-part-beside-infinity": (ELEMENTWISE, "return overflows(a) || overflows(b) ?", "return overflows(a) && overflows(b) ?"),
    "overflow-of-a-blend-beside-infinity": (ELEMENTWISE, "return parts.has(may_have_overflowed) ?", "return parts.has(may_have_overflowed) && false ?"),
    "absent-state-left-out": (SPECIAL, "if (may_be_left_out && (", "if (false && ("),
    "absent-state-of-nan-left-out": (SPECIAL, "((!std::isfinite(w) && h == 0) || isnan(h))", "(!std::isfinite(w) && h == 0)"),
    "absent-cell-left-out": (SPECIAL, "if (m.mode.state == EvaluationMode::Absent::Any) return hull(sum, through).with(may_be_nan | is_unspecified);", ""),
    "absent-peephole-left-out": (LSTM, "return multiplied ? Set::nan(a.flags) : a.with(may_be_nan | is_unspecified);", "return multiplied ? Set::nan(a.flags) : a;"),
    "nan-through-clip": (CLIP, "return chosen == OfNan::Any ? hull(result, through_nan) : without_nan(result, end);", "return result;"),
    "certain-nan-through-clip": (CLIP, "if (chosen == OfNan::Any) return through_nan.with(a.flags);", "if (chosen == OfNan::Any) return a;"),
    "nan-through-function": (IMAGE, "if (x.has(may_be_nan) && may_swallow_nan(activation.kind)) {", "if (false) {"),
    "softsign-of-infinity": (IMAGE, "      case ActivationKind::Softsign:\n        return true;", "      case ActivationKind::Softsign:\n        return false;"),
    "zero-alpha-times-infinity": (IMAGE, "return may_be_zero(a_.alpha);", "return false;"),
    "zero-beta-times-infinity": (IMAGE, "return may_be_zero(a_.beta);", "return false;"),
    "zero-times-infinity": (SPECIAL_SETS, "static_cast<std::uint8_t>(flags | (zero_times_infinity ? may_be_nan : 0));", "flags;"),
    "certain-zero-times-infinity": (SPECIAL_SETS, "if (zero_times_infinity && a.is_point() && b.is_point()) return Enclosure<Real>::nan(all);", ""),
    "infinity-minus-infinity": (SPECIAL_SETS, "static_cast<std::uint8_t>(flags | (opposite ? may_be_nan : 0));", "flags;"),
    "two-ways-to-blend": (SPECIAL_SETS, "return same ? as_written : hull(as_written, shorter).with(is_unspecified);", "return same ? as_written : as_written;"),
    "observed-number-means-no-nan-in-the-cell": (LSTM, "C.flags &= static_cast<std::uint8_t>(~may_be_nan);", ""),
    # Jumps.
    "jump-may-drop": (IMAGE, "if (!may_drop) return one(kept);", "return one(kept);"),
    "jump-may-keep": (IMAGE, "if (!may_keep) return one(dropped);", "return one(dropped);"),
    "jump-keeps-equal": (IMAGE, "if (a.keeps_equal ? surely_at_most(alpha, x) : surely_less(alpha, x)) return x;", "if (surely_less(alpha, x)) return x;"),
    "jump-verifies-nothing": (COURSE, "} else if (set.has(is_branched)) {", "} else if (false) {"),
    # The quantiser.
    "quantiser-special-range": (QUANTISER, "unknown_ = range.special() ||", "unknown_ ="),
    "quantiser-range-overflows": (QUANTISER, "unknown_ = range.special() || !surely_at_most(Real(greatest.hi - least.lo), Real(m.largest_elementwise));", "unknown_ = range.special();"),
    "quantiser-vague-scale": (QUANTISER, "vague_ = !surely_less(Real(0), scale_.lo);", "vague_ = false;"),
    "quantiser-both-sides-of-a-tie": (QUANTISER, "  return {least.code, expected, -greatest.code, least.open || greatest.open};", "  return {expected, expected, expected, least.open || greatest.open};"),
    "quantiser-scale-roundings": (QUANTISER, "constexpr double scale_roundings = 3;", "constexpr double scale_roundings = 0;"),
    "quantiser-quotient-roundings": (QUANTISER, "constexpr double quotient_roundings = 2;", "constexpr double quotient_roundings = 0;"),
    "quantiser-sum-with-zero-point": (QUANTISER, "absolute = (largest_code + 1) * u_;", "absolute = 0 * u_;"),
    "quantiser-underflow-of-scale": (QUANTISER, "scale_.hi = width.hi / Real(steps) * (1 + Real(error)) + 2 * m.eta_elementwise;", "scale_.hi = width.hi / Real(steps) * (1 + Real(error));"),
    "quantiser-zero-point-is-a-code": (QUANTISER, "  zero_point_.lo = std::clamp(zero_point_.lo, 0, largest_code);\n  zero_point_.hi = std::clamp(zero_point_.hi, 0, largest_code);\n", ""),
    "quantised-sum-beyond-int32": (PRODUCT, "if (sum.magnitude() > largest_sum || m_.may_overflow(largest))", "if (m_.may_overflow(largest))"),
    "quantised-product-overflows": (PRODUCT, "if (sum.magnitude() > largest_sum || m_.may_overflow(largest))", "if (sum.magnitude() > largest_sum || (m_.may_overflow(largest) && false))"),
    "quantised-product-overflows-on-its-way": (PRODUCT, "const double largest = std::max(sum.magnitude() * std::max(largest_scale, std::abs(weight_scale)), magnitude);", "const double largest = magnitude;"),
    "quantised-scales-overflow": (PRODUCT, "if (m_.may_overflow(factor)) return", "if (m_.may_overflow(factor) && false) return"),
    "quantised-integer-beyond-float": (PRODUCT, "const double roundings = sum.magnitude() > largest_exact_integer ? 3 : 2;", "const double roundings = 2;"),
    "quantised-roundings": (PRODUCT, "const double roundings = sum.magnitude() > largest_exact_integer ? 3 : 2;", "const double roundings = 0;"),
    "quantised-underflow": (PRODUCT, "(sum.magnitude() + 2) * m_.eta_elementwise", "0 * m_.eta_elementwise"),
    "quantised-zero-is-zero": (PRODUCT, "if ((sum.is_point() && sum.centre == 0) || weight_scale == 0) return Set::point(0);", ""),
}
