#include "oracle/judge.hpp"

#include <stdexcept>

#include "bench/contestants/make.hpp"
#include "oracle/search.hpp"
#include "reference/bin_float_real.hpp"
#include "reference/mpfr_real.hpp"
#include "reference/reference.hpp"

namespace cellproof::bench {
namespace {

class ResidualJudge : public Contestant {
 public:
  explicit ResidualJudge(const Problem& problem) : problem_(problem) {
    const auto engine = make_cellproof_cpu(problem_, 1);
    engine->run();
    outputs_ = engine->outputs();
    hypothesis_.contract = oracle::base_contract(problem_, std::nullopt);
  }

  std::string version() const override { return "double"; }
  void run() override {
    const Judgement judgement = oracle::judge(problem_, outputs_, hypothesis_);
    if (judgement.verdict != Verdict::Conforms)
      throw std::logic_error("the judge accuses the project's own implementation: " + judgement.message);
  }

 private:
  Problem problem_;
  std::vector<std::optional<Tensor>> outputs_;
  oracle::Hypothesis hypothesis_;
};

template <class Real>
class Reference : public Contestant {
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

std::unique_ptr<Contestant> make_residual_judge(const Problem& problem) {
  return std::make_unique<ResidualJudge>(problem);
}

std::unique_ptr<Contestant> make_reference(const Problem& problem, std::string_view real) {
  if (real == "mpfr50") return std::make_unique<Reference<reference::Mpfr50>>(problem, "50 digits");
  if (real == "bin-float50") return std::make_unique<Reference<reference::BinFloat50>>(problem, "50 digits");
  if (real == "double") return std::make_unique<Reference<double>>(problem, "53 bits");
  throw std::invalid_argument("the reference has no number type '" + std::string(real) + "'");
}

}  // namespace cellproof::bench
