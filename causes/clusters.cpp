#include "causes/clusters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <tuple>
#include <utility>

#include "causes/gathered.hpp"
#include "causes/need_words.hpp"

#include "spec/finding_words.hpp"
#include "spec/signature.hpp"

namespace cellproof::causes {
namespace {

/// Cases that share axes which nobody proved to be needed: fewer may share them by accident.
constexpr std::size_t fewest_alike = 3;
/// Functions in one place of an operator that fail only there: fewer may be as many defects.
constexpr std::size_t fewest_functions = 3;

/// Axes that say where a defect is seen or that it holds for a part, not what it is about.
bool is_of_showing(const AxisValue& axis) {
  constexpr std::string_view showing[] = {"type", "outputs", "regime", "T", "N", "I", "H"};
  return std::ranges::find(showing, axis.first) != std::end(showing);
}

bool is_of_function(const AxisValue& axis) {
  return axis.first.starts_with("activation.");
}

/// Axes that come with a function.
bool is_of_parameters(const AxisValue& axis) {
  return axis.first == "alpha" || axis.first == "beta";
}

/// "any" stands for each value of its family's axes.
bool is_of_family(const AxisValue& axis, const AxisValue& family) {
  return family.second == "any" && axis.first.starts_with(family.first);
}

/// Are all values of the first among those of the second?
bool are_among(const AxisValues& some, const AxisValues& all) {
  return std::ranges::all_of(some, [&](const AxisValue& axis) {
    return std::ranges::any_of(all, [&](const AxisValue& other) { return axis == other || is_of_family(other, axis); });
  });
}

/// The values that say what a defect is about.
AxisValues subjects_of(const AxisValues& axes) {
  AxisValues subjects = axes;
  std::erase_if(subjects, is_of_showing);
  if (std::ranges::any_of(subjects, is_of_function)) std::erase_if(subjects, is_of_parameters);
  return subjects;
}

/// Places of functions ("activation.f") that are to blame, whatever stands there: several functions fail there, and
/// nowhere else.
std::set<std::string> blamed_places(const std::vector<AxisValues>& needs) {
  std::map<std::string, std::set<std::string>> places_of, functions_at;
  for (const AxisValues& axes : needs) {
    if (std::ranges::count_if(axes, is_of_function) != 1) continue;
    const AxisValue& axis = *std::ranges::find_if(axes, is_of_function);
    places_of[axis.second].insert(axis.first);
    functions_at[axis.first].insert(axis.second);
  }
  std::set<std::string> blamed;
  for (const auto& [place, functions] : functions_at) {
    const auto only_here =
        std::ranges::count_if(functions, [&](const auto& each) { return places_of.at(each).size() == 1; });
    if (static_cast<std::size_t>(only_here) >= fewest_functions) blamed.insert(place);
  }
  return blamed;
}

/// Does a place fail whatever function stands there?
bool is_of_place(const AxisValue& axis) {
  return is_of_function(axis) && axis.second == "any";
}

/// May two subjects be one? Of functions the same one is, wherever it stands, and any at a place that is to blame; of
/// places, and of other axes, any two are.
bool are_one(const AxisValue& a, const AxisValue& b, const std::set<std::string>& blamed) {
  if (is_of_family(a, b) || is_of_family(b, a) || (is_of_place(a) && is_of_place(b))) return true;
  if (is_of_function(a) && is_of_function(b))
    return a.second == b.second || (a.first == b.first && blamed.contains(a.first));
  return a.first == b.first;
}

std::string id_of(const AxisValues& axes) {
  std::string text;
  for (const auto& [axis, value] : axes) text += fmt::format("{}{}={}", text.empty() ? "" : ",", axis, value);
  return text;
}

/// Are its values wrong, beyond all honest arithmetic or beyond what is likely?
bool is_wrong(const Finding& finding) {
  const Verdict verdict = finding.judgement.verdict.value_or(Verdict::Undecided);
  return (verdict == Verdict::Diverges || verdict == Verdict::Suspect) && finding.law.empty() &&
         finding.misconduct.empty();
}

/// Are its outputs of a wrong form, so that nothing is said of their values?
bool is_of_form(const Finding& finding) {
  const auto& kind = finding.judgement.kind;
  return kind == ViolationKind::Shape || kind == ViolationKind::Type || kind == ViolationKind::Count;
}

/// The first word of a cluster's id. The kind of the first violation depends on the outputs that a case asks for, so
/// wrong answers are of one way.
std::string way_of(const Finding& finding) {
  std::string way{kind_name(finding)};
  if (finding.flaky)
    way = "flaky-" + std::string(flaky_kind(finding));
  else if (finding.outcome != OutcomeKind::Ran)
    way = name(finding.outcome);
  else if (finding.judgement.verdict == Verdict::AcceptedInvalid)
    way = "accepted-invalid";
  else if (is_wrong(finding))
    way = "wrong";
  if (finding.signal != 0) way += fmt::format("-{}", finding.signal);
  std::ranges::transform(way, way.begin(), [](unsigned char c) { return std::tolower(c); });
  return way;
}

}  // namespace

bool has_what_is_needed(const AxisValues& axes, const AxisValues& need) {
  return are_among(need, axes);
}

Clusters::Clusters(std::span<const Answered> answers) {
  for (const Answered& each : answers) {
    const Finding& finding = *each.finding;
    if (finding.reduction && finding.reduction->complete && !finding.signature.empty())
      proved_.emplace(finding.signature, finding.reduction->guilty);
  }
}

void Clusters::add(const Finding& finding, std::size_t size) {
  ways_[way_of(finding)].push_back({&finding, size});
}

/// Needs that the reduction of the finding, or of one with its signature, has proved; null where none has. A model that
/// breaks one rule and is run is like any other.
const AxisValues* Clusters::proved_need_of(const Finding& finding) const {
  static const AxisValues none;
  if (finding.judgement.verdict == Verdict::AcceptedInvalid && !finding.flaky) return &none;
  if (finding.reduction && finding.reduction->complete) return &finding.reduction->guilty;
  const auto known = proved_.find(finding.signature);
  return known == proved_.end() ? nullptr : &known->second;
}

/// Axes that the run blames. They may be more than is needed, or an accident.
AxisValues Clusters::blamed_need_of(const Finding& finding) const {
  if (finding.reduction) return finding.reduction->guilty;
  const auto signature = signature_of_text(finding.signature);
  return signature && !signature->is_unattributed() ? signature->axes : AxisValues{};
}

/// The simplest need that the cases of another one have: one of their operator, and one that fails by the form of
/// outputs if they do; then one that differs in the one or the other.
Clusters::Need* Clusters::home_of(Needs& needs, const Need& of) {
  Need* best = nullptr;
  int most = 0;
  for (Need& need : needs) {
    const bool of_operator = std::ranges::includes(need.operators, of.operators);
    const int alike = 2 * of_operator + (need.is_of_form == of.is_of_form);
    const bool says_something = of_operator || !subjects_of(need.axes).empty();
    if (alike > most && says_something && are_among(need.axes, of.axes)) {
      best = &need;
      most = alike;
    }
  }
  return best;
}

/// The needs that are proved, and those that the run blames for enough cases and that say what is wrong. Each case that
/// is left goes to the simplest that it has.
Clusters::Needs Clusters::needs_of(const std::vector<Member>& members, std::vector<Member>& left) const {
  std::map<std::pair<AxisValues, bool>, Need> proved, blamed;
  for (const Member& member : members) {
    const AxisValues* const known = proved_need_of(*member.finding);
    const AxisValues axes = known ? *known : blamed_need_of(*member.finding);
    const bool of_form = is_of_form(*member.finding);
    Need& need = (known ? proved : blamed)[{axes, of_form}];
    need.axes = axes;
    need.is_proved = known != nullptr;
    need.is_of_form = of_form;
    need.operators.insert(member.finding->version.op);
    need.members.push_back(member);
  }
  Needs needs;
  for (auto& [axes, need] : proved) needs.push_back(std::move(need));
  std::ranges::stable_sort(needs, {}, [](const Need& need) { return need.axes.size(); });
  std::vector<Member> homeless;
  for (auto& [axes, need] : blamed) {
    const bool is_settled =
        !subjects_of(need.axes).empty() && need.members.size() >= fewest_alike && !home_of(needs, need);
    if (is_settled)
      needs.push_back(std::move(need));
    else
      homeless.insert(homeless.end(), need.members.begin(), need.members.end());
  }
  for (const Member& member : homeless) {
    const Finding& finding = *member.finding;
    Need* const home =
        home_of(needs, {.axes = finding.axes, .is_of_form = is_of_form(finding), .operators = {finding.version.op}});
    (home ? home->members : left).push_back(member);
  }
  return needs;
}

/// Needs that may be of one defect, together: one is a part of the other, both say no more than where it is seen, or
/// they are about the same. A need of which another is a part says no more than that one does: what it needs besides
/// makes it one with nothing else.
std::vector<Clusters::Lot> Clusters::lots_of(const Needs& needs) {
  const auto is_part_of = [](const Need& part, const Need& need) {
    return are_among(part.axes, need.axes) && std::ranges::includes(part.operators, need.operators);
  };
  Lot basic;
  std::map<const Need*, Lot> that_need_more;
  for (const Need& need : needs) {
    const auto part =
        std::ranges::find_if(basic, [&](const Need* each) { return each->is_proved && is_part_of(*each, need); });
    if (part == basic.end())
      basic.push_back(&need);
    else
      that_need_more[*part].push_back(&need);
  }
  std::vector<AxisValues> all;
  for (const Need* need : basic) all.push_back(need->axes);
  const std::set<std::string> blamed = blamed_places(all);
  const auto may_be_one = [&](const Need& a, const Need& b) {
    if (is_part_of(a, b) || is_part_of(b, a)) return true;
    if (a.is_of_form != b.is_of_form) return false;
    const AxisValues of_a = subjects_of(a.axes), of_b = subjects_of(b.axes);
    if (of_a.empty() && of_b.empty()) return true;
    return std::ranges::any_of(of_a, [&](const AxisValue& axis) {
      return std::ranges::any_of(of_b, [&](const AxisValue& other) { return are_one(axis, other, blamed); });
    });
  };
  std::vector<Lot> lots;
  for (const Need* need : basic) {
    Lot joined{need};
    std::erase_if(lots, [&](const Lot& lot) {
      const bool is_joined = std::ranges::any_of(lot, [&](const Need* each) { return may_be_one(*each, *need); });
      if (is_joined) joined.insert(joined.begin(), lot.begin(), lot.end());
      return is_joined;
    });
    lots.push_back(std::move(joined));
  }
  for (Lot& lot : lots)
    for (const Need* need : Lot(lot)) lot.insert(lot.end(), that_need_more[need].begin(), that_need_more[need].end());
  return lots;
}

/// The failure with what is proved to be needed. Of what the run blames no more is said than that all cases have it.
std::string Clusters::title_of(const Need& named, const Lot& lot) {
  std::string failure = failure_text(*named.members.front().finding);
  if (named.axes.empty()) return failure;
  const std::string words = words_of_need(named.axes);
  if (named.is_proved) return fmt::format("{}{} {}", failure, lot.size() == 1 ? " with" : ", for example with", words);
  const auto have_it = [&](const Need* need) {
    return std::ranges::all_of(
        need->members, [&](const Member& member) { return has_what_is_needed(member.finding->axes, named.axes); });
  };
  return std::ranges::all_of(lot, have_it) ? fmt::format("{}, so far only with {}", failure, words) : failure;
}

std::vector<Cause> Clusters::take() const {
  std::map<std::string, Gathered> gathered;
  for (const auto& [way, members] : ways_) {
    std::vector<Member> left;
    const Needs needs = needs_of(members, left);
    std::vector<Lot> lots = lots_of(needs);
    Need unknown[2] = {{.is_of_form = false}, {.is_of_form = true}};
    for (const Member& member : left) unknown[is_of_form(*member.finding)].members.push_back(member);
    // Nobody proved that they are of another defect than the only one.
    const bool is_one = lots.size() == 1;
    for (const Need& need : unknown) {
      if (need.members.empty()) continue;
      if (is_one)
        lots.front().push_back(&need);
      else
        lots.push_back({&need});
    }
    for (const Lot& lot : lots) {
      // The simplest need that is proved names them; of several that are as simple the one with most cases.
      const Need& named = **std::ranges::min_element(lot, {}, [&](const Need* need) {
        const auto functions = std::ranges::count_if(
            need->axes, [](const AxisValue& axis) { return is_of_function(axis) && !is_of_place(axis); });
        const bool is_unknown = need == &unknown[0] || need == &unknown[1];
        return std::tuple(!need->is_proved, is_unknown, need->axes.size(), functions, -std::ssize(need->members));
      });
      const bool is_of_unknown_form = &named == &unknown[1];
      const std::string needed = is_of_unknown_form ? "form" : named.axes.empty() ? "any" : id_of(named.axes);
      Gathered& home = gathered[fmt::format("{}:{}", way, needed)];
      home.cause.status = CauseStatus::Unexplained;
      home.cause.title = title_of(named, lot);
      for (const Need* need : lot) {
        for (const Member& member : need->members) {
          home.count(*member.finding, true);
          if (need == &named) home.show(*member.finding, member.size, true);  // the title is of no other's case
        }
      }
    }
  }
  return sorted(std::move(gathered));
}

}  // namespace cellproof::causes
