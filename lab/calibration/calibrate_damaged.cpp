#include <array>
#include <cmath>

#include "campaign/progress.hpp"
#include "lab/calibration/calibrate.hpp"
#include "lab/calibration/random_case.hpp"
#include "lab/zoo/zoo.hpp"
#include "oracle/search.hpp"
#include "spec/case_text.hpp"
#include "spec/reason_words.hpp"
#include "spec/rules/rules.hpp"

namespace cellproof::lab {
namespace {

/// Damage to one element, as a share of it, and the least share of the largest element that it may be. The latter is 16
/// roundoffs of binary32: honest arithmetic may do as much as any smaller damage.
constexpr double damage = 1e-4, least_effect = 16 * 0x1p-24;

/// Which time index is no row's last step, so that no other output repeats the element; nullopt if there is none.
bool is_inner_step(const Problem& problem, const std::vector<std::int64_t>& index) {
  const bool by_batch = problem.attributes.layout.value_or(0) != 0;
  const std::int64_t t = index[by_batch ? 1 : 0], b = index[by_batch ? 0 : 2], d = index[by_batch ? 2 : 1];
  const Tensor* lengths = problem.input(input::sequence_lens);
  const std::int64_t steps = lengths ? lengths->integer(static_cast<std::size_t>(b)) : dimensions_of(problem).T;
  const bool reversed = d == 1 || problem.attributes.direction == "reverse";
  return t < steps && t != (reversed ? 0 : steps - 1);
}

/// The place of an element that the damage changes visibly, the k-th try of some.
std::optional<std::size_t> damageable(const Problem& problem, const Tensor& Y, std::uint64_t key) {
  double scale = 0;
  for (std::size_t k = 0; k < Y.size(); ++k) {
    if (!std::isfinite(Y.value(k))) return std::nullopt;
    scale = std::max(scale, std::abs(Y.value(k)));
  }
  for (std::uint64_t attempt = 0; attempt < 50 && Y.size() > 0; ++attempt) {
    const std::size_t place = (key + attempt) * 0x9E3779B97F4A7C15ull % Y.size();
    if (damage * std::abs(Y.value(place)) >= least_effect * scale && scale > 1e-30 &&
        is_inner_step(problem, Y.index_of(place)))
      return place;
  }
  return std::nullopt;
}

bool conforms(const Problem& problem, const Outputs& outputs) {
  return oracle::search(oracle::Observed(problem, outputs), {}, {}, oracle::Depth::Verdict).verdict ==
         Verdict::Conforms;
}

}  // namespace

std::vector<DamagedRow> calibrate_damaged(std::int64_t cases_per_operator, std::uint64_t seed) {
  std::vector<DamagedRow> rows;
  constexpr std::array operators{Operator::LSTM, Operator::GRU, Operator::RNN};
  campaign::Progress progress("damaged elements", cases_per_operator * static_cast<std::int64_t>(operators.size()));
  const auto styles = zoo::styles();
  for (const Operator op : operators) {
    DamagedRow row{.op = op, .others = {}};
    for (std::uint64_t index = 0; row.tried < cases_per_operator; ++index) {
      const Case c = random_case(op, index, seed);
      const Problem problem = make_problem(c);
      if (c.type != ElementType::Float || !problem.asks_for(output::Y)) continue;
      Outputs outputs = zoo::run(problem, styles[index % styles.size()], index);
      Tensor& Y = *outputs[output::Y];
      const std::optional<std::size_t> place = damageable(problem, Y, index);
      if (!place || !conforms(problem, outputs)) continue;
      Y.set_value(*place, Y.value(*place) * (1 + damage));
      ++row.tried;
      progress.advance("");
      const Judgement judgement = oracle::search(oracle::Observed(problem, outputs), {}, {});
      const bool placed =
          judgement.first && judgement.first->output == output::Y && judgement.first->index == Y.index_of(*place);
      if (judgement.verdict == Verdict::Diverges && placed) {
        ++row.diverges;
      } else if (judgement.verdict == Verdict::Suspect && placed) {
        ++row.suspect;
      } else {
        ++(judgement.verdict == Verdict::Precision ? row.excused : row.missed);
        row.others.push_back({to_text(c), std::string(styles[index % styles.size()].name), sentence_of(judgement)});
      }
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace cellproof::lab
