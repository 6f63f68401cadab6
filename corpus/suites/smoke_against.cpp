#include <algorithm>
#include <array>

#include "corpus/suites/basis.hpp"
#include "corpus/suites/smoke_parts.hpp"
#include "spec/axes.hpp"

namespace cellproof::corpus::catalogue {
namespace {

using Choice = Choices::value_type;

/// Choices with which direction or layout could be forgotten. Optional inputs are met alone, all else with every input
/// given.
constexpr std::array inputs{Choice{"input.B", "graph"}, Choice{"input.initial_h", "graph"},
                            Choice{"input.initial_c", "graph"}, Choice{"input.P", "graph"}};
constexpr std::array features{Choice{"lengths", "ragged"}, Choice{"lengths", "with-zero"}, Choice{"lengths", "one"},
                              Choice{"clip", "biting"}, Choice{"input_forget", "1"}, Choice{"linear_before_reset", "1"},
                              Choice{"type", "float16"}, Choice{"weight_type", "int8"},
                              // Scales by column beside zero points by direction: their strides differ.
                              Choice{"columns.W_scale", "per-column"}, Choice{"columns.R_scale", "per-column"}};
constexpr std::array outputs{Choice{"outputs", "Y"}, Choice{"outputs", "Y_h"}, Choice{"outputs", "Y_c"}};

bool has(OperatorVersion version, const Choice& choice) {
  const auto values = axis(choice.first).values(version);
  return std::find(values.begin(), values.end(), choice.second) != values.end();
}

}  // namespace

void add_against(OperatorVersion version, CaseList& list) {
  constexpr std::array directions{"forward", "reverse", "bidirectional"};
  std::size_t turn = 0;
  const auto add = [&](const Case& start, const char* prefix, const Choice& choice) {
    if (!has(version, choice)) return;
    const auto add_with = [&](Choices all) {
      all.push_back(choice);
      list.add(prefix + to_string(all), chosen(start, all));
    };
    add_with({{"direction", "reverse"}});
    add_with({{"direction", "bidirectional"}});
    // Layout 1 by itself with each direction in turn: many runtimes refuse it, whatever the direction is.
    if (has(version, {"layout", "1"}))
      add_with({{"layout", "1"}, {"direction", directions.at(turn++ % directions.size())}});
  };
  for (const auto& choice : inputs) add(basis(version), "", choice);
  for (const auto& choice : features) add(rich(version), "rich,", choice);
  for (const auto& choice : outputs) add(rich(version), "rich,", choice);
}

}  // namespace cellproof::corpus::catalogue
