#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec/expectation.hpp"
#include "spec/rules/node_facts.hpp"

namespace cellproof::rules {

/// "LSTM-14, attribute clip"; "com.microsoft DynamicQuantizeLSTM-1, input W_scale".
std::string citation(OperatorVersion version, std::string_view part);

/// Names, types and values of the attributes.
std::vector<Violation> attribute_violations(const NodeFacts& facts);

/// Number, presence, types, shapes and values of the inputs.
std::vector<Violation> input_violations(const NodeFacts& facts);

/// Number and presence of the outputs.
std::vector<Violation> output_violations(const NodeFacts& facts);

}  // namespace cellproof::rules
