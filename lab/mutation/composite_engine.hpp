#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "causes/cover.hpp"
#include "causes/engine_model.hpp"

#include "campaign/reduce_causes.hpp"
#include "corpus/suite.hpp"
#include "lab/mutants/mutant_engine.hpp"
#include "spec/case.hpp"
#include "spec/cause.hpp"
#include "spec/expectation.hpp"
#include "spec/finding.hpp"

namespace cellproof::lab {

/// A case of the suite with what an engine without a fault makes of it.
struct CompositeTarget {
  Case c;
  Problem problem;
  Expectation expectation;
  oracle::Answers right;
  Finding finding;
};

std::vector<CompositeTarget> composite_targets_of(const std::vector<corpus::SuiteCase>& cases);

/// An engine with faults and all that it answered.
struct CompositeEngine {
  mutants::Composite planted;
  causes::FaultSet faults;        ///< the same for the judge
  causes::Scopes scopes;          ///< of those that do not show everywhere
  std::vector<Finding> findings;  ///< none is added after answer_all
  std::vector<causes::Answered> answered;
  std::deque<causes::Rejudged> rejudged;
  campaign::Attempts attempts;  ///< of its reductions
};

/// Draws faults: at most so many, with scopes or without.
void draw_faults(std::mt19937_64& generator, std::size_t most, bool are_scoped, CompositeEngine& engine);

/// Asks the engine all cases. False where the judge, told of its faults, excludes an answer: they do not compose.
bool answer_all(CompositeEngine& engine, const std::vector<CompositeTarget>& targets);

/// Returns what the engine gives for a problem.
Outputs outputs_of(const CompositeEngine& engine, const Problem& problem);

/// Judges what is not right, as a run does: one case by itself. `tried`: the faults that the judge knows.
void judge_all(CompositeEngine& engine, const std::vector<CompositeTarget>& targets, const causes::FaultSet& tried);

/// Gives the failing findings their signatures, as a run does.
void sign_all(CompositeEngine& engine);

/// Reduces cases of causes, as a run does. Returns whether any finding has a better reduction now.
bool reduce(CompositeEngine& engine, const causes::Modelled& model);

/// Do these faults leave every case as those that are planted do: explained where it fails, possible where it passes?
bool do_the_same(CompositeEngine& engine, const causes::FaultSet& faults, const causes::Scopes& scopes);

/// Takes out the faults that no case needs.
std::vector<std::string> take_out_hidden(CompositeEngine& engine);

}  // namespace cellproof::lab
