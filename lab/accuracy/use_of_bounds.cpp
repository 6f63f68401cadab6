#include "lab/accuracy/use_of_bounds.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "campaign/progress.hpp"
#include "campaign/start_thread.hpp"
#include "lab/accuracy/introduced_error.hpp"
#include "lab/zoo/zoo.hpp"
#include "oracle/at.hpp"
#include "oracle/step/step_of.hpp"
#include "spec/case.hpp"
#include "spec/readings.hpp"

namespace cellproof::lab {
namespace {

using oracle::at;
using Sets = oracle::StepSets<double>;

constexpr std::int64_t rows_of_a_node = 50;
constexpr std::int64_t sizes[] = {1, 2, 3, 5, 8, 16, 32, 64};
constexpr int limits_of_terms[] = {21, 53, 133};
constexpr Regime regimes_of_steps[] = {Regime::Normal, Regime::Discriminating, Regime::Saturating, Regime::Chaotic};

struct Node {
  const char *output, *of_cell;  ///< names of Y and Y_c in the table
  Operator op;
  bool peepholes, linear_before_reset;
};
constexpr Node nodes[] = {
    {"LSTM Y", "LSTM Y_c", Operator::LSTM, false, false},
    {"LSTM with P, Y", "LSTM with P, Y_c", Operator::LSTM, true, false},
    {"GRU Y", nullptr, Operator::GRU, false, false},
    {"GRU linear_before_reset=1, Y", nullptr, Operator::GRU, false, true},
    {"RNN Y", nullptr, Operator::RNN, false, false},
};

/// A node of one step: each row of the batch is a step of its own.
Case node_of(const Node& node, std::uint64_t index, std::uint64_t seed) {
  const std::uint64_t draw = index / std::size(nodes);
  Case c = plain_case(newest(node.op), ElementType::Float, 1, rows_of_a_node, sizes[draw % std::size(sizes)],
                      sizes[draw / std::size(sizes) % std::size(sizes)]);
  c.seed = (seed << 32) + index;
  c.regime = regimes_of_steps[draw % std::size(regimes_of_steps)];
  for (const std::size_t state : {input::initial_h, input::initial_c}) {
    if (state < c.inputs.size()) c.inputs[state].presence = Presence::Given;
  }
  if (draw % 3 != 0) c.inputs[input::B].presence = Presence::Given;
  if (node.peepholes) c.inputs[input::P].presence = Presence::Given;
  if (node.linear_before_reset) c.attributes.linear_before_reset = 1;
  return c;
}

/// The elements of a row of the outputs against the sets and formulas of its step.
class Rows {
 public:
  Rows(const Problem& problem, const oracle::Arithmetic& arithmetic)
      : m_(arithmetic),
        cell_(oracle::cell_of(problem, Readings{}, 0)),
        certified_(oracle::step_of<double>(cell_, m_, oracle::Tier::Certified)),
        running_(oracle::step_of<double>(cell_, m_, oracle::Tier::Running)),
        x_(*problem.input(input::X)),
        h_(*problem.input(input::initial_h)),
        no_radius_(at(cell_.hidden), 0) {
    if (has_cell_state(problem.version.op)) c_ = *problem.input(input::initial_c);
  }

  int terms() const { return cell_.terms; }

  void take(std::int64_t row, const Outputs& outputs, StepRow& of_h, StepRow* of_c) {
    const std::vector<double> x = numbers(x_, row, cell_.inputs), h = numbers(h_, row, cell_.hidden);
    const std::vector<double> c = c_ ? numbers(*c_, row, cell_.hidden) : std::vector<double>();
    const oracle::StepInput<double> in{x.data(), h.data(), no_radius_.data()};
    const Sets certified = sets_of(*certified_, in, c), running = sets_of(*running_, in, c);
    const IntroducedError page = introduced_error(cell_, m_, x.data(), h.data(), c.data());
    compare(numbers(*outputs[output::Y], row, cell_.hidden), page.H, certified.H, running.H, of_h);
    if (of_c) compare(numbers(*outputs[output::Y_c], row, cell_.hidden), page.C, certified.C, running.C, *of_c);
  }

 private:
  static std::vector<double> numbers(const Tensor& tensor, std::int64_t row, int count) {
    std::vector<double> values(at(count));
    for (std::size_t k = 0; k < values.size(); ++k)
      values[k] = tensor.value(static_cast<std::size_t>(row) * values.size() + k);
    return values;
  }
  static Sets sets_of(oracle::Step<double>& step, const oracle::StepInput<double>& in, const std::vector<double>& c) {
    Sets sets;
    for (const double each : c) sets.C.push_back(oracle::Enclosure<double>::point(each));
    step.take(in, nullptr, sets);
    return sets;
  }

  void compare(const std::vector<double>& observed, const std::vector<double>& page,
               const std::vector<oracle::Enclosure<double>>& certified,
               const std::vector<oracle::Enclosure<double>>& running, StepRow& row) const {
    ++row.steps;
    for (std::size_t j = 0; j < observed.size(); ++j) {
      const oracle::Match proved = match(certified[j], observed[j], m_), gate = match(running[j], observed[j], m_);
      row.use[at(static_cast<int>(StepBound::Page))].add(proved.error, page[j]);
      row.use[at(static_cast<int>(StepBound::Certified))].add(proved.error, proved.bound);
      row.use[at(static_cast<int>(StepBound::Running))].add(gate.error, gate.bound);
      row.widest_certified = std::max(row.widest_certified, proved.bound / page[j]);
    }
  }

  const oracle::Arithmetic& m_;
  const oracle::Cell cell_;
  std::unique_ptr<oracle::Step<double>> certified_, running_;
  const Tensor &x_, &h_;
  std::optional<Tensor> c_;
  std::vector<double> no_radius_;
};

std::vector<StepRow> empty_rows() {
  std::vector<StepRow> rows;
  for (const Node& node : nodes) {
    for (const char* output : {node.output, node.of_cell}) {
      for (const int terms : limits_of_terms) {
        if (output) rows.push_back({output, terms, 0, {}, 0});
      }
    }
  }
  return rows;
}

StepRow& row_named(std::vector<StepRow>& rows, const char* output, int terms) {
  return *std::ranges::find_if(rows,
                               [&](const StepRow& row) { return row.output == output && terms <= row.most_terms; });
}

void take_node(std::uint64_t index, std::uint64_t seed, std::vector<StepRow>& rows) {
  const Node& node = nodes[index % std::size(nodes)];
  const Problem problem = make_problem(node_of(node, index, seed));
  const oracle::Arithmetic arithmetic = oracle::arithmetic_of(ContractId::F32, ElementType::Float);
  Rows taken(problem, arithmetic);
  StepRow& of_h = row_named(rows, node.output, taken.terms());
  StepRow* of_c = node.of_cell ? &row_named(rows, node.of_cell, taken.terms()) : nullptr;
  const auto styles = zoo::styles();
  const Outputs outputs = zoo::run(problem, styles[index / std::size(nodes) % styles.size()], index);
  for (std::int64_t row = 0; row < rows_of_a_node; ++row) taken.take(row, outputs, of_h, of_c);
}

void merge(std::vector<StepRow>& rows, const std::vector<StepRow>& more) {
  for (std::size_t k = 0; k < rows.size(); ++k) {
    rows[k].steps += more[k].steps;
    rows[k].widest_certified = std::max(rows[k].widest_certified, more[k].widest_certified);
    for (std::size_t bound = 0; bound < step_bound_count; ++bound) rows[k].use[bound].add(more[k].use[bound]);
  }
}

}  // namespace

void BoundUse::add(double error, double bound) {
  const double use = error == 0 ? 0 : error / bound;
  ++elements_;
  exceeded_ += !(use <= 1);
  worst_ = std::max(worst_, use);
  const auto last = static_cast<double>(bins_.size() - 1);
  ++bins_[static_cast<std::size_t>(std::min(last, use * last))];
}

void BoundUse::add(const BoundUse& other) {
  elements_ += other.elements_;
  exceeded_ += other.exceeded_;
  worst_ = std::max(worst_, other.worst_);
  std::ranges::transform(bins_, other.bins_, bins_.begin(), std::plus<>());
}

double BoundUse::median() const {
  std::int64_t passed = 0;
  for (std::size_t k = 0; k + 1 < bins_.size(); ++k) {
    passed += bins_[k];
    if (2 * passed >= elements_) return static_cast<double>(k + 1) / static_cast<double>(bins_.size() - 1);
  }
  return worst_;
}

std::vector<StepRow> measure_steps(std::int64_t steps, int jobs, std::uint64_t seed) {
  const auto total = (static_cast<std::uint64_t>(std::max<std::int64_t>(steps, 1)) - 1) / rows_of_a_node + 1;
  campaign::Progress progress("honest nodes of 50 steps", static_cast<std::int64_t>(total));
  std::vector<StepRow> all = empty_rows();
  std::atomic<std::uint64_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    try {
      std::vector<StepRow> own = empty_rows();
      for (std::uint64_t index; (index = next.fetch_add(1)) < total;) {
        take_node(index, seed, own);
        progress.advance("");
      }
      const std::scoped_lock lock(mutex);
      merge(all, own);
    } catch (...) {  // carried to the caller's thread, and thrown again there
      const std::scoped_lock lock(mutex);
      failure = std::current_exception();
      next = total;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int k = 0; k < jobs; ++k) threads.push_back(campaign::start_thread("to take honest steps", work));
  }
  if (failure) std::rethrow_exception(failure);
  return all;
}

}  // namespace cellproof::lab
