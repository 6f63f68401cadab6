#include "causes/presented.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace cellproof::causes {
namespace {

constexpr std::string_view symbolic_sizes = "dims";

bool is_of_presentation(const oracle::Fault& fault) {
  return !fault.corner_of.empty() && fault.blames.find(symbolic_sizes) != std::string::npos;
}

/// Does a reduction show that the sizes must be symbols, and does none show that they need not?
bool needs_symbols(const std::vector<Cover::Item*>& items) {
  bool is_shown = false;
  for (const Cover::Item* item : items) {
    const Finding& finding = item->rejudged.finding();
    if (!finding.law.empty() || !finding.reduction || !finding.reduction->complete) continue;
    if (std::ranges::count(finding.reduction->guilty, symbolic_sizes, &AxisValue::first) == 0) return false;
    is_shown = true;
  }
  return is_shown;
}

}  // namespace

bool take_corners_of_presentation(Cover& cover) {
  bool is_any_taken = false;
  const FaultSet faults = cover.faults();
  for (const oracle::Fault* fault : faults) {
    std::vector<Cover::Item*> explained;
    for (Cover::Item& item : cover.items())
      if (!item.passes && item.standing == Standing::Explained && cover.touches(fault, item))
        explained.push_back(&item);
    if (!needs_symbols(explained)) continue;
    for (const oracle::Fault* corner : cover.tried()) {
      if (corner->base != fault->id || !is_of_presentation(*corner)) continue;
      const auto is_explained = [&](Cover::Item* item) {
        FaultSet supposed = cover.acting_on(*item);
        std::ranges::replace(supposed, fault, corner);
        return item->rejudged.standing(supposed) == Standing::Explained;
      };
      if (!std::ranges::all_of(explained, is_explained)) continue;
      cover.exchange(fault, corner);
      is_any_taken = true;
      break;
    }
  }
  return is_any_taken;
}

}  // namespace cellproof::causes
