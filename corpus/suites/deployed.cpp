#include <fmt/format.h>

#include <array>
#include <string_view>

#include "corpus/suites/suites.hpp"
#include "spec/axes.hpp"
#include "spec/case_text.hpp"
#include "spec/resized.hpp"

namespace cellproof::corpus::catalogue {
namespace {

/// A form that recurrent nodes have in models of published packages, and how many nodes have it. Steps and units go
/// from one end of what was met to the other.
struct Form {
  std::string_view name;
  int nodes;
  std::string_view line;  ///< with the fewest steps and units
  std::int64_t most_steps, most_units;
};

/// 42 nodes of 19 files: voice detection, character recognition, diacritics, pronunciation, noise suppression. Each
/// file but one has symbols for sizes. None has peepholes, clip, layout 1, or types beside float.
constexpr std::array forms{
    Form{"voice-step-in-two-ifs", 4,
         "op=LSTM-14 T=1 N=1 I=128 H=128 dims=N nesting=nested-if weights=computed B=given initial_h=given "
         "initial_c=given "
         "outputs=-,Y_h,Y_c",
         1, 128},
    Form{"voice-step-in-an-if", 4,
         "op=LSTM-14 T=1 N=1 I=128 H=128 dims=N nesting=if weights=computed B=given initial_h=given initial_c=given "
         "outputs=-,Y_h,Y_c",
         1, 128},
    Form{"voice-step", 1,
         "op=LSTM-14 T=1 N=1 I=128 H=128 weights=computed B=given initial_h=given initial_c=given outputs=-,Y_h,Y_c", 1,
         128},
    Form{"voice-sequence", 2, "op=LSTM-14 T=40 N=1 I=128 H=128 dims=TN B=given initial_h=given initial_c=given", 40,
         128},
    Form{"characters", 1,
         "op=LSTM-7 T=20 N=1 I=512 H=512 direction=bidirectional dims=TN B=given initial_h=given initial_c=given "
         "outputs=Y",
         20, 512},
    Form{"characters-quantised", 1,
         "op=DynamicQuantizeLSTM-1 T=20 N=1 I=512 H=512 direction=bidirectional dims=TN B=given initial_h=given "
         "initial_c=given outputs=Y",
         20, 512},
    Form{"diacritics", 9,
         "op=GRU-14 T=60 N=3 I=56 H=56 direction=bidirectional linear_before_reset=1 dims=TN B=given "
         "sequence_lens=given initial_h=given outputs=Y",
         60, 112},
    Form{"diacritics-quantised", 13,
         "op=DynamicQuantizeLSTM-1 T=80 N=1 I=128 H=256 weight_type=int8 direction=bidirectional dims=TN B=given "
         "initial_h=given initial_c=given outputs=Y",
         1000, 256},
    Form{"pronunciation-encoder", 1,
         "op=LSTM-14 T=12 N=1 I=28 H=256 activations=Sigmoid,Tanh,Tanh dims=TN states=shared B=given initial_h=given "
         "initial_c=given outputs=-,Y_h,Y_c",
         12, 256},
    Form{"pronunciation-decoder", 1,
         "op=LSTM-14 T=1 N=1 I=32 H=256 activations=Sigmoid,Tanh,Tanh dims=TN B=given initial_h=given initial_c=given",
         1, 256},
    Form{"noise", 5, "op=GRU-7 T=300 N=1 I=256 H=256 linear_before_reset=1 dims=TN B=given initial_h=given outputs=Y",
         300, 256},
};

std::int64_t between(std::int64_t least, std::int64_t most, int k, int count) {
  return count == 1 ? least : least + (most - least) * k / (count - 1);
}

}  // namespace

std::vector<SuiteCase> deployed() {
  std::vector<SuiteCase> cases;
  for (const Form& form : forms) {
    const Case first = parse_case(fmt::format("cellproof-case/1 {}", form.line));
    for (int k = 0; k < form.nodes; ++k) {
      Case c = resized(first, "T", between(first.T, form.most_steps, k, form.nodes));
      c = resized(c, "H", between(first.H, form.most_units, k, form.nodes));
      c.seed = static_cast<std::uint64_t>(k) + 1;
      cases.push_back({fmt::format("{}/{}-{}", to_string(c.version), form.name, k + 1), std::move(c)});
    }
  }
  return cases;
}

}  // namespace cellproof::corpus::catalogue
