#include "oracle/precision_shows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "oracle/at.hpp"
#include "oracle/contract.hpp"
#include "oracle/faults/every_fault.hpp"
#include "oracle/faults/factor_roundings.hpp"
#include "oracle/faulty_step/with_bits.hpp"
#include "oracle/value_type.hpp"
#include "spec/float_conversion.hpp"

namespace cellproof::oracle {
namespace {

/// So many elements, at most, and one of them is a share and not one of many.
constexpr std::int64_t few_elements = 4;

/// So many elements of a row, at most, are set right before it is looked at no more.
constexpr std::int64_t most_repairs = 64;

/// So many of the smallest normal numbers: a number that flushing changes is less.
constexpr double largest_flushed = 256;

/// Least value of the largest ratio of errors to the bounds of the contract that they come from. In TF32 with a
/// thousand terms this ratio is about a twentieth.
constexpr double least_ratio = 1.0 / 64;

std::int64_t count_of(const Judgement& judgement, ElementClass c) {
  return judgement.elements.at(static_cast<std::size_t>(c));
}

std::int64_t count_of_all(const Judgement& judgement) {
  return std::accumulate(judgement.elements.begin(), judgement.elements.end(), std::int64_t{0});
}

std::int64_t count_beyond(const Judgement& judgement) {
  return count_of(judgement, ElementClass::Divergent) + count_of(judgement, ElementClass::Suspect);
}

bool verifies_half(const Judgement& judgement) {
  const std::int64_t verified = count_of(judgement, ElementClass::Exact) + count_of(judgement, ElementClass::Rounding);
  return 2 * verified >= count_of_all(judgement);
}

bool is_of_a_step(const std::optional<FirstElement>& first) {
  return first && first->by_value && first->place.output == output::Y;
}

/// Puts one element of Y as it should be, also where Y_h repeats it.
void set_right(const Layout& layout, const FirstElement& first, Outputs& outputs) {
  const auto& [output, rank, d, b, j] = first.place;
  Tensor& Y = *outputs[output::Y];
  const std::size_t place = layout.y_offset(layout.time(d, b, rank), d, b) + at(j);
  const double damaged = Y.value(place);
  Y.set_value(place, first.expected);
  if (outputs.size() > output::Y_h && outputs[output::Y_h]) {
    Tensor& Y_h = *outputs[output::Y_h];
    const std::size_t of_state = layout.state_offset(d, b) + at(j);
    if (Y_h.value(of_state) == damaged) Y_h.set_value(of_state, first.expected);
  }
}

bool is_in_row(const Place& place, const Place& row, std::int64_t steps_later) {
  return place.d == row.d && place.b == row.b && place.rank == row.rank + steps_later;
}

bool repair_explains(const Observed& seen, const Evaluation& narrow, const Readings& readings, ContractId base) {
  if (!is_of_a_step(narrow.first)) return false;
  const Place& damaged = narrow.first->place;
  Outputs outputs = seen.outputs;
  set_right(seen.layout, *narrow.first, outputs);
  const std::int64_t H = seen.layout.H, repaired = 4 * H < count_of_all(narrow.judgement) ? H : 1;
  for (std::int64_t repairs = 1; repairs <= std::min(repaired, most_repairs); ++repairs) {
    const Observed mended(seen.problem, outputs, seen.X_radius);
    Evaluator evaluator(mended);
    const Evaluation rest = evaluator.evaluate({readings, base}, Depth::Described);
    if (rest.is(Verdict::Conforms) || rest.is(Verdict::Undecided)) return true;
    if (!is_of_a_step(rest.first)) return false;
    if (is_in_row(rest.first->place, damaged, 0)) {
      set_right(seen.layout, *rest.first, outputs);
      continue;
    }
    if (!is_in_row(rest.first->place, damaged, 1) || count_beyond(rest.judgement) > seen.layout.H) return false;
    const Arithmetic twice = doubled(arithmetic_of(base, value_type(seen.problem)));
    return !evaluator.evaluate({readings, base, {}, twice}, Depth::Excluded).excluded();
  }
  return false;
}

}  // namespace

bool is_damage_to_one_row(const Observed& seen, const Evaluation& narrow, const Readings& readings, ContractId base) {
  const Judgement& judgement = narrow.judgement;
  const std::int64_t exact = count_of(judgement, ElementClass::Exact);
  const std::int64_t rounded = count_beyond(judgement) + count_of(judgement, ElementClass::Rounding);
  if (4 * count_beyond(judgement) >= rounded && rounded + exact <= few_elements) return false;
  return repair_explains(seen, narrow, readings, base);
}

namespace {

bool rounds_more(ContractId base, ContractId wide) {
  return contract(wide).operand_rounding != contract(base).operand_rounding ||
         contract(wide).narrowed_inputs != contract(base).narrowed_inputs;
}

bool all_are_of(const Tensor& tensor, ElementType type) {
  for (std::size_t k = 0; k < tensor.size(); ++k) {
    const double value = tensor.value(k);
    if (std::isfinite(value) && round_to(type, value) != value) return false;
  }
  return true;
}

bool any_needs(const Tensor& tensor, int bits) {
  for (std::size_t k = 0; k < tensor.size(); ++k) {
    if (with_bits(tensor.value(k), bits - 1) != tensor.value(k) && std::isfinite(tensor.value(k))) return true;
  }
  return false;
}

/// Are the states that the engine has given numbers of the type, some of which need all its bits? Its cells need not
/// be: where there is nothing else, they are.
bool states_are_of(const Observed& seen, ElementType type) {
  const int bits = -std::ilogb(float_format(type).unit_roundoff);
  bool any = false, all_bits = false;
  for (const std::size_t which : {output::Y, output::Y_h, output::Y_c}) {
    if (which >= seen.outputs.size() || !seen.outputs[which] || (which == output::Y_c && any)) continue;
    any = true;
    if (!all_are_of(*seen.outputs[which], type)) return false;
    all_bits = all_bits || any_needs(*seen.outputs[which], bits);
  }
  return all_bits;
}

/// The wider contract's arithmetic but for the rounding of factors, and four times its errors: sums in tensor cores err
/// a little more than those in float.
Arithmetic besides_factors(ContractId wide, ElementType type) {
  Arithmetic m = doubled(doubled(arithmetic_of(wide, type)));
  m.u_operand = 0;
  return m;
}

/// Does the hypothesis come to the verdict with one of the roundings?
bool any_fits(const Observed& seen, const Hypothesis& hypothesis, std::span<const Fault> roundings, Depth depth,
              Verdict verdict) {
  Evaluator evaluator(seen);
  return std::ranges::any_of(roundings, [&](const Fault& fault) {
    Hypothesis with_it = hypothesis;
    with_it.faults = {&fault};
    return fault.applies(seen.problem) && evaluator.evaluate(with_it, depth).is(verdict);
  });
}

/// Do the outputs fit once the factors are rounded, in one of the ways that processors have?
bool fits_rounded_factors(const Observed& seen, const Readings& readings, ContractId wide, int bits) {
  const bool may_cut = without_flushing(wide) == ContractId::Tf32;
  const Hypothesis besides{readings, wide, {}, besides_factors(wide, value_type(seen.problem))};
  return any_fits(seen, besides, factor_roundings(bits, may_cut), Depth::Admitted, Verdict::Undecided);
}

/// Do they once the products are rounded, too, all else being as in the narrower contract, with four times its errors?
bool fits_rounded_products(const Observed& seen, const Readings& readings, ContractId base, int bits) {
  const Hypothesis besides{readings, base, {}, doubled(doubled(arithmetic_of(base, value_type(seen.problem))))};
  return any_fits(seen, besides, product_roundings(bits), Depth::Verdict, Verdict::Conforms);
}

/// 8 of bfloat16, 11 of float16 and TF32.
int bits_of_factors(ContractId wide) {
  return contract(wide).factors == Carrier::Brain ? 8 : 11;
}

/// Are the numbers those of an arithmetic that rounds factors, or everything?
bool has_its_numbers(const Observed& seen, const Readings& readings, ContractId wide) {
  const PrecisionContract& c = contract(wide);
  if (c.factors == Carrier::Single)
    return states_are_of(seen, ElementType::Float) || fits_rounded_factors(seen, readings, wide, 24);
  if (c.narrowed_inputs)
    return states_are_of(seen, c.factors == Carrier::Brain ? ElementType::BFloat16 : ElementType::Float16);
  return fits_rounded_factors(seen, readings, wide, bits_of_factors(wide));
}

/// Does a fault of precision explain everything? Such faults say what every number is.
bool has_a_listed_precision(const Observed& seen, const Readings& readings, ContractId base) {
  Evaluator evaluator(seen);
  return std::ranges::any_of(faults(), [&](const Fault& fault) {
    return fault.cls == FaultClass::Precision && fault.applies(seen.problem) &&
           evaluator.evaluate({readings, base, {&fault}}, Depth::Verdict).is(Verdict::Conforms);
  });
}

/// Do the errors have the size that the wider contract's roundings have? An error a hundred times smaller in every
/// element is something else. Nothing is said where most elements are not verified.
bool is_of_its_size(const Observed& seen, const Readings& readings, ContractId wide) {
  const Judgement judgement = evaluate(seen, {readings, wide}, Depth::Counted).judgement;
  return !verifies_half(judgement) || judgement.worst_ratio.value_or(1) >= least_ratio;
}

bool flushes_more(ContractId base, ContractId wide) {
  return flushes(wide) && !flushes(base);
}

bool is_subnormal(double value, const FloatFormat& format) {
  return value != 0 && std::abs(value) < format.min_normal;
}

/// Did the engine compute a subnormal? A row of no steps has states that were given.
bool returns_subnormals(const Observed& seen, const FloatFormat& format) {
  const auto is_one = [&format](double value) { return is_subnormal(value, format); };
  if (seen.Y && std::ranges::any_of(*seen.Y, is_one)) return true;
  const Layout& layout = seen.layout;
  for (const auto* state : {&seen.Y_h, &seen.Y_c}) {
    for (std::int64_t row = 0; *state && row < layout.D * layout.N; ++row) {
      const std::int64_t d = row / layout.N, b = row % layout.N;
      const auto begin = (*state)->begin() + static_cast<std::ptrdiff_t>(layout.state_offset(d, b));
      if (layout.lengths[at(b)] > 0 && std::any_of(begin, begin + layout.H, is_one)) return true;
    }
  }
  return false;
}

/// Is the first element that is wrong without flushing a very small one or, beside an infinity, NaN? Flushing takes no
/// NaN and no infinity away.
bool is_flushing_seen(const Observed& seen, const Narrow& narrow, const Readings& readings, ContractId base,
                      ContractId wide) {
  const FloatFormat format = float_format(value_type(seen.problem));
  const ContractId kept_by = without_flushing(wide);
  const Evaluation kept = kept_by == base ? narrow() : evaluate(seen, {readings, kept_by}, Depth::Described);
  if (!kept.first || !kept.first->by_value) return false;
  const double actual = kept.judgement.first->actual.value_or(0), expected = kept.first->expected;
  if (std::isnan(actual)) return !std::isnan(expected);
  return std::isfinite(expected) && std::abs(actual) < largest_flushed * format.min_normal;
}

/// Few numbers keep all digits of float where factors have 16 bits: exact ones count against that.
bool is_in_a_share(const Judgement& narrow, ContractId wide) {
  const std::int64_t beyond = count_beyond(narrow), exact = count_of(narrow, ElementClass::Exact);
  const std::int64_t rounded = beyond + count_of(narrow, ElementClass::Rounding);
  return 4 * beyond >= rounded + (computes_in_16_bits(wide) ? exact : 0);
}

bool is_rounding_seen(const Observed& seen, const Narrow& narrow, const Readings& readings, ContractId base,
                      ContractId wide) {
  const bool in_16_bits = contract(wide).narrowed_inputs && computes_in_16_bits(wide);
  if (in_16_bits && fits_rounded_products(seen, readings, base, bits_of_factors(wide))) return true;
  return has_its_numbers(seen, readings, wide) && is_in_a_share(narrow().judgement, wide) &&
         is_of_its_size(seen, readings, wide);
}

}  // namespace

bool must_show(ContractId base, ContractId wide) {
  return flushes_more(base, wide) || rounds_more(base, wide) ||
         contract(wide).activation_ulps > contract(base).activation_ulps;
}

bool might_show(const Observed& seen, ContractId base, ContractId wide) {
  return !flushes_more(base, wide) || !returns_subnormals(seen, float_format(value_type(seen.problem)));
}

/// Asks last what takes longest.
bool shows_as_it_would(const Observed& seen, const Narrow& narrow, const Readings& readings, ContractId base,
                       ContractId wide) {
  if (!might_show(seen, base, wide)) return false;
  const auto shows_flushing = [&] {
    return !flushes_more(base, wide) || is_flushing_seen(seen, narrow, readings, base, wide);
  };
  if (rounds_more(base, wide)) return is_rounding_seen(seen, narrow, readings, base, wide) && shows_flushing();
  return shows_flushing() && !has_a_listed_precision(seen, readings, base);
}

}  // namespace cellproof::oracle
