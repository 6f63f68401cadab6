#include <fmt/format.h>

#include <array>
#include <string_view>

#include "corpus/suites/basis.hpp"
#include "corpus/suites/smoke_parts.hpp"
#include "corpus/suites/suites.hpp"

namespace cellproof::corpus::catalogue {
namespace {

struct Size {
  std::string_view name;
  std::int64_t Case::*field;
  std::int64_t value;
};

/// Just beyond the tiles of 64, 128 and 256 in which kernels take units, beyond the steps that they have ahead, and
/// beyond a warp of sequences. One size at a time, so that a divergence has a name and a case little to compute.
constexpr std::array sizes{Size{"T=66", &Case::T, 66},  Size{"T=130", &Case::T, 130}, Size{"N=40", &Case::N, 40},
                           Size{"H=65", &Case::H, 65},  Size{"H=129", &Case::H, 129}, Size{"H=257", &Case::H, 257},
                           Size{"I=129", &Case::I, 129}};

}  // namespace

std::vector<SuiteCase> limits() {
  std::vector<SuiteCase> result;
  for (const OperatorVersion version : all_operator_versions()) {
    if (!is_newest(version)) continue;
    CaseList list;
    for (const Size& size : sizes) {
      Case c = rich(version);
      c.*size.field = size.value;
      c.attributes.hidden_size = c.H;
      list.add(fmt::format("rich,{}", size.name), std::move(c));
    }
    // By itself, where `smoke` has it beside much else: what refuses or breaks the rest must not hide it.
    for (const Choices& choices : {Choices{{"type", "double"}}, Choices{{"layout", "1"}, {"T", "1"}}})
      list.add(to_string(choices), chosen(basis(version), choices));
    // Exporters write weights as Constant nodes, too.
    Case c = rich(version);
    for (CaseInput& input : c.inputs) {
      if (input.source == Source::Initializer) input.source = Source::ConstantNode;
    }
    list.add("rich,constant-nodes", std::move(c));
    for (SuiteCase& made : list.take()) result.push_back(std::move(made));
  }
  return result;
}

}  // namespace cellproof::corpus::catalogue
