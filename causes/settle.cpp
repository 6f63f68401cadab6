// Faults that were taken, put to the test one by one.
#include <utility>
#include <vector>

#include "causes/rivals.hpp"

namespace cellproof::causes {
namespace {

/// The search goes on so many times after a fault is taken back.
constexpr int most_searched_again = 6;

}  // namespace

bool Rivals::settle(const oracle::Fault* fault) {
  const std::vector<Cover::Item*> needed = needing(fault);
  if (needed.empty()) return true;
  // To put a fault to the test takes few judgements, whatever was spent on the search.
  Found found = cover_.is_cut_short() ? Found{{}, needed.front()} : find(fault, needed);
  const bool has_rivals = !found.rivals.empty();
  if (has_rivals && ask_) fault = decide(fault, found);
  against_.clear();
  if (ask_ && (!has_rivals || found.has_answers) && !is_borne_out(fault, needed)) {
    for (const Case& c : std::exchange(against_, {})) learn(c, *needed.front());
    cover_.dismiss(fault);
    return false;
  }
  if (!found.rivals.empty()) left_[fault] = std::move(found.rivals);
  return true;
}

/// One that is taken back may have made others look right, and have hidden others.
void Rivals::settle() {
  for (int searched = 0; !settle_all();) {
    if (cover_.is_over()) return;
    if (searched++ < most_searched_again) cover_.search();
  }
}

/// False: at least one was taken back.
bool Rivals::settle_all() {
  bool is_settled = true;
  for (const oracle::Fault* fault : FaultSet(cover_.faults())) {
    if (cover_.is_over()) return true;
    is_settled = settle(fault);
    if (!is_settled) break;
  }
  cover_.drop_the_needless();
  return is_settled;
}

}  // namespace cellproof::causes
