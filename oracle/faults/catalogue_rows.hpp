#pragma once

#include <string>
#include <vector>

#include "oracle/faults/fault_class.hpp"

// Parts of the catalogue of faults.
namespace cellproof::oracle::catalogue {

/// Sets of operators.
enum Where : unsigned { lstm = 1, gru = 2, rnn = 4, quantised = 8, gated = lstm | gru, every = gated | rnn };
/// Those that DynamicQuantizeLSTM has as LSTM has them: not about W, R, single steps or the precision of products.
inline constexpr Where lstm_q{lstm | quantised}, gated_q{gated | quantised}, every_q{every | quantised};

/// Words that stand for {} in a row's id, and for {0} in its sentence.
struct Member {
  std::string id, text;
};

/// Faults that differ in one word: one for each member. A row without members is one fault.
struct Row {
  const char* id;
  const char* blames;
  Where where;
  const char* what;
  std::vector<Member> members = {};
};
struct Rows {
  FaultClass cls;
  std::vector<Row> rows;
};
std::vector<Rows> rows();

/// Condition under which a fault of another row may show, and nowhere else.
struct Condition {
  const char *name, *blames, *what;
  std::vector<const char*> faults;  ///< the ids of those that do
  Where where = every;              ///< the operators that can meet it
};
std::vector<Condition> conditions();

}  // namespace cellproof::oracle::catalogue
