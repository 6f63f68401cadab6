#include "oracle/precision_shows.hpp"

#include <numeric>
#include <utility>

#include "oracle/at.hpp"
#include "oracle/contract.hpp"
#include "oracle/value_type.hpp"

namespace cellproof::oracle {
namespace {

/// So many elements, at most, and one of them is a share and not one of many.
constexpr std::int64_t few_elements = 4;

/// Least value of the largest ratio of errors to the bounds of the contract that they come from. In TF32 with a
/// thousand terms this ratio is about a twentieth.
constexpr double least_ratio = 1.0 / 64;

std::int64_t count_of(const Judgement& judgement, ElementClass c) {
  return judgement.elements.at(static_cast<std::size_t>(c));
}

std::int64_t count_beyond(const Judgement& judgement) {
  return count_of(judgement, ElementClass::Divergent) + count_of(judgement, ElementClass::Suspect);
}

bool is_of_a_step(const std::optional<FirstElement>& first) {
  return first && first->by_value && first->place.output == output::Y;
}

/// The outputs with one element of Y as it should be, also where Y_h repeats it.
Outputs repaired(const Observed& seen, const FirstElement& first) {
  Outputs outputs = seen.outputs;
  const auto& [output, rank, d, b, j] = first.place;
  Tensor& Y = *outputs[output::Y];
  const std::size_t place = seen.layout.y_offset(seen.layout.time(d, b, rank), d, b) + at(j);
  const double damaged = Y.value(place);
  Y.set_value(place, first.expected);
  if (outputs.size() > output::Y_h && outputs[output::Y_h]) {
    Tensor& Y_h = *outputs[output::Y_h];
    const std::size_t of_state = seen.layout.state_offset(d, b) + at(j);
    if (Y_h.value(of_state) == damaged) Y_h.set_value(of_state, first.expected);
  }
  return outputs;
}

/// Does everything else fit the contract once a single element of Y is set right? The step after it started from the
/// engine's own value, which differs a little from what is put in its place: there, twice the bounds have room for
/// that.
bool is_one_damaged_element(const Observed& seen, const Evaluation& narrow, const Readings& readings, ContractId base) {
  if (!is_of_a_step(narrow.first)) return false;
  const Place& damaged = narrow.first->place;
  const Outputs outputs = repaired(seen, *narrow.first);
  const Observed mended(seen.problem, outputs);
  Evaluator evaluator(mended);
  const Evaluation rest = evaluator.evaluate({readings, base}, Depth::Described);
  if (rest.is(Verdict::Conforms) || rest.is(Verdict::Undecided)) return true;
  if (!is_of_a_step(rest.first)) return false;
  const Place& next = rest.first->place;
  if (next.d != damaged.d || next.b != damaged.b || next.rank != damaged.rank + 1) return false;
  if (count_beyond(rest.judgement) > seen.layout.H) return false;
  const Arithmetic twice = doubled(arithmetic_of(base, value_type(seen.problem)));
  return !evaluator.evaluate({readings, base, {}, twice}, Depth::Excluded).excluded();
}

bool rounds_factors(ContractId base, ContractId wide) {
  return contract(wide).operand_rounding != contract(base).operand_rounding ||
         contract(wide).narrowed_inputs != contract(base).narrowed_inputs;
}

/// Do the errors have the size that the wider contract's roundings have? An error a hundred times smaller in every
/// element is something else. Nothing is said where most elements are not verified.
bool is_of_its_size(const Observed& seen, const Readings& readings, ContractId wide) {
  const Judgement judgement = evaluate(seen, {readings, wide}, Depth::Counted).judgement;
  const std::int64_t verified = count_of(judgement, ElementClass::Exact) + count_of(judgement, ElementClass::Rounding);
  const std::int64_t all = std::accumulate(judgement.elements.begin(), judgement.elements.end(), std::int64_t{0});
  return 2 * verified < all || judgement.worst_ratio.value_or(1) >= least_ratio;
}

}  // namespace

bool must_show(ContractId base, ContractId wide) {
  return rounds_factors(base, wide) || contract(wide).activation_ulps > contract(base).activation_ulps;
}

bool shows_as_it_would(const Observed& seen, const Evaluation& narrow, const Readings& readings, ContractId base,
                       ContractId wide) {
  const std::int64_t beyond = count_beyond(narrow.judgement);
  const std::int64_t exact = count_of(narrow.judgement, ElementClass::Exact);
  const std::int64_t rounded = beyond + count_of(narrow.judgement, ElementClass::Rounding);
  // Few numbers keep all digits of float where factors have 16 bits: exact ones count against that.
  const bool in_a_share = 4 * beyond >= rounded + (computes_in_16_bits(wide) ? exact : 0);
  if (rounds_factors(base, wide) && !in_a_share) return false;
  const bool of_few = in_a_share && rounded + exact <= few_elements;
  if (rounds_factors(base, wide) && !is_of_its_size(seen, readings, wide)) return false;
  return of_few || !is_one_damaged_element(seen, narrow, readings, base);
}

}  // namespace cellproof::oracle
