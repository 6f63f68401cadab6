#include "fuzz/guided/guided_case.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <utility>

#include "corpus/suites/smoke_parts.hpp"
#include "fuzz/guided/aim.hpp"
#include "fuzz/small_case.hpp"
#include "spec/axes.hpp"
#include "spec/expectation.hpp"
#include "spec/values/counter.hpp"

namespace cellproof::fuzz {
namespace {

/// Behind all cases that are drawn for themselves, so that the two sequences have none in common.
constexpr std::uint64_t first_drawn = std::uint64_t{1} << 40;
/// Behind those: what stands in for a move that cannot be made.
constexpr std::uint64_t first_instead = std::uint64_t{1} << 41;
constexpr int most_attempts = 4;

struct Move {
  std::string_view name;
  std::optional<Case> (*make)(const Case& c, const Outcome& outcome, const Words& words);
};

/// An input that the case does not have is given to it.
std::optional<Case> in_regime(const Case& c, std::size_t position, Regime regime) {
  if (position >= input_names(c.version.op).size()) return std::nullopt;
  Case guided = c;
  guided.inputs.resize(std::max(guided.inputs.size(), position + 1));
  guided.inputs[position].presence = Presence::Given;
  guided.inputs[position].values = Generated{.regime = regime, .seed = {}};
  return guided;
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
    Move{"nudged",
         [](const Case& c, const Outcome& outcome, const Words& words) {
           const std::optional<Case> at_targets = aimed(c, outcome, Aim::AtTargets, words);
           return at_targets ? nudged(*at_targets, words) : std::nullopt;
         }},
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

/// The endless sequence of words of one case.
Words words_of(std::uint64_t seed, std::uint64_t number) {
  constexpr std::uint64_t most_words = std::uint64_t{1} << 20;
  return [counter = Counter(seed, "guided"), next = number * most_words]() mutable { return counter.word(next++, 0); };
}

Case drawn(std::uint64_t seed, std::uint64_t number, std::uint64_t index) {
  const Words words = words_of(seed, number);
  Case c = small_case(drawn_small_recipe(seed, index));
  if (words() % 4 == 0) return c;
  Case edged = with_more_edges(c, words);
  return is_valid(edged) ? edged : c;
}

}  // namespace

GuidedCase guided_case(std::uint64_t seed, std::uint64_t number, const engines::Probe& ask) {
  const std::uint64_t group = number / guided_group;
  const Case start = drawn(seed, group * guided_group, first_drawn + group);
  if (number % guided_group == 0) return {start};
  const Outcome outcome = ask(make_problem(start));
  const Words words = words_of(seed, number);
  const bool quantised = is_quantised(start.version.op);
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    const Move& move =
        quantised ? Move{"on-ties", [](const Case& c, const Outcome&, const Words& w) { return on_ties(c, w); }}
                  : moves[words() % moves.size()];
    std::optional<Case> made = move.make(start, outcome, words);
    if (made && is_valid(*made)) return {*std::move(made), move.name};
  }
  return {drawn(seed, number, first_instead + number)};
}

}  // namespace cellproof::fuzz
