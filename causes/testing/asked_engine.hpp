#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "causes/answered.hpp"
#include "causes/cover.hpp"
#include "causes/engine_model.hpp"

#include "lab/mutants/mutant_engine.hpp"
#include "oracle/decide.hpp"
#include "oracle/values_of.hpp"
#include "spec/case.hpp"
#include "spec/case_text.hpp"

namespace cellproof::causes::testing {

/// An engine with faults, asked case by case, as a run does.
class AskedEngine {
 public:
  using Change = std::function<void(Case&)>;

  explicit AskedEngine(std::initializer_list<const char*> faults) {
    for (const char* id : faults) faults_.push_back(lab::mutants::mutant_named(id));
  }

  /// Computes double nodes in a smaller type from now on.
  void compute_double_in(ElementType type) { type_for_double_ = type; }

  /// Asks T=3 N=2 I=2 H=4 with no optional input, after `change`.
  Finding& ask(const Change& change, Operator op = Operator::LSTM) {
    Case c = plain_case(newest(op), ElementType::Float, 3, 2, 2, 4);
    c.seed = findings_.size();
    change(c);
    const Problem problem = make_problem(c);
    oracle::Answers answers = answers_of(as_computed(problem), faults_);
    for (auto& output : answers.outcome.outputs)
      if (output) output = as_type(c.type, *output);
    Finding& finding = findings_.emplace_back();
    finding.engine = "asked";
    finding.number = static_cast<int>(findings_.size());
    finding.version = c.version;
    finding.type = c.type;
    finding.case_line = to_text(c);
    finding.outcome = OutcomeKind::Ran;
    finding.judgement = oracle::decide(problem, {}, answers);
    finding.pass = oracle::passes_gate(answers.outcome, finding.judgement, {});
    Answered& answered = answered_.emplace_back(Answered{&finding});
    answered.answers.push_back({problem, answers.outcome.outputs});
    if (answers.all_outputs)
      answered.answers.push_back({oracle::with_all_outputs(problem), answers.all_outputs->outputs});
    return finding;
  }

  /// A finding of which nothing was compared.
  Finding& fails(OutcomeKind outcome, int signal = 0) {
    Finding& finding = findings_.emplace_back();
    finding.engine = "asked";
    finding.number = static_cast<int>(findings_.size());
    finding.outcome = outcome;
    finding.signal = signal;
    finding.judgement.kind = ViolationKind::Outcome;
    answered_.push_back({&finding});
    return finding;
  }

  const std::vector<Answered>& answered() const { return answered_; }

 private:
  static Tensor as_type(ElementType type, const Tensor& tensor) {
    return Tensor::from_values(type, tensor.shape(), oracle::values_of(tensor));
  }

  Problem as_computed(Problem problem) const {
    for (Input& input : problem.inputs)
      if (input.tensor && input.tensor->type() == ElementType::Double)
        input.tensor = as_type(type_for_double_, *input.tensor);
    return problem;
  }

  lab::mutants::Composite faults_;
  ElementType type_for_double_ = ElementType::Double;
  std::deque<Finding> findings_;
  std::vector<Answered> answered_;
};

/// Reduces a finding to its end, to a case that needs these.
inline void reduce_to(Finding& finding, AxisValues guilty) {
  finding.reduction.emplace();
  finding.reduction->case_line = "the reduced case";
  finding.reduction->complete = true;
  finding.reduction->guilty = std::move(guilty);
}

inline std::vector<std::string> ids(const EngineModel& model) {
  std::vector<std::string> list;
  for (const Cause& cause : model.causes) list.push_back(cause.id);
  return list;
}

inline std::vector<std::string> ids(const Cover& cover) {
  std::vector<std::string> list;
  for (const oracle::Fault* fault : cover.faults()) list.push_back(fault->id);
  return list;
}

inline bool explains_all(const Cover& cover) {
  return std::ranges::all_of(cover.items(), [](const auto& item) { return item.standing == Standing::Explained; });
}

inline void plain(Case&) {}
inline void with_bias(Case& c) {
  c.inputs[input::B].presence = Presence::Given;
}
inline void with_peepholes(Case& c) {
  c.inputs[input::P].presence = Presence::Given;
}
inline void with_state(Case& c) {
  c.inputs[input::initial_h].presence = Presence::Given;
}

/// Asks nodes of special values, of which the text says little where NaN comes through clip.
inline void ask_special_values(AskedEngine& engine) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    engine.ask(
        [&](Case& c) {
          c = parse_case(
              "cellproof-case/1 op=RNN-14 T=1 N=8 I=12 H=15 regime=special activations=Softplus clip=1000 "
              "X=given W=given R=given");
          c.seed = seed;
        },
        Operator::RNN);
  }
}

/// An answer in which NaN that comes through clip, of which the text says nothing, is a number of the engine's own.
inline Answered with_numbers_for_nan(Answered answered) {
  for (Answer& answer : answered.answers) {
    for (auto& output : answer.outputs) {
      for (std::size_t k = 0; output && k < output->size(); ++k)
        if (std::isnan(output->value(k))) output->set_value(k, 0.25);
    }
  }
  return answered;
}

}  // namespace cellproof::causes::testing
