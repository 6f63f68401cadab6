#include "reports/listed_causes.hpp"

namespace cellproof::reports {
namespace {

/// Lines that this many causes take: one each, and that there are more.
std::size_t lines_of(const ListedCauses& engine, std::size_t shown) {
  return shown == 0 ? 0 : shown + (shown < engine.causes.size() ? 1 : 0);
}

}  // namespace

std::vector<ListedCauses> list_causes(const std::vector<EngineTally>& engines, const std::vector<ShownCause>& causes,
                                      std::size_t lines) {
  std::vector<ListedCauses> listed;
  for (const EngineTally& engine : engines) {
    listed.push_back({&engine, {}, 0});
    for (const ShownCause& shown : causes)
      if (shown.engine == engine.name) listed.back().causes.push_back(&shown);
  }
  for (bool has_grown = true; has_grown;) {
    has_grown = false;
    for (ListedCauses& engine : listed) {
      if (engine.left_out() == 0) continue;
      const std::size_t more = lines_of(engine, engine.shown + 1) - lines_of(engine, engine.shown);
      if (more > lines) continue;
      lines -= more;
      ++engine.shown;
      has_grown = true;
    }
  }
  return listed;
}

}  // namespace cellproof::reports
