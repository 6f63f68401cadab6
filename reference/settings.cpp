#include "reference/settings.hpp"

#include <stdexcept>
#include <string>
#include <utility>

#include "reference/activation_list.hpp"

namespace cellproof::reference {
namespace {

std::vector<bool> reversed_directions(const Attributes& attributes) {
  // GRU-1's schema misspells its default; forward is meant (gru1-direction-default).
  const std::string direction = attributes.direction.value_or("forward");
  if (direction == "foward") return {false};
  switch (direction_named(direction).value_or(Direction::Forward)) {
    case Direction::Forward:
      return {false};
    case Direction::Reverse:
      return {true};
    case Direction::Bidirectional:
      return {false, true};
  }
  return {};
}

std::vector<std::int64_t> lengths_of(const Problem& problem, const Dimensions& size) {
  // "If not specified - assumed all sequences in the batch to have length seq_length."
  std::vector<std::int64_t> lengths(static_cast<std::size_t>(size.N), size.T);
  const Tensor* given = problem.input(input::sequence_lens);
  for (std::size_t n = 0; given && n < lengths.size(); ++n) {
    lengths[n] = given->integer(n);
    if (lengths[n] < 0 || lengths[n] > size.T) {
      throw std::invalid_argument("sequence_lens[" + std::to_string(n) + "] = " + std::to_string(lengths[n]) +
                                  ", expected 0 to " + std::to_string(size.T));
    }
  }
  return lengths;
}

std::optional<double> clip_of(const Attributes& attributes, const Readings& readings) {
  if (!attributes.clip) return std::nullopt;
  if (*attributes.clip == 0) {
    if (readings.is(Clause::ClipZero, "refuse"))
      throw std::invalid_argument("clip = 0 is refused under clip-zero=refuse");
    if (readings.is(Clause::ClipZero, "off")) return std::nullopt;
  }
  return *attributes.clip;
}

ClipScope clip_scope_of(const Readings& readings) {
  if (readings.is(Clause::ClipScope, "gates")) return ClipScope::Gates;
  if (readings.is(Clause::ClipScope, "gates+cell")) return ClipScope::GatesAndCell;
  return ClipScope::GatesAndH;
}

Coupling coupling_of(const Attributes& attributes, const Readings& readings) {
  if (attributes.input_forget.value_or(0) == 0) return Coupling::None;
  // Two coupled gates need the weights of one. Where those are the forget gate's (input-forget-weights=used), the input
  // gate is the dependent one, whichever way input-forget is read.
  const bool forget_gate_leads =
      readings.is(Clause::InputForget, "i=1-f") || readings.is(Clause::InputForgetWeights, "used");
  return forget_gate_leads ? Coupling::InputIsOneMinusForget : Coupling::ForgetIsOneMinusInput;
}

bool linear_before_reset_of(const Attributes& attributes, const Readings& readings) {
  const std::int64_t value = attributes.linear_before_reset.value_or(0);
  if (value == 0 || value == 1) return value == 1;
  if (readings.is(Clause::LinearBeforeResetOther, "refuse")) {
    throw std::invalid_argument("linear_before_reset = " + std::to_string(value) +
                                " is refused under linear-before-reset-other=refuse");
  }
  return readings.is(Clause::LinearBeforeResetOther, "nonzero-on");
}

/// Does N come before T? The dimensions are those of layout 1 wherever the layout is not 0.
bool is_batchwise(std::int64_t layout, const Readings& readings) {
  if (layout == 0 || layout == 1) return layout == 1;
  if (readings.is(Clause::LayoutOther, "refuse")) {
    throw std::invalid_argument("layout = " + std::to_string(layout) + " is refused under layout-other=refuse");
  }
  return readings.is(Clause::LayoutOther, "nonzero-is-1");
}

/// Throws std::invalid_argument where what belongs to sequences has not the shape that layout 0 gives it.
void expect_shapes_of_layout_0(const Problem& problem, const Dimensions& size) {
  const auto expect = [&](std::size_t position, const Shape& shape) {
    const Tensor* given = position < problem.inputs.size() ? problem.input(position) : nullptr;
    if (given && given->shape() != shape)
      throw std::invalid_argument("input " + std::to_string(position) + " has another shape in layout 0");
  };
  expect(input::sequence_lens, {size.N});
  expect(input::initial_h, {size.D, size.N, size.H});
  if (has_cell_state(problem.version.op)) expect(input::initial_c, {size.D, size.N, size.H});
}

}  // namespace

Settings settings_of(const Problem& problem, const Readings& readings) {
  const Attributes& attributes = problem.attributes;
  Settings settings;
  settings.size = dimensions_of(problem);
  settings.batchwise = is_batchwise(attributes.layout.value_or(0), readings);
  if (!settings.batchwise && attributes.layout.value_or(0) != 0) {
    std::swap(settings.size.T, settings.size.N);
    expect_shapes_of_layout_0(problem, settings.size);
  }
  settings.reversed = reversed_directions(attributes);
  settings.lengths = lengths_of(problem, settings.size);
  settings.activations = resolve_activations(problem, readings);
  settings.clip = clip_of(attributes, readings);
  settings.clip_scope = clip_scope_of(readings);
  settings.coupling = coupling_of(attributes, readings);
  settings.linear_before_reset = linear_before_reset_of(attributes, readings);
  const bool has_initial_c = has_cell_state(problem.version.op) && problem.input(input::initial_c);
  settings.first_cell_without_product = !has_initial_c && readings.is(Clause::AbsentInitialC, "skipped");
  settings.padding_carries_state = readings.is(Clause::PaddingOfY, "carry");
  settings.stateless_row_is_zero = settings.size.T == 0 ? readings.is(Clause::EmptySequenceState, "zero")
                                                        : readings.is(Clause::ZeroLengthState, "zero");
  return settings;
}

}  // namespace cellproof::reference
