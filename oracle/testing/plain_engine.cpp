#include "oracle/testing/plain_engine.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string>
#include <string_view>

#include "spec/float_conversion.hpp"

namespace cellproof::oracle::testing {
namespace {

using Vector = std::vector<double>;

double keep_bits(double value, int bits) {
  if (bits >= 53 || value == 0 || !std::isfinite(value)) return value;
  const double scale = std::ldexp(1.0, bits - 1 - std::ilogb(value));
  return std::nearbyint(value * scale) / scale;
}

struct Function {
  std::string name;
  double alpha = 0, beta = 0;
};

/// A function that takes an alpha, and the defaults.
struct Parameters {
  std::string_view name;
  double alpha, beta;
  bool takes_beta;
};
constexpr Parameters with_parameters[] = {{"Affine", 1, 0, true},           {"HardSigmoid", 0.2F, 0.5, true},
                                          {"ScaledTanh", 1, 1, true},       {"LeakyRelu", 0.01F, 0, false},
                                          {"ThresholdedRelu", 1, 0, false}, {"Elu", 1, 0, false}};

class Engine {
 public:
  Engine(const Problem& problem, const Style& style, Fault fault)
      : p_(problem), s_(style), fault_(fault), size_(dimensions_of(problem)), type_(problem.input(input::X)->type()) {}

  Vector lstm_step(std::int64_t direction, const std::function<double(std::int64_t)>& sum, Vector& c) {
    d_ = direction;
    sum_ = &sum;
    read_functions();
    return lstm({}, {}, c);
  }

  Outputs run() {
    Tensor Y(type_,
             batch_first() ? Shape{size_.N, size_.T, size_.D, size_.H} : Shape{size_.T, size_.D, size_.N, size_.H});
    Tensor Y_h(type_, batch_first() ? Shape{size_.N, size_.D, size_.H} : Shape{size_.D, size_.N, size_.H});
    Tensor Y_c = Y_h;
    for (d_ = 0; d_ < size_.D; ++d_) {
      read_functions();
      for (std::int64_t b = 0; b < size_.N; ++b) run_row(b, Y, Y_h, Y_c);
    }
    Outputs outputs(p_.outputs.size());
    const std::array all{Y, Y_h, Y_c};
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      if (p_.asks_for(k)) outputs[k] = all[k];
    }
    return outputs;
  }

 private:
  bool batch_first() const { return p_.attributes.layout.value_or(0) != 0; }
  bool reverse() const {
    const std::string direction = p_.attributes.direction.value_or("forward");
    return direction == "reverse" || (direction == "bidirectional" && d_ == 1);
  }
  /// The place of a unit in a state of row b.
  std::size_t in_state(const Tensor& state, std::int64_t b, std::int64_t j) const {
    return batch_first() ? state.offset({b, d_, j}) : state.offset({d_, b, j});
  }
  Vector initial_state(std::size_t position, std::int64_t b) const {
    Vector state(units(), 0.0);
    const Tensor* given = p_.input(position);
    for (std::int64_t j = 0; given != nullptr && j < size_.H; ++j) state[at(j)] = given->value(in_state(*given, b, j));
    return state;
  }
  std::int64_t steps_of(std::int64_t b) const {
    const Tensor* lengths = p_.input(input::sequence_lens);
    const std::int64_t steps = lengths ? lengths->integer(at(b)) : size_.T;
    return fault_ == Fault::LengthOneShort && steps > 1 ? steps - 1 : steps;
  }
  Vector x_at(std::int64_t t, std::int64_t b) const {
    Vector x;
    const Tensor& X = *p_.input(input::X);
    for (std::int64_t i = 0; i < size_.I; ++i) x.push_back(batch_first() ? X.value({b, t, i}) : X.value({t, b, i}));
    return x;
  }

  void run_row(std::int64_t b, Tensor& Y, Tensor& Y_h, Tensor& Y_c) {
    const bool takes_c = has_cell_state(p_.version.op) && fault_ != Fault::InitialCellIgnored;
    Vector h = initial_state(input::initial_h, b);
    Vector c = takes_c ? initial_state(input::initial_c, b) : Vector(units(), 0.0);
    const std::int64_t steps = steps_of(b);
    for (std::int64_t k = 0; k < steps; ++k) {
      const std::int64_t t = reverse() ? steps - 1 - k : k;
      h = step(x_at(t, b), h, c);
      for (std::int64_t j = 0; j < size_.H; ++j) {
        const double out = stored(h[at(j)]);
        Y.set_value(batch_first() ? Y.offset({b, t, d_, j}) : Y.offset({t, d_, b, j}), out);
        if (!s_.unrounded_state) h[at(j)] = out;
      }
    }
    for (std::int64_t j = 0; j < size_.H; ++j) {
      Y_h.set_value(in_state(Y_h, b, j), stored(h[at(j)]));
      Y_c.set_value(in_state(Y_c, b, j), stored(c[at(j)]));
    }
  }

  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
  std::size_t units() const { return at(size_.H); }
  double flush(double x) const {
    return s_.flushed && std::abs(x) < float_format(type_).min_normal ? std::copysign(0.0, x) : x;
  }
  double in_sum(double x) const { return flush(round_to(s_.sums, x)); }
  double elem(double x) const { return flush(round_to(s_.elements, x)); }
  double stored(double x) const { return flush(round_to(type_, x)); }
  double maybe_stored(double x) const { return s_.stored ? stored(x) : x; }

  double weight(std::size_t position, std::int64_t row, std::int64_t column) const {
    return p_.input(position)->value({d_, row, column});
  }
  double bias(std::int64_t row, bool recurrent) const {
    const Tensor* B = p_.input(input::B);
    if (!B || (recurrent && fault_ == Fault::RecurrentBiasDropped)) return 0;
    const double value = B->value({d_, recurrent ? B->shape()[1] / 2 + row : row});
    return fault_ == Fault::BiasTwice && row == 0 ? 2 * value : value;
  }

  Vector products(std::size_t position, std::int64_t row, const Vector& v) const {
    Vector all;
    std::size_t columns = v.size();
    if (fault_ == Fault::LastColumnDropped && position == input::R) --columns;
    for (std::size_t k = 0; k < columns; ++k) {
      const double p = flush(keep_bits(weight(position, row, static_cast<std::int64_t>(k)), s_.operand_bits)) *
                       flush(keep_bits(v[k], s_.operand_bits));
      all.push_back(s_.fused ? p : in_sum(p));
    }
    return all;
  }

  double pairwise_sum(Vector terms) const {
    while (terms.size() > 1) {
      Vector half;
      for (std::size_t k = 0; k < terms.size(); k += 2) {
        half.push_back(k + 1 < terms.size() ? in_sum(terms[k] + terms[k + 1]) : terms[k]);
      }
      terms = half;
    }
    return terms.empty() ? 0 : terms[0];
  }

  double sum_in_lanes(const Vector& terms) const {
    std::array<double, 4> lanes{};
    for (std::size_t k = 0; k < terms.size(); ++k) lanes[k % 4] = in_sum(lanes[k % 4] + terms[k]);
    return in_sum(in_sum(lanes[0] + lanes[2]) + in_sum(lanes[1] + lanes[3]));
  }

  double dot(std::size_t position, std::int64_t row, const Vector& v, double start) const {
    const Vector terms = products(position, row, v);
    double sum = start;
    switch (s_.order) {
      case Style::Order::Forward:
        for (const double p : terms) sum = in_sum(sum + p);
        return sum;
      case Style::Order::Backward:
        sum = 0;
        for (auto p = terms.rbegin(); p != terms.rend(); ++p) sum = in_sum(sum + *p);
        return in_sum(sum + start);
      case Style::Order::Pairwise:
        return in_sum(start + pairwise_sum(terms));
      case Style::Order::Lanes:
        return in_sum(start + sum_in_lanes(terms));
      case Style::Order::Wide:
        for (const double p : terms) sum += p;
        return in_sum(sum);
    }
    return sum;
  }

  double gate_sum(std::int64_t row, const Vector& x, const Vector& h) const {
    if (sum_) return (*sum_)(row);
    const double wb = bias(row, false), rb = bias(row, true);
    switch (s_.bias) {
      case Style::Bias::First:
        return maybe_stored(dot(input::R, row, h, dot(input::W, row, x, in_sum(wb + rb))));
      case Style::Bias::Last: {
        const double from_x = maybe_stored(dot(input::W, row, x, 0)), from_h = maybe_stored(dot(input::R, row, h, 0));
        return maybe_stored(in_sum(in_sum(from_x + from_h) + in_sum(wb + rb)));
      }
      case Style::Bias::Split:
        return maybe_stored(in_sum(maybe_stored(dot(input::W, row, x, wb)) + maybe_stored(dot(input::R, row, h, rb))));
    }
    return 0;
  }

  double tanh_of(double x) const {
    double y = 0;
    if (s_.kernel == Style::Kernel::Literal && std::abs(x) < 20) {
      const double e = elem(std::exp(elem(-2 * x)));
      y = elem(elem(1 - e) / elem(1 + e));
    } else if (s_.kernel == Style::Kernel::Clamped) {
      const double limit = s_.elements == ElementType::Double ? 20 : 9;
      y = elem(elem(2 * elem(1 / elem(1 + elem(std::exp(elem(-2 * std::clamp(x, -limit, limit))))))) - 1);
    } else {
      y = elem(std::tanh(x));
    }
    return fault_ == Fault::TanhOff ? elem(y + 1e-5 * std::sin(5 * x)) : y;
  }

  double apply(const Function& f, double a, bool clipping = true) const {
    const auto& clip = p_.attributes.clip;
    double x = a;
    if (clip && clipping && fault_ != Fault::ClipIgnored) x = std::max(-double{*clip}, std::min(double{*clip}, x));
    const auto line = [&] { return elem(elem(f.alpha * x) + f.beta); };
    double y = 0;
    if (f.name == "Tanh") y = tanh_of(x);
    if (f.name == "Sigmoid") y = elem(1 / elem(1 + elem(std::exp(-x))));
    if (f.name == "Relu") y = std::max(0.0, x);
    if (f.name == "Affine") y = line();
    if (f.name == "LeakyRelu") y = x >= 0 ? x : elem(f.alpha * x);
    if (f.name == "ThresholdedRelu") y = x >= f.alpha ? x : 0;
    if (f.name == "ScaledTanh") y = elem(f.alpha * tanh_of(elem(f.beta * x)));
    if (f.name == "HardSigmoid") y = std::clamp(line(), 0.0, 1.0);
    if (f.name == "Elu") y = x >= 0 ? x : elem(f.alpha * elem(elem(std::exp(x)) - 1));
    if (f.name == "Softsign") y = elem(x / elem(1 + std::abs(x)));
    if (f.name == "Softplus") y = x > 80 ? x : elem(std::log(elem(1 + elem(std::exp(x)))));
    return maybe_stored(y);
  }

  Vector step(const Vector& x, const Vector& h, Vector& c) const {
    if (p_.version.op == Operator::RNN) {
      Vector next;
      for (std::int64_t j = 0; j < size_.H; ++j) next.push_back(apply(functions_[0], gate_sum(j, x, h)));
      return next;
    }
    return p_.version.op == Operator::GRU ? gru(x, h) : lstm(x, h, c);
  }

  Vector gru(const Vector& x, const Vector& h) const {
    const std::int64_t H = size_.H;
    Vector z, r, reset, next;
    for (std::int64_t j = 0; j < H; ++j) {
      z.push_back(apply(functions_[0], gate_sum(j, x, h)));
      r.push_back(apply(functions_[0], gate_sum(H + j, x, h)));
      reset.push_back(maybe_stored(elem(r.back() * h[at(j)])));
    }
    const bool inner = (p_.attributes.linear_before_reset.value_or(0) != 0) != (fault_ == Fault::ResetFlipped);
    for (std::int64_t j = 0; j < H; ++j) {
      const std::int64_t row = 2 * H + j;
      const double a = inner ? in_sum(dot(input::W, row, x, bias(row, false)) +
                                      in_sum(r[at(j)] * dot(input::R, row, h, bias(row, true))))
                             : gate_sum(row, x, reset);
      const double candidate = apply(functions_[1], maybe_stored(a));
      const double weight_of_old = fault_ == Fault::UpdateGateInverted ? elem(1 - z[at(j)]) : z[at(j)];
      next.push_back(elem(elem(elem(1 - weight_of_old) * candidate) + elem(weight_of_old * h[at(j)])));
    }
    return next;
  }

  Vector lstm(const Vector& x, const Vector& h, Vector& c) const {
    const std::int64_t H = size_.H;
    const Tensor* P = p_.input(input::P);
    const bool coupled = p_.attributes.input_forget.value_or(0) != 0 && fault_ != Fault::CouplingIgnored;
    Vector next;
    for (std::int64_t j = 0; j < H; ++j) {
      const auto peep = [&](double a, std::int64_t gate, double cell) {
        return P ? in_sum(a + in_sum(P->value({d_, gate * H + j}) * cell)) : a;
      };
      const double old = c[at(j)];
      const bool swapped = fault_ == Fault::GatesSwapped;
      const double i = apply(functions_[0], peep(gate_sum((swapped ? 2 : 0) * H + j, x, h), 0, old));
      const double f =
          coupled ? elem(1 - i) : apply(functions_[0], peep(gate_sum((swapped ? 0 : 2) * H + j, x, h), 2, old));
      const double g = apply(functions_[1], gate_sum(3 * H + j, x, h));
      double cell = maybe_stored(elem(elem(f * old) + elem(i * g)));
      if (fault_ == Fault::CellStoredIn16Bits) cell = round_to(ElementType::Float16, cell);
      const double looked_at = fault_ == Fault::PeepholeUsesOldCell ? old : cell;
      const double o = apply(functions_[0], peep(gate_sum(H + j, x, h), 1, looked_at));
      next.push_back(elem(o * apply(functions_[2], cell)));
      c[at(j)] = cell;
    }
    return next;
  }

  /// The names, by direction and slot.
  std::vector<std::string> function_names() const {
    if (p_.attributes.activations) return *p_.attributes.activations;
    std::vector<std::string> names{"Sigmoid", "Tanh", "Tanh"};
    const std::size_t slots = at(activation_count(p_.version.op));
    if (p_.version.op == Operator::RNN) names = {"Tanh"};
    names.resize(slots);
    for (std::size_t k = 0; size_.D == 2 && k < slots; ++k) names.push_back(std::string(names[k]));
    return names;
  }

  /// The default readings: one stream of values for both directions, read by the functions that take one.
  void read_functions() {
    const std::vector<std::string> names = function_names();
    const std::size_t slots = at(activation_count(p_.version.op));
    std::size_t alphas = 0, betas = 0;
    const auto take = [](const std::optional<std::vector<float>>& list, std::size_t& next, double& value) {
      if (list && next < list->size()) value = (*list)[next];
      ++next;
    };
    functions_.clear();
    for (std::size_t k = 0; k < slots * at(size_.D); ++k) {
      Function f{names[k], 1, 0};
      const auto parameters = std::ranges::find(with_parameters, names[k], &Parameters::name);
      if (parameters != std::end(with_parameters)) {
        f = {names[k], parameters->alpha, parameters->beta};
        take(p_.attributes.activation_alpha, alphas, f.alpha);
        if (parameters->takes_beta) take(p_.attributes.activation_beta, betas, f.beta);
      }
      if (k >= slots * at(d_) && k < slots * at(d_ + 1)) functions_.push_back(f);
    }
  }

  const Problem& p_;
  const Style& s_;
  Fault fault_;
  Dimensions size_;
  ElementType type_;
  std::int64_t d_ = 0;
  std::vector<Function> functions_;
  const std::function<double(std::int64_t)>* sum_ = nullptr;
};

}  // namespace

Outputs compute(const Problem& problem, const Style& style, Fault fault) {
  return Engine(problem, style, fault).run();
}

std::vector<double> lstm_step(const Problem& problem, std::int64_t direction,
                              const std::function<double(std::int64_t)>& sum, std::vector<double>& C, Fault fault) {
  const Style single;
  return Engine(problem, single, fault).lstm_step(direction, sum, C);
}

}  // namespace cellproof::oracle::testing
