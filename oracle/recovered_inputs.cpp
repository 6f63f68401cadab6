#include "oracle/recovered_inputs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "oracle/at.hpp"
#include "oracle/least_squares.hpp"
#include "oracle/values_of.hpp"

namespace cellproof::oracle {
namespace {

constexpr double most_work = 3e9;             ///< multiplications of a second or two
constexpr double most_work_for_h = 1e7;       ///< third powers of the hidden size, of each row: as long
constexpr double worst_fit = 1e-5;            ///< root of the mean square that float outputs may leave
constexpr double largest_of_noise = 1e-3;     ///< a tensor below it shows how an engine rounds, not what it lacks
constexpr std::int64_t steps_for_states = 4;  ///< even, so that both halves get as many; later ones show little more
constexpr std::size_t most_parts = 4;

using Parts = std::array<double, most_parts>;

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

/// A direction of the node, with the states before each step taken from Y: so every unit goes its own way. Parts are
/// what is added up in front of a unit's functions: a gate each, and in a GRU the product with R inside the reset gate.
class ForcedDirection {
 public:
  ForcedDirection(const Observed& seen, std::int64_t direction) : seen_(seen), f_(seen.layout), d_(direction) {
    const auto of = [&](std::size_t position) {
      const Tensor* tensor = seen.problem.input(position);
      return tensor ? values_of(*tensor) : std::vector<double>{};
    };
    W_ = of(input::W), R_ = of(input::R), B_ = of(input::B);
    if (op() == Operator::LSTM) P_ = of(input::P);
  }

  const Layout& layout() const { return f_; }
  Operator op() const { return seen_.problem.version.op; }
  std::size_t parts() const { return op() == Operator::RNN ? 1 : most_parts; }

  double y(std::int64_t b, std::int64_t rank, std::int64_t j) const {
    return (*seen_.Y)[f_.y_offset(f_.time(d_, b, rank), d_, b) + at(j)];
  }
  /// The states before a step, where they are not sought.
  double before(std::int64_t b, std::int64_t rank, std::int64_t j) const {
    return rank > 0 ? y(b, rank - 1, j) : first_of(seen_.initial_h, b, j);
  }
  double first_c(std::int64_t b, std::int64_t j) const { return first_of(seen_.initial_c, b, j); }

  /// Sums of a unit, without the product with R unless `with_state`.
  Parts sums(std::int64_t b, std::int64_t rank, std::int64_t j, bool with_state) const {
    Parts result{};
    const std::size_t x = f_.x_offset(f_.time(d_, b, rank), b);
    for (std::size_t k = 0; k < gates(); ++k) {
      const std::size_t row = row_of(k, j);
      for (std::size_t i = 0; i < at(f_.I); ++i) result[k] += W_[row * at(f_.I) + i] * seen_.X[x + i];
      if (!B_.empty()) result[k] += B_[bias_of(0, k, j)];
      if (!B_.empty()) result[state_part(k)] += B_[bias_of(1, k, j)];
    }
    if (with_state) add_state(result, j, [&](std::int64_t i) { return before(b, rank, i); });
    return result;
  }
  template <class State>
  void add_state(Parts& sums, std::int64_t j, const State& state) const {
    for (std::size_t k = 0; k < gates(); ++k)
      for (std::int64_t i = 0; i < f_.H; ++i) sums[state_part(k)] += R_[row_of(k, j) * at(f_.H) + at(i)] * state(i);
  }

  /// The unit's next state.
  double step(const Parts& sums, std::int64_t j, double h, double& c) const {
    if (op() == Operator::RNN) return std::tanh(sums[0]);
    if (op() == Operator::GRU) {
      const double z = sigmoid(sums[0]), n = std::tanh(sums[2] + sigmoid(sums[1]) * sums[3]);
      return (1 - z) * n + z * h;
    }
    const auto peephole = [&](std::int64_t k) { return P_.empty() ? 0 : P_[at((3 * d_ + k) * f_.H + j)]; };
    const double i = sigmoid(sums[0] + peephole(0) * c), forget = sigmoid(sums[2] + peephole(2) * c);
    c = forget * c + i * std::tanh(sums[3]);
    return sigmoid(sums[1] + peephole(1) * c) * std::tanh(c);
  }

  std::size_t gates() const { return static_cast<std::size_t>(gate_count(op())); }
  /// The place in B of a bias of W (0) or R (1).
  std::size_t bias_of(std::size_t half, std::size_t gate, std::int64_t j) const {
    return at(d_) * 2 * gates() * at(f_.H) + (half * gates() + gate) * at(f_.H) + at(j);
  }

 private:
  double first_of(const std::vector<double>& state, std::int64_t b, std::int64_t j) const {
    return state.empty() ? 0 : state[f_.state_offset(d_, b) + at(j)];
  }
  std::size_t row_of(std::size_t gate, std::int64_t j) const { return (at(d_) * gates() + gate) * at(f_.H) + at(j); }
  /// The part that the product with R of a gate is in.
  std::size_t state_part(std::size_t gate) const { return op() == Operator::GRU && gate == 2 ? 3 : gate; }

  const Observed& seen_;
  const Layout& f_;
  std::int64_t d_;
  std::vector<double> W_, R_, B_, P_;
};

bool is_understood(const Observed& seen) {
  const Attributes& a = seen.problem.attributes;
  const Operator op = seen.problem.version.op;
  const Tensor* x = seen.problem.input(input::X);
  const bool resets_before = op == Operator::GRU && a.linear_before_reset.value_or(0) == 0;
  const bool usual = !a.activations && !a.clip && a.input_forget.value_or(0) == 0;
  return seen.Y && usual && !resets_before && !is_quantised(op) && x && x->type() == ElementType::Float &&
         seen.X_radius.empty();
}

/// Solves, and takes only what both halves of the residuals show.
std::optional<std::vector<double>> shown_twice(const Residuals& residuals, std::vector<double> start) {
  constexpr double most_error = 1e-2;
  LeastSquares least = least_squares(residuals, std::move(start));
  if (!(least.fit <= worst_fit && least.largest_error <= most_error)) return std::nullopt;
  return std::move(least.unknowns);
}

/// Solves for the state before the first step that rows of a direction share. An LSTM's cell carries it into later
/// steps, which confirm it; in other operators only another row can do that.
std::optional<std::vector<double>> state_before(const ForcedDirection& forced, const std::vector<std::int64_t>& rows) {
  const std::int64_t steps = forced.op() == Operator::LSTM ? steps_for_states : 1;
  const Layout& f = forced.layout();
  std::vector<Parts> without_state;
  for (std::int64_t j = 0; j < f.H; ++j)
    for (const std::int64_t b : rows)
      for (std::int64_t rank = 0; rank < steps; ++rank) without_state.push_back(forced.sums(b, rank, j, rank > 0));
  const auto residuals = [&](const std::vector<double>& sought) {
    std::vector<double> result;
    for (std::int64_t j = 0; j < f.H; ++j) {
      Parts product{};
      forced.add_state(product, j, [&](std::int64_t i) { return sought[at(i)]; });
      for (const std::int64_t b : rows) {
        double c = forced.first_c(b, j);
        for (std::int64_t rank = 0; rank < steps; ++rank) {
          Parts sums = without_state[result.size()];
          for (std::size_t k = 0; rank == 0 && k < sums.size(); ++k) sums[k] += product[k];
          result.push_back(forced.step(sums, j, sought[at(j)], c) - forced.y(b, rank, j));
        }
      }
    }
    return result;
  };
  return shown_twice(residuals, std::vector<double>(at(f.H)));
}

/// A cell that comes to rest on a slope begins again elsewhere.
std::optional<double> cell_before(const ForcedDirection& forced, std::int64_t b, std::int64_t j) {
  std::vector<Parts> sums;
  for (std::int64_t rank = 0; rank < steps_for_states; ++rank) sums.push_back(forced.sums(b, rank, j, true));
  const auto residuals = [&](const std::vector<double>& sought) {
    std::vector<double> result;
    double c = sought[0];
    for (const Parts& of : sums) result.push_back(forced.step(of, j, 0, c) - forced.y(b, std::ssize(result), j));
    return result;
  };
  for (const double start : {0.0, 1.0, -1.0, 3.0, -3.0})
    if (const auto found = shown_twice(residuals, {start})) return found->front();
  return std::nullopt;
}

/// The biases of a unit, in the order of its parts.
std::optional<std::vector<double>> bias_of_unit(const ForcedDirection& forced, std::int64_t j) {
  const Layout& f = forced.layout();
  std::vector<std::vector<Parts>> sums(at(f.N));
  for (std::int64_t b = 0; b < f.N; ++b)
    for (std::int64_t rank = 0; rank < f.lengths[at(b)]; ++rank) sums[at(b)].push_back(forced.sums(b, rank, j, true));
  const auto residuals = [&](const std::vector<double>& sought) {
    std::vector<double> result;
    for (std::int64_t b = 0; b < f.N; ++b) {
      double c = forced.first_c(b, j);
      for (std::int64_t rank = 0; rank < f.lengths[at(b)]; ++rank) {
        Parts with = sums[at(b)][at(rank)];
        for (std::size_t k = 0; k < sought.size(); ++k) with[k] += sought[k];
        result.push_back(forced.step(with, j, forced.before(b, rank, j), c) - forced.y(b, rank, j));
      }
    }
    return result;
  };
  return shown_twice(residuals, std::vector<double>(forced.parts()));
}

std::optional<std::vector<double>> recovered_bias(const Observed& seen) {
  const Layout& f = seen.layout;
  std::vector<double> bias;
  for (std::int64_t d = 0; d < f.D; ++d) {
    const ForcedDirection forced(seen, d);
    bias.resize(bias.size() + 2 * forced.gates() * at(f.H));
    for (std::int64_t j = 0; j < f.H; ++j) {
      const auto of_unit = bias_of_unit(forced, j);
      if (!of_unit) return std::nullopt;
      for (std::size_t k = 0; k < of_unit->size(); ++k)
        bias[k < forced.gates() ? forced.bias_of(0, k, j) : forced.bias_of(1, 2, j)] = (*of_unit)[k];
    }
  }
  return bias;
}

std::optional<std::vector<double>> recovered_initial_h(const Observed& seen) {
  const Layout& f = seen.layout;
  std::vector<std::int64_t> all(at(f.N));
  std::iota(all.begin(), all.end(), 0);
  std::vector<double> states(at(f.D * f.N * f.H));
  for (std::int64_t d = 0; d < f.D; ++d) {
    const ForcedDirection forced(seen, d);
    std::optional<std::vector<double>> state;
    for (const std::int64_t b : all) {
      if (forced.op() == Operator::LSTM)
        state = state_before(forced, {b});
      else if (b == 0)
        state = state_before(forced, all);
      if (!state) return std::nullopt;
      std::ranges::copy(*state, states.begin() + static_cast<std::ptrdiff_t>(f.state_offset(d, b)));
    }
  }
  return states;
}

std::optional<std::vector<double>> recovered_initial_c(const Observed& seen) {
  const Layout& f = seen.layout;
  std::vector<double> states(at(f.D * f.N * f.H));
  for (std::int64_t d = 0; d < f.D; ++d) {
    const ForcedDirection forced(seen, d);
    for (std::int64_t b = 0; b < f.N; ++b) {
      for (std::int64_t j = 0; j < f.H; ++j) {
        const auto cell = cell_before(forced, b, j);
        if (!cell) return std::nullopt;
        states[f.state_offset(d, b) + at(j)] = *cell;
      }
    }
  }
  return states;
}

}  // namespace

std::vector<RecoveredInput> recovered_inputs(const Observed& seen) {
  if (!is_understood(seen)) return {};
  const Layout& f = seen.layout;
  const Operator op = seen.problem.version.op;
  std::vector<RecoveredInput> found;
  const auto is_large = [](double value) { return std::abs(value) > largest_of_noise; };
  const auto add = [&](std::size_t position, const Shape& shape, const std::optional<std::vector<double>>& values) {
    if (values && std::ranges::any_of(*values, is_large))
      found.push_back({position, Tensor::from_values(ElementType::Float, shape, *values)});
  };
  const auto lacks = [&](std::size_t position) { return seen.problem.input(position) == nullptr; };
  const bool is_long = std::ranges::all_of(f.lengths, [](std::int64_t length) { return length >= steps_for_states; });
  const double H = static_cast<double>(f.H), work_for_h = static_cast<double>(f.D * f.N) * H * H * H;
  if (lacks(input::initial_h) && is_long && work_for_h <= most_work_for_h)
    add(input::initial_h, f.state_shape(), recovered_initial_h(seen));
  if (op == Operator::LSTM && lacks(input::initial_c) && is_long)
    add(input::initial_c, f.state_shape(), recovered_initial_c(seen));
  if (lacks(input::B) && f.products(op) * static_cast<double>(f.D) <= most_work)
    add(input::B, {f.D, 2 * gate_count(op) * f.H}, recovered_bias(seen));
  return found;
}

}  // namespace cellproof::oracle
