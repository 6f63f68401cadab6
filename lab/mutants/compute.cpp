#include <algorithm>
#include <cmath>

#include "lab/mutants/faults.hpp"
#include "lab/mutants/faulty_cell.hpp"
#include "lab/zoo/plain_outputs.hpp"
#include "spec/float_conversion.hpp"

namespace cellproof::lab::mutants {
namespace {

template <class F>
std::vector<F> row_of(const std::vector<double>& states, std::size_t n, std::size_t H) {
  if (states.empty()) return std::vector<F>(H, F(0));
  const auto begin = states.begin() + static_cast<std::ptrdiff_t>(n * H);
  return {begin, begin + static_cast<std::ptrdiff_t>(H)};
}

template <class F>
std::vector<F> row_of(const double* states, std::size_t H) {
  std::vector<F> row(H);
  std::transform(states, states + H, row.begin(), [](double value) { return static_cast<F>(value); });
  return row;
}

/// One sequence of one direction on its way.
template <class F>
class Sequence {
 public:
  Sequence(const ResolvedNode& node, const Faults& faults, std::size_t d, std::size_t n, zoo::PlainOutputs& outputs)
      : node_(node), faults_(faults), direction_(node.directions[d]), d_(d), n_(n), outputs_(outputs) {}

  /// Puts the initial state in h and c.
  void start(std::vector<F>& h, std::vector<F>& c) const {
    const bool chained = faults_.directions_are_chained && d_ == 1;
    h = chained ? row_of<F>(outputs_.h(node_, 0, n_), node_.H) : row_of<F>(direction_.h, n_, node_.H);
    c = chained ? row_of<F>(outputs_.c(node_, 0, n_), node_.H) : row_of<F>(direction_.c, n_, node_.H);
  }

  /// Leaves the last state in h and c.
  void run(FaultyCell<F>& cell, std::vector<F>& h, std::vector<F>& c) {
    const std::size_t length = node_.lengths[n_];
    const bool through_padding = direction_.reverse && faults_.reverse_starts_in_padding;
    const std::size_t steps = through_padding ? node_.T : length;
    const std::size_t late = direction_.reverse && faults_.reverse_takes_last_steps ? node_.T - steps : 0;
    for (std::size_t step = 0; step < steps; ++step) {
      const std::size_t t = direction_.reverse ? steps - 1 - step : step;
      if (faults_.resets_every > 0 && step > 0 && step % static_cast<std::size_t>(faults_.resets_every) == 0)
        start(h, c);
      advance(cell, t + late, step, h, c);
      if (t >= length) continue;
      const std::size_t row = direction_.reverse && faults_.Y_in_processing_order ? step : t + late;
      std::copy(h.begin(), h.end(), outputs_.y(node_, row, d_, n_));
    }
    if (!faults_.padding_is_computed) return;
    std::vector<F> padding_h = h, padding_c = c;
    for (std::size_t t = length; t < node_.T; ++t) {
      advance(cell, t, t, padding_h, padding_c);
      std::copy(padding_h.begin(), padding_h.end(), outputs_.y(node_, t, d_, n_));
    }
  }

 private:
  void advance(FaultyCell<F>& cell, std::size_t t, std::size_t step, std::vector<F>& h, std::vector<F>& c) const {
    const std::size_t input_time = direction_.reverse ? t + step - read_at(step) : t + read_at(step) - step;
    const double* x = node_.X.data() + (input_time * node_.N + n_) * node_.I;
    cell.step(t, std::vector<F>(x, x + node_.I), h, c);
    for (F& value : h) value = static_cast<F>(round_to(node_.type, value));
  }

  /// The step whose input is read.
  std::size_t read_at(std::size_t step) const {
    const std::size_t lag = static_cast<std::size_t>(std::abs(faults_.input_lag)), length = node_.lengths[n_];
    if (faults_.input_lag == 0) return step;
    if (faults_.input_lag > 0) return step > lag ? step - lag : 0;
    return std::min(step + lag, std::max(step, length - 1));
  }

  const ResolvedNode& node_;
  const Faults& faults_;
  const ResolvedDirection& direction_;
  std::size_t d_, n_;
  zoo::PlainOutputs& outputs_;
};

template <class F>
zoo::PlainOutputs compute_in(const ResolvedNode& node, const Faults& faults) {
  zoo::PlainOutputs outputs(node);
  for (std::size_t d = 0; d < node.directions.size(); ++d) {
    const ResolvedDirection& direction = node.directions[d];
    FaultyCell<F> cell(node, direction, faults);
    std::vector<F> h, c;
    for (std::size_t n = 0; n < node.N; ++n) {
      Sequence<F> sequence(node, faults, d, n, outputs);
      if (n == 0 || !faults.row_state_leaks) sequence.start(h, c);
      sequence.run(cell, h, c);
      std::copy(h.begin(), h.end(), outputs.h(node, d, n));
      std::copy(c.begin(), c.end(), outputs.c(node, d, n));
    }
  }
  return outputs;
}

/// A call that starts from the states in which the one before ended, as they were returned.
zoo::PlainOutputs second_call(ResolvedNode node, Faults faults) {
  faults.call_state_is_kept = false;
  const zoo::PlainOutputs first = compute(faults.call_before ? *faults.call_before : node, faults);
  const std::size_t size = node.N * node.H;
  for (std::size_t d = 0; d < node.directions.size(); ++d) {
    ResolvedDirection& direction = node.directions[d];
    for (std::size_t k = 0; k < size; ++k) {
      direction.h[k] = round_to(node.type, first.Y_h[d * size + k]);
      if (!direction.c.empty()) direction.c[k] = round_to(node.type, first.Y_c[d * size + k]);
    }
  }
  return compute(node, faults);
}

/// The outputs of a node whose batch is taken for time. The states of as many rows as there are come out, the last one
/// again for those that are missing.
zoo::PlainOutputs along_the_batch(const ResolvedNode& node, Faults faults) {
  faults.batch_is_time = false;
  faults.one_element_off = false;
  faults.spoil = {};
  ResolvedNode turned = node;
  std::swap(turned.T, turned.N);
  turned.X = fuzz::with_axes_swapped(node.X, node.T, node.N, node.I);
  turned.lengths.assign(turned.N, turned.T);
  for (ResolvedDirection& direction : turned.directions) {
    direction.h.assign(direction.h.empty() ? 0 : turned.N * node.H, 0);
    direction.c.assign(direction.c.empty() ? 0 : turned.N * node.H, 0);
  }
  zoo::PlainOutputs seen = compute(turned, faults), outputs(node);
  const auto copy = [&](const double* from, double* to) { std::copy(from, from + node.H, to); };
  for (std::size_t d = 0; d < node.directions.size(); ++d) {
    for (std::size_t n = 0; n < node.N; ++n) {
      for (std::size_t t = 0; t < node.T; ++t) copy(seen.y(turned, n, d, t), outputs.y(node, t, d, n));
      const std::size_t row = std::min(n, node.T - 1);
      copy(seen.h(turned, d, row), outputs.h(node, d, n));
      copy(seen.c(turned, d, row), outputs.c(node, d, n));
    }
  }
  return outputs;
}

}  // namespace

void spoil_outputs(const ResolvedNode& node, const Faults& faults, zoo::PlainOutputs& outputs) {
  if (faults.one_element_off) {
    // The middle step of the first sequence that has one: the element is stored wrongly, the state goes on rightly.
    const auto row =
        std::find_if(node.lengths.begin(), node.lengths.end(), [](std::size_t length) { return length > 0; });
    if (row != node.lengths.end() && node.H > 0) {
      outputs.y(node, *row / 2, 0, static_cast<std::size_t>(row - node.lengths.begin()))[node.H / 2] *= 1 + 1e-4;
    }
  }
  if (faults.spoil) faults.spoil(node, outputs);
}

zoo::PlainOutputs compute(const ResolvedNode& node, const Faults& faults) {
  if (faults.call_state_is_kept) return second_call(node, faults);
  zoo::PlainOutputs outputs = faults.batch_is_time               ? along_the_batch(node, faults)
                              : node.type == ElementType::Double ? compute_in<double>(node, faults)
                                                                 : compute_in<float>(node, faults);
  spoil_outputs(node, faults, outputs);
  return outputs;
}

}  // namespace cellproof::lab::mutants
