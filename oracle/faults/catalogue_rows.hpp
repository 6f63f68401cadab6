#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "oracle/faults/fault_class.hpp"
#include "spec/rules/activations.hpp"

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

using Members = std::vector<Member>;

/// A member for each letter.
Members each(std::string_view letters);
/// "ifoc", in words "i f o c".
Member order(std::string_view letters);
/// Every order of the letters but this one.
Members orders_but(std::string_view right);
/// Two letters for each pair of them: "o-for-i", in words "o for gate i".
Members pairs(std::string_view letters);
/// The activations that have a parameter, or all but some, as "leaky-relu".
Members functions_with(bool ActivationInfo::*parameter);
Members functions_but(const std::vector<std::string_view>& left_out);

/// Faults that differ in one word: one for each member. A row without members is one fault.
struct Row {
  const char* id;
  const char* blames;
  Where where;
  const char* what;
  Members members = {};
  bool reads_memory = false, changes_shapes = false;  ///< FaultInfo
};
struct Rows {
  FaultClass cls;
  std::vector<Row> rows;
};
std::vector<Rows> rows();
/// Its rows of clip and of the activation functions.
std::vector<Row> clip_rows();
std::vector<Row> activation_rows();

/// The clause of the text that the faults of a row break, in our words.
std::string_view clause_of(FaultClass cls, std::string_view row);
/// The rows whose clause is another than that of the rest of their class.
std::vector<std::pair<FaultClass, std::string>> rows_with_a_clause();

/// Condition under which a fault of another row may show, and nowhere else.
struct Condition {
  const char *name, *blames, *what;
  std::vector<const char*> faults;  ///< the ids of those that do
  Where where = every;              ///< the operators that can meet it
};
std::vector<Condition> conditions();

}  // namespace cellproof::oracle::catalogue
