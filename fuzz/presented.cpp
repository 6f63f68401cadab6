#include "fuzz/presented.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "spec/axes.hpp"
#include "spec/values/counter.hpp"

namespace cellproof::fuzz {

Case presented(const Case& c, std::uint64_t seed, std::uint64_t number) {
  constexpr std::uint64_t one_in_is_changed = 4;
  const Counter counter(seed, "presentation");
  if (counter.word(number, 0) % one_in_is_changed != 0) return c;
  const auto list = axes_of_presentation();
  const Axis& row = list[counter.word(number, 1) % list.size()];
  const std::vector<std::string> values = row.values(c.version);
  if (values.empty()) return c;  // the operator has no such axis
  Case changed = row.apply(c, values[counter.word(number, 2) % values.size()]);
  // Where there are no initial states, sharing them would bring them along.
  const bool means_the_same =
      std::ranges::all_of(axes_of_meaning(), [&](const Axis& meaning) { return meaning.of(changed) == meaning.of(c); });
  return means_the_same ? changed : c;
}

}  // namespace cellproof::fuzz
