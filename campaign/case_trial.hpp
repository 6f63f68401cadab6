#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "campaign/proved_readings.hpp"
#include "corpus/suite.hpp"
#include "engines/engine.hpp"
#include "engines/probe.hpp"
#include "fuzz/law.hpp"
#include "oracle/decide.hpp"
#include "spec/expectation.hpp"
#include "spec/finding.hpp"

namespace cellproof::campaign {

/// A suite's case made concrete, with all that is known of it before any engine sees it.
struct Trial {
  std::string suite;
  std::int64_t number = 0;
  std::string case_name;
  std::string case_line;
  std::string case_hash;
  Case c;
  Problem problem;
  Expectation expectation;
  std::optional<Problem> valid_twin;  ///< for a case that must be refused
  std::optional<Clause> clause;       ///< that it is there to decide
  const fuzz::Law* law = nullptr;     ///< that is tried on it; nullptr: the oracle judges it
  std::vector<Problem> law_problems;  ///< what the law asks the engine to compute, as far as it knows beforehand
};

/// Share of cases at which the harness looks twice. Both are taken from the case's hash, so that a resumed run looks at
/// the same cases.
struct Sampling {
  std::uint64_t repeat_one_in = 16;       ///< passing cases that are run a second time
  std::uint64_t crosscheck_one_in = 100;  ///< judged cases that the naive reference judges, too
};

Trial make_trial(const std::string& suite, std::int64_t number, const corpus::SuiteCase& suite_case);

/// Returns all that the engine is asked about the trial, as far as it is known before there is any answer: the case and
/// what belongs to it (oracle::questions_about), or the problems of the law that is tried on it.
std::vector<Problem> questions_of(const Trial& trial);

class KeptAnswers;

struct EngineUnderTest {
  std::string name;
  std::string version;
  std::optional<ContractId> declared;  ///< by itself, or given
  ProvedReadings proved = {};          ///< tried before others where the defaults fail
  bool same_bits = false;              ///< promised, see fuzz::Declared
  bool given = false;                  ///< the user said which contract, whatever the engine declares
  fuzz::ThreadedProbe threaded = {};   ///< empty where it does not declare that it can be told
  /// asks the same engine in a process of its own whose fresh memory is filled otherwise; empty: none is at hand
  engines::Probe other_memory = {};
  /// Faults that a reduction's verdicts may name; nullopt: all. The laboratory leaves one out, as if nobody knew of it.
  std::optional<std::vector<const oracle::Fault*>> tried = {};
  /// Is an answer explained by what is known of the engine? A reduction of what is not keeps away from it. May be
  /// empty.
  std::function<bool(const Problem& problem, const oracle::Answers& answers)> explains = {};
  KeptAnswers* kept = nullptr;  ///< takes what it answered; nullptr: nobody looks for causes

  Readings proved_of(Operator op) const {
    const auto known = proved.find(op);
    return known == proved.end() ? Readings{} : known->second;
  }
};

/// The engine as it describes itself, but for the contract that `contracts` gives it by name.
EngineUnderTest engine_under_test(const engines::EngineDescription& description,
                                  const std::map<std::string, ContractId>& contracts);

/// Makes a finding of the answers to questions_of(trial), in their order; of those that are missing behind the first,
/// `ask` is asked what the verdict rests on. Decides the case, asks every non-pass and a sample of the rest once more
/// (repeat.hpp), and lets the naive reference judge the judge on every failing case and a sample; where they disagree,
/// the finding is a HARNESS_ERROR. What the engine does not survive is the case's failure, whatever it was asked for
/// its sake. `checkpoint` is called before each thing that takes a while; what it throws gives the case up.
Finding conclude(const Trial& trial, const EngineUnderTest& engine, std::vector<Outcome> answers,
                 const engines::Probe& ask, const Sampling& sampling = {},
                 const std::function<void()>& checkpoint = {});

}  // namespace cellproof::campaign
