#pragma once

#include <vector>

#include "reference/gru_step.hpp"
#include "reference/lstm_step.hpp"
#include "reference/rnn_step.hpp"
#include "reference/sequence.hpp"

namespace cellproof::reference {

/// The tensors of a node with float weights as numbers, absent ones as zeros, and the settings that go with them.
template <class Real>
struct Node {
  Settings settings;
  Layout layout;
  std::int64_t gates;
  Numbers<Real> X, W, R, B, P;

  Node(const Problem& problem, Settings s)
      : settings(std::move(s)),
        layout{settings.batchwise, settings.size},
        gates(gate_count(problem.version.op)),
        X(problem.input(input::X), layout.X()),
        W(problem.input(input::W), {settings.size.D, gates * settings.size.H, settings.size.I}),
        R(problem.input(input::R), {settings.size.D, gates * settings.size.H, settings.size.H}),
        B(problem.input(input::B), {settings.size.D, 2 * gates * settings.size.H}),
        P(has_cell_state(problem.version.op) ? problem.input(input::P) : nullptr,
          {settings.size.D, 3 * settings.size.H}) {}

  Parameters<Real> parameters(std::int64_t d) const { return {W, R, B, &P, d, gates, settings.size.H}; }

  /// Function number `slot` of direction d, clipping its argument.
  Activate<Real> clipping(std::int64_t d, std::size_t slot) const { return {activation(d, slot), clip_threshold()}; }
  Activate<Real> unclipped(std::int64_t d, std::size_t slot) const { return {activation(d, slot), std::nullopt}; }

  std::optional<Real> clip_threshold() const {
    return settings.clip ? std::optional<Real>(Real(*settings.clip)) : std::nullopt;
  }
  LstmFunctions<Real> lstm_functions(std::int64_t d, std::int64_t step) const {
    const bool h_clips = settings.clip_scope == ClipScope::GatesAndH;
    const bool cell_clips = settings.clip_scope == ClipScope::GatesAndCell;
    return {.f = clipping(d, 0),
            .g = clipping(d, 1),
            .h = h_clips ? clipping(d, 2) : unclipped(d, 2),
            .cell_clip = cell_clips ? clip_threshold() : std::nullopt,
            .coupling = settings.coupling,
            .forgets_nothing = step == 0 && settings.first_cell_without_product};
  }

  /// Xt of sequence n at its step number `step`.
  Vector<Real> Xt(std::int64_t d, std::int64_t n, std::int64_t step) const {
    const bool reversed = settings.reversed[static_cast<std::size_t>(d)];
    const std::int64_t t = input_time(reversed, settings.lengths[static_cast<std::size_t>(n)], step);
    Vector<Real> x;
    for (std::int64_t k = 0; k < settings.size.I; ++k) x.push_back(layout.in_X(X, t, n, k));
    return x;
  }

 private:
  const Activation& activation(std::int64_t d, std::size_t slot) const {
    return settings.activations[static_cast<std::size_t>(d)][slot];
  }
};

/// The three operators with float weights as run_sequences drives them: each step of a sequence stands for itself.
template <class Real>
class FloatCell {
 public:
  explicit FloatCell(const Node<Real>& node) : node_(node) {}
  void begin_direction(std::int64_t d) { d_ = d; }
  void begin_step(std::int64_t, const std::vector<State<Real>>&) {}

 protected:
  const Node<Real>& node_;
  std::int64_t d_ = 0;
};

template <class Real>
struct RnnCell : FloatCell<Real> {
  using FloatCell<Real>::FloatCell;
  State<Real> step(std::int64_t n, std::int64_t step, const State<Real>& state) const {
    const auto& node = this->node_;
    const RnnFunctions<Real> functions{node.clipping(this->d_, 0)};
    return {rnn_step(node.parameters(this->d_), functions, node.Xt(this->d_, n, step), state.H), {}};
  }
};

template <class Real>
struct GruCell : FloatCell<Real> {
  using FloatCell<Real>::FloatCell;
  State<Real> step(std::int64_t n, std::int64_t step, const State<Real>& state) const {
    const auto& node = this->node_;
    const GruFunctions<Real> functions{node.clipping(this->d_, 0), node.clipping(this->d_, 1),
                                       node.settings.linear_before_reset};
    return {gru_step(node.parameters(this->d_), functions, node.Xt(this->d_, n, step), state.H), {}};
  }
};

template <class Real>
struct LstmCell : FloatCell<Real> {
  using FloatCell<Real>::FloatCell;
  State<Real> step(std::int64_t n, std::int64_t step, const State<Real>& state) const {
    const auto& node = this->node_;
    const auto p = node.parameters(this->d_);
    const Vector<Real> Xt = node.Xt(this->d_, n, step);
    return lstm_step(
        p, node.lstm_functions(this->d_, step), [&](int gate, std::int64_t j) { return p.times_W(Xt, gate, j); },
        [&](int gate, std::int64_t j) { return p.times_R(state.H, gate, j); }, state.C);
  }
};

}  // namespace cellproof::reference
