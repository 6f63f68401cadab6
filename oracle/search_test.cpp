#include "oracle/search.hpp"

#include <gtest/gtest.h>

#include "oracle/contracts_tried.hpp"
#include "oracle/faults/every_fault.hpp"
#include "oracle/testing/judging.hpp"
#include "oracle/testing/plain_engine.hpp"
#include "oracle/testing/problems.hpp"

namespace cellproof::oracle {
namespace {

/// The outputs with one element of Y moved by a share of itself; nothing where there is none.
std::optional<Outputs> moved(Outputs outputs, double share) {
  std::optional<Tensor>& Y = outputs.at(output::Y);
  if (!Y || Y->size() == 0) return std::nullopt;
  const std::size_t place = Y->size() / 2;
  Y->set_value(place, Y->value(place) * (1 + share));
  return outputs;
}

/// The search leaves out readings that are excluded under all contracts together. It must lose nothing by that.
TEST(AllContractsTogether, ExcludeOnlyWhatEachExcludes) {
  int excluded = 0, left = 0;
  for (const ElementType type :
       {ElementType::Float, ElementType::Float16, ElementType::BFloat16, ElementType::Double}) {
    const ContractsTried tried = contracts_tried(testing::some_problem(Operator::RNN, type), {});
    std::vector<ContractId> contracts = tried.wider;
    contracts.push_back(tried.base);
    for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
      for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const Problem problem = make_problem(testing::drawn_case(op, type, seed));
        for (const double share : {0.0, 1e-15, 1e-7, 1e-5, 1e-3, 3e-3, 1e-2, 0.1}) {
          const auto outputs = moved(testing::compute(problem), share);
          if (!outputs) continue;
          if (!testing::is_excluded(problem, *outputs, tried.together(Readings{}))) {
            ++left;
            continue;
          }
          ++excluded;
          for (const ContractId contract : contracts) {
            EXPECT_TRUE(evaluate(Observed(problem, *outputs), {Readings{}, contract}, Depth::Verdict).excluded())
                << name(contract) << " explains " << to_string(problem.version) << " seed " << seed << " moved by "
                << share;
          }
        }
      }
    }
  }
  EXPECT_GT(excluded, 100);
  EXPECT_GT(left, 100);
}

TEST(Search, SaysThatNotAllFaultsWereTried) {
  const Problem problem = testing::some_problem(Operator::LSTM);
  const auto outputs = moved(testing::compute(problem), 0.5);
  const Observed seen(problem, *outputs);
  const auto untried_within = [&](double work) {
    Search search(seen, {}, every_fault(), Depth::Described, work);
    while (search.advance()) {
    }
    return search.take_judgement().reason.untried;
  };
  const reason::FaultsNotTried untried = untried_within(1);
  EXPECT_GT(untried.faults, 100);
  EXPECT_EQ(untried.weights,
            static_cast<std::int64_t>(problem.input(input::W)->size() + problem.input(input::R)->size()));
  EXPECT_EQ(untried_within(Hypotheses::usual_fault_work).faults, 0);
}

}  // namespace
}  // namespace cellproof::oracle
