#pragma once

#include "corpus/suite.hpp"

/// One function for each suite; corpus/suite.cpp lists them by name.
namespace cellproof::corpus::catalogue {

/// ONNX's own node tests for LSTM, GRU and RNN, as set-up wrote them below .deps/backend-tests. Throws CorpusError
/// where one is missing.
std::vector<SuiteCase> onnx_backend();

/// Valid cases written so that a wrong implementation shows: see corpus/suites/smoke.cpp.
std::vector<SuiteCase> smoke();

/// Cases that break exactly one rule each: see corpus/suites/invalid.cpp.
std::vector<SuiteCase> invalid();

/// Cases that show which reading of a clause an engine follows: see corpus/suites/readings.cpp.
std::vector<SuiteCase> readings();

/// Cases beside the limits at which kernels change their way: see corpus/suites/limits.cpp.
std::vector<SuiteCase> limits();

/// Cases of corpus/regressions, under the names of their files. Throws CorpusError where one cannot be read.
std::vector<SuiteCase> regressions();

/// Cases as recurrent nodes of published models are, each form as often as it was met.
std::vector<SuiteCase> deployed();

}  // namespace cellproof::corpus::catalogue
