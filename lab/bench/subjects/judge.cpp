#include <fmt/format.h>

#include <stdexcept>

#include "lab/bench/subjects/make.hpp"
#include "oracle/contracts_tried.hpp"
#include "oracle/evaluate.hpp"
#include "oracle/exact_trajectory.hpp"
#include "oracle/ladder.hpp"
#include "oracle/value_type.hpp"
#include "reference/bin_float_real.hpp"
#include "reference/mpfr_real.hpp"
#include "reference/reference.hpp"
#include "spec/reason_words.hpp"

namespace cellproof::lab::bench {
namespace {

class ResidualJudge : public Subject {
 public:
  explicit ResidualJudge(const Problem& problem) : problem_(problem) {
    const auto engine = make_cellproof_cpu(problem_, "auto", 1);
    engine->run();
    outputs_ = engine->outputs();
    hypothesis_.contract = oracle::base_contract(problem_, std::nullopt);
  }

  std::string version() const override { return "double"; }
  void run() override {
    const Judgement judgement =
        oracle::evaluate(oracle::Observed(problem_, outputs_), hypothesis_, oracle::Depth::Described).judgement;
    if (judgement.verdict != Verdict::Conforms)
      throw std::logic_error("the judge accuses the project's own implementation: " + sentence_of(judgement));
  }

 private:
  Problem problem_;
  Outputs outputs_;
  oracle::Hypothesis hypothesis_;
};

/// The residual judge on the first precision level of balls, where a verdict goes that double cannot give.
class BallJudge : public Subject {
 public:
  explicit BallJudge(const Problem& problem) : problem_(problem) {
    const auto engine = make_cellproof_cpu(problem_, "auto", 1);
    engine->run();
    outputs_ = engine->outputs();
  }

  std::string version() const override { return fmt::format("{} bits", oracle::first_bits_of_balls); }
  void run() override {
    const ElementType type = oracle::value_type(problem_);
    const oracle::Arithmetic arithmetic = oracle::arithmetic_of(oracle::base_contract(problem_, std::nullopt), type);
    const oracle::Observed seen(problem_, outputs_);
    const oracle::Task task(seen, {}, arithmetic);
    if (oracle::escalate_from(task, oracle::Confirm::Now, oracle::first_bits_of_balls).evaluation.any_beyond)
      throw std::logic_error("the judge in balls accuses the project's own implementation");
  }

 private:
  Problem problem_;
  Outputs outputs_;
};

/// The exact trajectory in balls, with as many bits as its correct rounding takes.
class BallTrajectory : public Subject {
 public:
  explicit BallTrajectory(const Problem& problem) : problem_(problem) {
    if (is_quantised(problem.version.op))
      throw Unavailable("quantisation is binary32 arithmetic by its meaning: there is no exact trajectory");
  }

  std::string version() const override { return "as many bits as it takes"; }
  void run() override {
    const Outputs none;
    const oracle::Observed unanswered(problem_, none);
    const oracle::Task task(unanswered, {}, oracle::exact_arithmetic(oracle::value_type(problem_)));
    if (!oracle::certified_trajectory(task).certain) throw std::logic_error("the trajectory is not certain");
  }

 private:
  Problem problem_;
};

template <class Real>
class Reference : public Subject {
 public:
  Reference(const Problem& problem, std::string version) : problem_(problem), version_(std::move(version)) {}
  std::string version() const override { return version_; }
  void run() override {
    if (reference::evaluate<Real>(problem_).Y.empty()) throw std::logic_error("the reference computes nothing");
  }

 private:
  Problem problem_;
  std::string version_;
};

}  // namespace

std::unique_ptr<Subject> make_residual_judge(const Problem& problem) {
  return std::make_unique<ResidualJudge>(problem);
}

std::unique_ptr<Subject> make_ball_judge(const Problem& problem) {
  return std::make_unique<BallJudge>(problem);
}

std::unique_ptr<Subject> make_ball_trajectory(const Problem& problem) {
  return std::make_unique<BallTrajectory>(problem);
}

std::unique_ptr<Subject> make_reference(const Problem& problem, std::string_view real) {
  if (real == "mpfr50") return std::make_unique<Reference<reference::Mpfr50>>(problem, "50 digits");
  if (real == "bin-float50") return std::make_unique<Reference<reference::BinFloat50>>(problem, "50 digits");
  if (real == "double") return std::make_unique<Reference<double>>(problem, "53 bits");
  throw std::invalid_argument("the reference has no number type '" + std::string(real) + "'");
}

}  // namespace cellproof::lab::bench
