#pragma once

#include <string>
#include <vector>

#include "lab/cudnn_probe/layer.hpp"

// Answers, put into words.

namespace cellproof::cudnn::probe {

inline constexpr const char* cell_names[] = {"RNN Relu", "RNN Tanh", "LSTM", "GRU"};

/// "float16" of data::float16.
const char* type_name(int type);

/// Three digits.
std::string number(double value);

/// "status 3000, CALL: WORDS"
std::string failure(const Answer& answer);

/// " forward" or " bidirectional", and ", full" or ", lengths 7 3 5 1".
std::string shape_words(int directions, const std::vector<int>& lengths);

/// The greatest distance; NaN where one of the two has one.
double distance(const std::vector<double>& a, const std::vector<double>& b);

bool same_bits(const Answer& a, const Answer& b);

/// "the same bits" or "OTHER BITS", or how the second one failed.
std::string compared(const Answer& expected, const Answer& actual);

/// "y 1e-07, h 1e-07, c 2e-07"
std::string distances(const Answer& answer, const Answer& from);

}  // namespace cellproof::cudnn::probe
