#include "oracle/changed_output.hpp"

#include <cmath>
#include <utility>

namespace cellproof::oracle {

std::optional<ChangedOutput> first_changed_output(const Outputs& alone, const Outputs& all) {
  for (std::size_t k = 0; k < alone.size() && k < all.size(); ++k) {
    if (!alone[k] || !all[k] || alone[k]->shape() != all[k]->shape()) continue;
    for (std::size_t i = 0; i < alone[k]->size(); ++i) {
      const double a = alone[k]->value(i), b = all[k]->value(i);
      if (a != b && !(std::isnan(a) && std::isnan(b))) return ChangedOutput{k, i};
    }
  }
  return std::nullopt;
}

Judgement judgement_of_changed_output(const Observed& alone, const Observed& all, const ChangedOutput& changed,
                                      Judgement judgement) {
  const Tensor& here = *alone.outputs[changed.output];
  const Tensor& there = *all.outputs[changed.output];
  FirstViolation first;
  first.output = changed.output;
  first.index = here.index_of(changed.offset);
  first.type = here.type();
  first.actual = here.value(changed.offset);
  first.expected = there.value(changed.offset);
  const Layout& layout = alone.layout;
  const auto d = static_cast<std::size_t>(first.index.at(layout.batchwise ? 1 : 0));
  first.direction = layout.reversed.at(d) ? Direction::Reverse : Direction::Forward;
  judgement.verdict = Verdict::Diverges;
  judgement.kind = ViolationKind::State;
  judgement.reason = {.found = reason::ChangedOutput{}};
  judgement.first = std::move(first);
  return judgement;
}

}  // namespace cellproof::oracle
