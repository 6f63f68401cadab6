#include <fmt/format.h>

#include "corpus/suites/basis.hpp"
#include "corpus/suites/invalid_parts.hpp"
#include "spec/rules/rules.hpp"

namespace cellproof::corpus::catalogue {
namespace {

void add(std::vector<Breach>& breaches, std::size_t position, std::string way, Case c, Shape shape) {
  const auto name = rules_of(c.version).inputs[position].name;
  c.inputs[position].presence = Presence::Given;
  c.inputs[position].values = Generated{};
  c.inputs[position].shape = std::move(shape);
  const char* kind = position == input::X ? "rank" : "shape";  // the rest of X's shape defines T, N and I
  breaches.push_back({fmt::format("{}-of-{}", kind, name), std::move(way), std::move(c)});
}

/// Each dimension one larger, a dimension more, a dimension less.
void break_dimensions(const Case& c, std::vector<Breach>& breaches) {
  for (std::size_t i = 0; i < rules_of(c.version).inputs.size(); ++i) {
    const Shape right = default_shape(c, i);
    for (std::size_t k = 0; k < right.size() && i != input::X; ++k) {
      Shape larger = right;
      ++larger[k];
      add(breaches, i, fmt::format("dimension-{}", k), c, larger);
    }
    Shape more = right;
    // DynamicQuantizeLSTM's scales and zero points may have a second dimension of 4H.
    more.push_back(i >= input::W_scale ? 4 * c.H + 1 : 1);
    add(breaches, i, "rank-too-high", c, more);
    add(breaches, i, "rank-too-low", c, Shape(right.begin() + 1, right.end()));
  }
}

/// W and R as other frameworks and other operators have them: the last two dimensions exchanged.
void break_orientation(const Case& c, std::vector<Breach>& breaches) {
  for (const auto position : {input::W, input::R}) {
    const Shape right = default_shape(c, position);
    if (right[1] == right[2]) continue;  // R of RNN is square
    add(breaches, position, "transposed", c, {right[0], right[2], right[1]});
  }
}

/// States as layout 0 has them in a node of layout 1.
void break_layout(const Case& valid, std::vector<Breach>& breaches) {
  for (const auto position : {input::initial_h, input::initial_c}) {
    if (position >= rules_of(valid.version).inputs.size()) continue;
    Case c = valid;
    c.attributes.layout.reset();
    const Shape layout0 = default_shape(c, position);
    c.attributes.layout = 1;
    add(breaches, position, "of-layout-0", c, layout0);
  }
}

}  // namespace

void break_shapes(const Case& valid, Breaches wanted, std::vector<Breach>& breaches) {
  if (rules_of(valid.version).attribute("layout") != nullptr) break_layout(valid, breaches);
  if (wanted == Breaches::ThatTellVersions && !is_newest(valid.version)) return;
  break_dimensions(valid, breaches);
  break_orientation(valid, breaches);
}

}  // namespace cellproof::corpus::catalogue
