#include "oracle/nearest_node.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>
#include <vector>

#include "oracle/at.hpp"
#include "oracle/contracts_tried.hpp"
#include "oracle/evaluate.hpp"
#include "oracle/recovered_inputs.hpp"
#include "spec/expectation.hpp"

namespace cellproof::oracle {
namespace {

/// A change of the node, and what to say of it. Made when it is tried: a node may have millions of weights.
struct ChangeOfNode {
  std::string words;
  std::function<void(Problem&)> make;
};
using Changes = std::vector<ChangeOfNode>;

/// So many weights at most that a hundred lists of functions are tried within seconds.
constexpr std::size_t most_weights_for_functions = std::size_t{1} << 20;

void make_empty(Problem& problem, std::size_t position) {
  problem.inputs[position] = {Presence::Empty, Source::GraphInput, std::nullopt};
}

void give(Problem& problem, std::size_t position, Tensor tensor) {
  while (problem.inputs.size() <= position) problem.inputs.push_back({Presence::Empty, {}, {}});
  problem.inputs[position] = {Presence::Given, Source::GraphInput, std::move(tensor)};
}

bool is_given(const Problem& problem, std::size_t position) {
  return problem.input(position) != nullptr;
}

/// The steps that each row took, as zeros behind them in Y show; nothing where no row ends before the others.
std::optional<std::vector<double>> lengths_shown_by(const Observed& seen) {
  if (!seen.Y) return std::nullopt;
  const Layout& f = seen.layout;
  std::vector<double> lengths(at(f.N));
  bool is_ragged = false;
  for (std::int64_t b = 0; b < f.N; ++b) {
    std::int64_t length = f.T;
    const auto is_zero = [&](std::int64_t t) {
      for (std::int64_t d = 0; d < f.D; ++d)
        for (std::size_t j = 0; j < at(f.H); ++j)
          if ((*seen.Y)[f.y_offset(t, d, b) + j] != 0) return false;
      return true;
    };
    while (length > 0 && is_zero(length - 1)) --length;
    lengths[at(b)] = static_cast<double>(length);
    is_ragged = is_ragged || length < f.T;
  }
  return is_ragged ? std::optional(lengths) : std::nullopt;
}

void add_lengths(const Observed& seen, Changes& list) {
  if (is_given(seen.problem, input::sequence_lens)) {
    list.push_back({"without sequence_lens", [](Problem& p) { make_empty(p, input::sequence_lens); }});
    return;
  }
  const auto lengths = lengths_shown_by(seen);
  if (!lengths) return;
  const auto make = [=](Problem& p) {
    give(p, input::sequence_lens, Tensor::from_values(ElementType::Int32, {std::ssize(*lengths)}, *lengths));
  };
  list.push_back({fmt::format("with sequence_lens {}", fmt::join(*lengths, ",")), make});
}

void add_left_out_inputs(const Problem& problem, Changes& list) {
  constexpr std::array optional{input::B, input::initial_h, input::initial_c, input::P};
  for (const std::size_t position : optional)
    if (is_given(problem, position))
      list.push_back({fmt::format("without {}", input_names(problem.version.op)[position]),
                      [=](Problem& p) { make_empty(p, position); }});
  if (!is_given(problem, input::initial_h) || !is_given(problem, input::initial_c)) return;
  list.push_back({"without initial states", [](Problem& p) {
                    make_empty(p, input::initial_h);
                    make_empty(p, input::initial_c);
                  }});
}

void add_flag(const Problem& problem, const char* words, std::optional<std::int64_t> Attributes::*flag, Changes& list) {
  const std::int64_t other = (problem.attributes.*flag).value_or(0) == 0 ? 1 : 0;
  list.push_back({fmt::format("with {}={}", words, other), [=](Problem& p) { p.attributes.*flag = other; }});
}

void add_attributes(const Problem& problem, Changes& list) {
  const std::string direction = problem.attributes.direction.value_or("forward");
  if (direction != "bidirectional") {
    const std::string other = direction == "forward" ? "reverse" : "forward";
    list.push_back({fmt::format("with direction={}", other), [=](Problem& p) { p.attributes.direction = other; }});
  }
  if (problem.version.op == Operator::GRU)
    add_flag(problem, "linear_before_reset", &Attributes::linear_before_reset, list);
  if (problem.version.op == Operator::LSTM) add_flag(problem, "input_forget", &Attributes::input_forget, list);
  if (problem.attributes.clip) list.push_back({"without clip", [](Problem& p) { p.attributes.clip.reset(); }});
}

/// Functions that frameworks offer, in the order in which the operator takes them.
void add_functions(const Problem& problem, Changes& list) {
  constexpr std::array gates{"Sigmoid", "HardSigmoid", "Tanh", "Relu"};
  constexpr std::array others{"Tanh", "Relu", "Sigmoid", "Softsign", "HardSigmoid"};
  const std::size_t directions = problem.attributes.direction.value_or("") == "bidirectional" ? 2 : 1;
  const auto add = [&](const std::vector<std::string>& functions) {
    std::vector<std::string> all;
    for (std::size_t d = 0; d < directions; ++d) all.insert(all.end(), functions.begin(), functions.end());
    const auto write = [=](Problem& p) {
      p.attributes.activation_alpha.reset();
      p.attributes.activation_beta.reset();
      p.attributes.activations = all;
    };
    list.push_back({fmt::format("with activations={}", fmt::join(all, ",")), write});
  };
  for (const char* f : gates) {
    if (problem.version.op == Operator::RNN) {
      add({f});
      continue;
    }
    for (const char* g : others) {
      if (problem.version.op == Operator::GRU) add({f, g});
      for (const char* h : others)
        if (has_cell_state(problem.version.op)) add({f, g, h});
    }
  }
}

std::size_t count_of_weights(const Problem& problem) {
  std::size_t count = 0;
  for (const std::size_t position : {input::W, input::R}) count += problem.input(position)->size();
  return count;
}

/// "initial_h 0.5,0.25,... (12 values)"
std::string words_for(const Problem& problem, const RecoveredInput& input) {
  constexpr std::size_t most_shown = 6;
  std::vector<std::string> shown;
  for (std::size_t k = 0; k < std::min(most_shown, input.tensor.size()); ++k)
    shown.push_back(fmt::format("{:.3g}", input.tensor.value(k)));
  const bool is_all = input.tensor.size() == shown.size();
  return fmt::format("{} {}{}", input_names(problem.version.op)[input.position], fmt::join(shown, ","),
                     is_all ? "" : fmt::format(",... ({} values)", input.tensor.size()));
}

/// The words of the first change after which the outputs follow from the node.
std::optional<std::string> first_right_change(const Changes& list, const Problem& problem, const Outputs& outputs,
                                              const Knowledge& known) {
  for (const ChangeOfNode& change : list) {
    Problem changed = problem;
    change.make(changed);
    if (expectation_of(changed).kind == Expectation::Kind::Refuse) continue;
    const Observed beside(changed, outputs);
    const Hypothesis right{{}, base_contract(changed, known.declared)};
    if (evaluate(beside, right, Depth::Verdict).is(Verdict::Conforms)) return change.words;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> nearest_node(const Problem& problem, const Outputs& outputs, const Knowledge& known) {
  const Observed seen(problem, outputs);
  if (seen.broken) return std::nullopt;
  Changes list;
  add_lengths(seen, list);
  add_attributes(problem, list);
  add_left_out_inputs(problem, list);
  if (count_of_weights(problem) <= most_weights_for_functions) add_functions(problem, list);
  if (auto words = first_right_change(list, problem, outputs, known)) return words;
  Changes recovered;
  for (const RecoveredInput& input : recovered_inputs(seen))
    recovered.push_back(
        {"with " + words_for(problem, input), [=](Problem& p) { give(p, input.position, input.tensor); }});
  return first_right_change(recovered, problem, outputs, known);
}

}  // namespace cellproof::oracle
