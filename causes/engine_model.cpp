#include "causes/engine_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "oracle/faults/every_fault.hpp"
#include "spec/finding_words.hpp"
#include "spec/signature.hpp"

namespace cellproof::causes {
namespace {

/// A cause while its cases are gathered.
struct Gathered {
  Cause cause;
  std::set<std::string> operators;
  std::size_t least = std::numeric_limits<std::size_t>::max();  ///< numbers in the case that stands for it
  bool has_case_alone = false;

  /// `size`: numbers in the inputs of the case.
  void add(const Finding& finding, std::size_t size, bool alone) {
    ++cause.cases;
    cause.alone += alone;
    cause.where[finding.suite].push_back(finding.number);
    operators.emplace(name(finding.version.op));
    const bool is_reduced = finding.reduction.has_value();
    if (is_reduced && finding.reduction->complete && alone && cause.status == Status::Likely)
      cause.status = Status::Proved;
    const std::size_t weight = is_reduced ? 0 : size;  // a reduced case is smaller than any of a suite
    if ((alone && !has_case_alone) || (alone == has_case_alone && weight < least)) {
      least = weight;
      has_case_alone = alone;
      cause.case_line = is_reduced ? finding.reduction->case_line : finding.case_line;
    }
  }
};

std::vector<Cause> sorted(std::map<std::string, Gathered>&& gathered) {
  std::vector<Cause> causes;
  for (auto& [id, each] : gathered) {
    each.cause.id = id;
    for (auto& [suite, numbers] : each.cause.where) std::ranges::sort(numbers);
    each.cause.operators.assign(each.operators.begin(), each.operators.end());
    causes.push_back(std::move(each.cause));
  }
  std::ranges::stable_sort(causes, std::ranges::greater{}, &Cause::cases);
  return causes;
}

/// Cases that nothing explains, by what they have in common: how they fail, and what they need to.
class Clusters {
 public:
  explicit Clusters(std::span<const Answered> answers) {
    for (const Answered& each : answers) {
      const Finding& finding = *each.finding;
      if (finding.reduction && !finding.signature.empty())
        needed_.emplace(finding.signature, finding.reduction->guilty);
    }
  }

  void add(const Finding& finding, std::size_t size) {
    const bool is_invalid = finding.judgement.verdict == Verdict::AcceptedInvalid && !finding.flaky;
    std::string kind{is_invalid ? "accepted-invalid" : kind_name(finding)};
    if (finding.flaky) {
      kind = "flaky-" + std::string(flaky_kind(finding));
    } else if (finding.outcome != OutcomeKind::Ran) {
      kind = name(finding.outcome);
    }
    if (finding.signal != 0) kind += fmt::format("-{}", finding.signal);
    std::ranges::transform(kind, kind.begin(), [](unsigned char c) { return std::tolower(c); });
    // A model that breaks one rule and is run is like any other.
    AxisValues axes = is_invalid ? AxisValues{} : needed_by(finding);
    Cluster& cluster = clusters_[id_of(kind, axes)];
    cluster.kind = std::move(kind);
    cluster.axes = std::move(axes);
    cluster.is_proved = cluster.is_proved || (finding.reduction && finding.reduction->complete);
    cluster.members.push_back({&finding, size});
  }

  std::vector<Cause> take() const {
    std::map<std::string, Gathered> gathered;
    for (const auto& [id, cluster] : clusters_) {
      for (const Member& member : cluster.members) {
        const AxisValues& axes = is_settled(cluster) ? cluster.axes : axes_of_home(cluster, *member.finding);
        Gathered& home = gathered[id_of(cluster.kind, axes)];
        home.cause.status = Status::Unexplained;
        home.cause.title = failure_text(*member.finding) + (axes.empty() ? "" : " with " + text_of(axes, ", "));
        home.add(*member.finding, member.size, true);
      }
    }
    return sorted(std::move(gathered));
  }

 private:
  /// Axis values that the reduction of the finding, or of one with its signature, has proved; else what the run blames.
  AxisValues needed_by(const Finding& finding) const {
    if (finding.reduction) return finding.reduction->guilty;
    const auto known = needed_.find(finding.signature);
    if (known != needed_.end()) return known->second;
    const auto signature = signature_of_text(finding.signature);
    return signature && !signature->is_unattributed() ? signature->axes : AxisValues{};
  }

  struct Member {
    const Finding* finding;
    std::size_t size;
  };
  struct Cluster {
    std::string kind;
    AxisValues axes;
    bool is_proved = false;  ///< that the axes are needed, by a reduction that came to its end
    std::vector<Member> members;
  };

  static std::string text_of(const AxisValues& axes, const char* between) {
    std::string text;
    for (const auto& [axis, value] : axes) text += fmt::format("{}{}={}", text.empty() ? "" : between, axis, value);
    return text;
  }

  static std::string id_of(const std::string& kind, const AxisValues& axes) {
    return kind + ":" + (axes.empty() ? "any" : text_of(axes, ","));
  }

  /// Axes that nobody proved to be needed are an accident of the few cases that share them.
  static bool is_settled(const Cluster& cluster) { return cluster.is_proved || cluster.members.size() >= fewest_alike; }

  /// Axes that a case of a cluster needs which is not settled: those of a settled one, if it has them, or nobody knows.
  const AxisValues& axes_of_home(const Cluster& cluster, const Finding& finding) const {
    static const AxisValues unknown;
    const auto has = [&](const auto& axis) { return std::ranges::find(finding.axes, axis) != finding.axes.end(); };
    for (const auto& [id, other] : clusters_) {
      const bool is_alike = is_settled(other) && other.kind == cluster.kind && !other.axes.empty();
      if (is_alike && std::ranges::all_of(other.axes, has)) return other.axes;
    }
    return unknown;
  }

  static constexpr std::size_t fewest_alike = 3;

  std::map<std::string, AxisValues> needed_;  ///< by signature
  std::map<std::string, Cluster> clusters_;
};

class Modelling {
 public:
  Modelling(std::span<const Answered> answers, const Bounds& bounds, const AskEngine& ask)
      : answers_(answers),
        cover_(answers, bounds.tried.empty() ? oracle::every_fault_but("") : bounds.tried, bounds),
        rivals_(cover_, ask),
        clusters_(answers) {}

  EngineModel model() {
    if (std::ranges::any_of(answers_, [](const Answered& each) { return !each.finding->pass; })) {
      cover_.search();
      rivals_.settle();
      model_.calls = rivals_.calls();
    }
    for (Cover::Item& item : cover_.items()) item.passes ? add_pass(item) : add_failure(item);
    for (const Answered& each : answers_) {
      if (!each.answers.empty() || each.finding->pass) continue;
      ++model_.failing;
      clusters_.add(*each.finding, std::numeric_limits<std::size_t>::max());
    }
    model_.is_cut_short = cover_.was_cut_short();
    model_.judgements = cover_.spent();
    for (auto* part : {&faults_, &contracts_, &readings_})
      std::ranges::move(sorted(std::move(*part)), std::back_inserter(model_.causes));
    std::ranges::move(clusters_.take(), std::back_inserter(model_.causes));
    return std::move(model_);
  }

 private:
  /// A pass shows readings, where it is not a fault that makes it look like one.
  void add_pass(Cover::Item& item) {
    const Finding& finding = item.rejudged.finding();
    if (finding.judgement.verdict != Verdict::Reading) return;
    const FaultSet acting = cover_.acting_on(item);
    if (!acting.empty() && item.rejudged.standing_as_read({}, acting) == Standing::Explained) return;
    const auto choices = finding.judgement.readings.choices();
    for (const ReadingChoice& choice : choices) {
      const std::string text = fmt::format("{}={}", info(choice.clause).id, choice.reading);
      Gathered& reading = readings_["reading:" + text];
      reading.cause.title = fmt::format("reads {} as {}", info(choice.clause).id, choice.reading);
      reading.cause.readings = {text};
      reading.cause.clause = info(choice.clause).text;
      reading.add(finding, item.size, choices.size() == 1 && acting.empty());
    }
  }

  void add_failure(Cover::Item& item) {
    const Finding& finding = item.rejudged.finding();
    ++model_.failing;
    if (item.standing == Standing::Explained || fits_as_far_as_it_goes(item)) {
      ++model_.explained;
      add_faults(item);
    } else if (finding.judgement.verdict == Verdict::Precision) {
      ++model_.explained;
      const std::string contract{name(finding.judgement.contract)};
      Gathered& cause = contracts_["contract:" + contract];
      cause.cause.title = "computes as contract " + contract + " allows";
      cause.cause.contract = contract;
      cause.add(finding, item.size, true);
    } else {
      clusters_.add(finding, item.size);
    }
  }

  /// Is nothing against the faults in a case that says too little by itself?
  bool fits_as_far_as_it_goes(Cover::Item& item) const {
    const FaultSet acting = cover_.acting_on(item);
    return item.standing == Standing::Possible && !acting.empty() && item.rejudged.verifies_what_is_wrong(acting);
  }

  /// The faults without which the case is not explained.
  void add_faults(Cover::Item& item) {
    const FaultSet acting = cover_.acting_on(item);
    FaultSet needed;
    for (const oracle::Fault* fault : acting) {
      FaultSet others = acting;
      std::erase(others, fault);
      if (item.rejudged.standing(others) > item.standing) needed.push_back(fault);
    }
    if (needed.empty()) needed = acting;  // each does without the other, neither without both
    for (const oracle::Fault* fault : needed) {
      Gathered& cause = faults_["fault:" + fault->id];
      describe(*fault, cause.cause);
      cause.cause.faults = {fault->id};
      cause.cause.clause = fault->clause;
      cause.add(item.rejudged.finding(), item.size, needed.size() == 1);
    }
  }

  void describe(const oracle::Fault& fault, Cause& cause) const {
    cause.scope = cover_.scope_of(&fault).text();
    cause.title = fault.what;
    if (!cause.scope.empty()) cause.title += fmt::format(" (only {})", cause.scope);
    cause.rivals.clear();
    std::vector<std::string> others;
    for (const oracle::Fault* rival : rivals_.of(&fault)) {
      cause.rivals.push_back(rival->id);
      if (others.size() < most_rivals_said) others.push_back(rival->what);
    }
    if (cause.rivals.size() > others.size())
      others.push_back(fmt::format("{} more", cause.rivals.size() - others.size()));
    if (!others.empty()) cause.title += fmt::format(" (or: {})", fmt::join(others, "; "));
  }

  static constexpr std::size_t most_rivals_said = 2;

  std::span<const Answered> answers_;
  Cover cover_;
  Rivals rivals_;
  Clusters clusters_;
  EngineModel model_;
  std::map<std::string, Gathered> faults_, contracts_, readings_;
};

}  // namespace

EngineModel model_of(std::span<const Answered> answers, const Bounds& bounds, const AskEngine& ask) {
  return Modelling(answers, bounds, ask).model();
}

}  // namespace cellproof::causes
