#include "oracle/narrower.hpp"

#include <algorithm>
#include <vector>

#include "oracle/run_course.hpp"
#include "oracle/rungs.hpp"
#include "oracle/step/activation.hpp"
#include "oracle/tally.hpp"

namespace cellproof::oracle {
namespace {

bool is_verified(const Element& e) {
  return (e.cls == ElementClass::Exact || e.cls == ElementClass::Rounding) && !e.open;
}

/// Judges by the narrower arithmetic; true where that is sure to explain every element.
bool adopt(const Task& task, const Arithmetic& narrower, Course& course, int bits) {
  Task narrow = task;
  narrow.arithmetic = narrower;
  Course closer = run_course(narrow, Tier::Running, true, bits);
  if (closer.any_open && !closer.any_beyond && bits == bits_of_double)
    closer = run_course(narrow, Tier::Running, true, first_bits_of_balls);
  if (closer.any_beyond || closer.any_open) return false;
  mark_unresolved(narrow, closer);
  const auto take = [](std::vector<Element>& own, const std::vector<Element>& other) {
    for (std::size_t k = 0; k < own.size(); ++k) {
      const bool left = own[k].cls == ElementClass::Unresolved || own[k].cls == ElementClass::Unspecified ||
                        own[k].cls == ElementClass::Unverifiable;
      if (left && is_verified(other[k])) own[k].cls = other[k].cls;
    }
  };
  take(course.Y, closer.Y);
  take(course.Y_h, closer.Y_h);
  take(course.Y_c, closer.Y_c);
  return true;
}

/// The manners that can make a difference in this problem, the usual ones first.
std::vector<Manner> manners_of(const Task& task) {
  const Problem& problem = task.problem;
  bool has_formula = false, swallows = problem.attributes.clip.has_value();
  for (std::int64_t d = 0; d < task.frame.D; ++d) {
    const Cell cell = task.cell(d);
    for (int slot = 0; slot < activation_count(problem.version.op); ++slot) {
      const ActivationKind kind = cell.activation[static_cast<std::size_t>(slot)].kind;
      has_formula = has_formula || kind == ActivationKind::Softsign;
      swallows = swallows || may_swallow_nan(kind);
    }
  }
  const bool has_cell = has_cell_state(problem.version.op);
  const bool blends =
      !has_cell ? problem.version.op == Operator::GRU : problem.attributes.input_forget.value_or(0) != 0;
  const bool absent_state = task.initial_h.empty() || (has_cell && task.initial_c.empty());
  const bool absent_peephole = has_cell && !problem.input(input::P);

  std::vector<Manner> manners{Manner{}};
  const auto choose = [&](bool relevant, auto member, auto choices) {
    if (!relevant) return;
    std::vector<Manner> all;
    for (const auto choice : choices) {
      for (Manner m : manners) {
        m.*member = choice;
        all.push_back(m);
      }
    }
    manners = std::move(all);
  };
  using N = Manner::OfNan;
  using L = Manner::AtInfinity;
  using B = Manner::Blend;
  using A = Manner::Absent;
  choose(blends, &Manner::blend, std::initializer_list<B>{B::AsWritten, B::Shorter});
  choose(absent_peephole, &Manner::peephole, std::initializer_list<A>{A::LeftOut, A::Multiplied});
  choose(absent_state, &Manner::state, std::initializer_list<A>{A::Multiplied, A::LeftOut});
  choose(has_formula, &Manner::at_infinity, std::initializer_list<L>{L::Formula, L::Limit});
  choose(swallows, &Manner::nan, std::initializer_list<N>{N::Kept, N::AsLowest, N::AsHighest});
  return manners;
}

}  // namespace

void verify_more(const Task& task, Course& course, int bits) {
  if (course.any_beyond || course.any_open) return;
  const Tally before = tally_of(task, course, {});
  const auto unresolved = before.count(ElementClass::Unresolved), unspecified = before.count(ElementClass::Unspecified);
  if (10 * (unresolved + unspecified + before.count(ElementClass::Unverifiable)) <= before.total()) return;

  Arithmetic narrower = task.arithmetic;
  if (unresolved > 0) {
    Arithmetic without_floor = narrower;
    without_floor.activation_floor = 0;
    if (adopt(task, without_floor, course, bits)) narrower = without_floor;
  }
  if (unspecified == 0) return;
  for (const Manner& manner : manners_of(task)) {
    narrower.manner = manner;
    if (adopt(task, narrower, course, bits)) return;
  }
}

}  // namespace cellproof::oracle
