#include "fuzz/steering/steering.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <utility>

#include "corpus/suites/smoke_parts.hpp"
#include "fuzz/small_case.hpp"
#include "fuzz/steering/aim.hpp"
#include "spec/axes.hpp"
#include "spec/expectation.hpp"
#include "spec/values/counter.hpp"

namespace cellproof::fuzz {
namespace {

/// How many cases are made of one that was drawn, and how many of those with the largest ratios are kept.
constexpr int moves_from_each = 7;
constexpr std::size_t most_kept = 16;

struct Move {
  std::string_view name;
  std::optional<Case> (*make)(const Case& c, const Outcome& outcome, const Words& words);
};

/// An input that the case does not have is given to it.
std::optional<Case> in_regime(const Case& c, std::size_t position, Regime regime) {
  if (position >= input_names(c.version.op).size()) return std::nullopt;
  Case steered = c;
  steered.inputs.resize(std::max(steered.inputs.size(), position + 1));
  steered.inputs[position].presence = Presence::Given;
  steered.inputs[position].values = Generated{.regime = regime, .seed = {}};
  return steered;
}

template <Aim aim>
std::optional<Case> aiming(const Case& c, const Outcome& outcome, const Words& words) {
  return aimed(c, outcome, aim, words);
}

bool is_valid(const Case& c) {
  return expectation_of(c).kind != Expectation::Kind::Refuse;
}

/// Among cases drawn at random few functions have knots, and few cases a clip: one function becomes any of them, with
/// its parameters written, and one case in three gets a clip.
Case with_more_edges(Case c, const Words& words) {
  std::vector<const Axis*> slots;
  for (const Axis& row : axes()) {
    if (row.name.starts_with("activation.") && !row.values(c.version).empty()) slots.push_back(&row);
  }
  if (!slots.empty()) {
    const Axis& slot = *slots[words() % slots.size()];
    const std::vector<std::string> functions = slot.values(c.version);
    c = corpus::catalogue::with_given_parameters(slot.apply(c, functions[words() % functions.size()]));
  }
  const std::vector<std::string> clips = axis("clip").values(c.version);
  if (words() % 3 == 0 && std::ranges::find(clips, "biting") != clips.end()) c = axis("clip").apply(c, "biting");
  return c;
}

/// Those that are most often worth trying stand there more than once.
constexpr std::array moves{
    Move{"at-targets", aiming<Aim::AtTargets>},
    Move{"at-targets", aiming<Aim::AtTargets>},
    Move{"first-step", aiming<Aim::FirstStep>},
    Move{"bare", aiming<Aim::Bare>},
    Move{"bare", aiming<Aim::Bare>},
    Move{"sweeping", aiming<Aim::Sweeping>},
    Move{"cancelling", aiming<Aim::Cancelling>},
    Move{"nudged", [](const Case& c, const Outcome&, const Words& words) { return nudged(c, words); }},
    Move{"growing",
         [](const Case& c, const Outcome&, const Words&) { return in_regime(c, input::R, Regime::Chaotic); }},
    Move{"large-state",
         [](const Case& c, const Outcome&, const Words& words) {
           return in_regime(c, words() % 2 == 0 ? input::initial_h : input::initial_c, Regime::Saturating);
         }},
    Move{"subnormal",
         [](const Case& c, const Outcome&, const Words& words) {
           return in_regime(c, words() % 2 == 0 ? input::X : input::initial_h, Regime::Subnormal);
         }},
};

}  // namespace

std::uint64_t Steering::word() {
  return Counter(seed_, "steering").word(words_++, 0);
}

Case Steering::drawn() {
  move_ = "drawn";
  moves_left_ = moves_from_each;
  Case c = small_case(drawn_small_recipe(seed_, index_++));
  if (word() % 4 == 0) return c;
  Case edged = with_more_edges(c, [this] { return word(); });
  return is_valid(edged) ? edged : c;
}

Case Steering::moved(const Tried& from) {
  const Words words = [this] { return word(); };
  const bool quantised = from.c.version.op == Operator::DynamicQuantizeLSTM;
  for (int attempt = 0; attempt < 4; ++attempt) {
    const Move& move =
        quantised ? Move{"on-ties", [](const Case& c, const Outcome&, const Words& w) { return on_ties(c, w); }}
                  : moves[word() % moves.size()];
    std::optional<Case> made = move.make(from.c, from.outcome, words);
    if (!made || !is_valid(*made)) continue;
    move_ = move.name;
    return *std::move(made);
  }
  return drawn();
}

Case Steering::next() {
  if (moves_left_-- <= 0) return current_ = drawn();
  const bool from_pool = !pool_.empty() && word() % 4 == 0;
  return current_ = moved(from_pool ? pool_[word() % pool_.size()] : start_);
}

void Steering::learn(const Outcome& outcome, double ratio) {
  Tried tried{current_, outcome, ratio};
  if (move_ == "drawn") start_ = tried;
  // A proof has been told already; what lies beyond it says nothing of where else to look.
  if (!(ratio > 0) || ratio > 1) return;
  pool_.push_back(std::move(tried));
  std::ranges::stable_sort(pool_, std::ranges::greater(), &Tried::ratio);
  if (pool_.size() > most_kept) pool_.resize(most_kept);
}

}  // namespace cellproof::fuzz
