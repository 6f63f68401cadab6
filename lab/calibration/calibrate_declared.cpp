#include <string>

#include "lab/calibration/calibrate.hpp"
#include "lab/calibration/random_case.hpp"
#include "spec/case_text.hpp"
#include "spec/reason_words.hpp"

namespace cellproof::lab {
namespace {

constexpr std::size_t shown_alarms = 5;

/// Random cases of one operator and type, by turns with subnormal values where those matter.
class CasesOfType {
 public:
  CasesOfType(Operator op, const zoo::DeclaredStyle& declared, std::uint64_t seed)
      : op_(op), declared_(declared), seed_(seed) {}

  Case next() {
    Case c = random_case(op_, index_++, seed_);
    while (c.type != declared_.type) c = random_case(op_, index_++, seed_);
    if (declared_.style.flushed && drawn_++ % 2 == 0) c.regime = Regime::Subnormal;
    return c;
  }

 private:
  Operator op_;
  const zoo::DeclaredStyle& declared_;
  std::uint64_t seed_, index_ = 0;
  int drawn_ = 0;
};

void add(const Case& c, const Judgement& judgement, DeclaredRow& row) {
  if (judgement.verdict == Verdict::Conforms || judgement.verdict == Verdict::Precision) {
    ++row.admitted;
  } else if (judgement.verdict == Verdict::Undecided) {
    ++row.undecided;
  } else {
    ++row.alarms;
    if (row.first_alarms.size() < shown_alarms)
      row.first_alarms.push_back(
          {to_text(c), row.style, judgement.verdict.value_or(Verdict::Unreadable), sentence_of(judgement)});
  }
}

}  // namespace

std::vector<DeclaredRow> calibrate_declared(std::int64_t cases_per_style, std::uint64_t seed) {
  std::vector<DeclaredRow> rows;
  for (const zoo::DeclaredStyle& declared : zoo::declared_styles()) {
    DeclaredRow row{std::string(declared.style.name), declared.contract, 0, 0, 0, {}};
    for (const Operator op : all_operators()) {
      if (is_quantised(op) && declared.type != ElementType::Float) continue;
      CasesOfType cases(op, declared, seed);
      for (std::int64_t k = 0; k < cases_per_style; ++k) {
        const Case c = cases.next();
        add(c, judge_declared(c, declared.style, static_cast<std::uint64_t>(k), declared.contract), row);
      }
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace cellproof::lab
