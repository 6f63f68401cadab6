#include "engines/same_outputs.hpp"

#include <algorithm>
#include <cmath>

namespace cellproof::engines {
namespace {

bool same_tensor(const Tensor& a, const Tensor& b) {
  if (a == b) return true;
  if (a.type() != b.type() || a.shape() != b.shape() || !is_floating_point(a.type())) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a.bits(i) != b.bits(i) && !(std::isnan(a.value(i)) && std::isnan(b.value(i)))) return false;
  return true;
}

}  // namespace

bool same_outputs(const Outcome& first, const Outcome& second) {
  return first.kind == second.kind && std::equal(first.outputs.begin(), first.outputs.end(), second.outputs.begin(),
                                                 second.outputs.end(), [](const auto& a, const auto& b) {
                                                   return a && b ? same_tensor(*a, *b) : a.has_value() == b.has_value();
                                                 });
}

}  // namespace cellproof::engines
