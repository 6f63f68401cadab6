#include "oracle/ladder.hpp"

#include <algorithm>
#include <optional>

#include "oracle/tally.hpp"

namespace cellproof::oracle {
namespace {

bool is_any_open(const Course& course) {
  const auto open = [](const std::vector<Element>& list) { return std::ranges::any_of(list, &Element::open); };
  return open(course.Y) || open(course.Y_h) || open(course.Y_c);
}

Course course_at(const Task& task, int bits, const Stretch* only = nullptr) {
  Course course = run_course(task, Tier::Running, false, bits, only);
  if (course.any_beyond) {
    mark_suspect(course, run_course(task, Tier::Certified, false, bits, only));
    course.any_open = is_any_open(course);
  }
  return course;
}

/// The first violation, of which a verdict speaks. `course` is beyond some bound.
Place first_violation_of(const Task& task, const Course& course) {
  const Tally tally = tally_of(task, course, {});
  return tally.first_divergent ? *tally.first_divergent : *tally.first_suspect;
}

/// Does the first violation of a course in `double` hold in balls as well, and nothing worse? Its row then has what
/// they give.
bool is_confirmed(const Task& task, Course& course) {
  if (!is_by_rows(task)) return false;
  const Place place = first_violation_of(task, course);
  const Stretch stretch{place.d, place.b, place.rank};
  Course sure = course_at(task, first_bits_of_balls, &stretch);
  const ElementClass found = element_at(task, course, place).cls;
  if (sure.any_open || element_at(task, sure, place).cls != found) return false;
  for (std::int64_t j = 0; j < task.frame.H; ++j) {
    const Place beside{place.output, place.rank, place.d, place.b, j};
    element_at(task, course, beside) = element_at(task, sure, beside);
  }
  return true;
}

/// Where a course that stops early has found something beyond its bound; nullopt where rows cannot be told apart.
std::optional<Stretch> beyond_in(const Task& task, const Course& course) {
  if (!is_by_rows(task)) return std::nullopt;
  const Place place = first_violation_of(task, course);
  return Stretch{place.d, place.b, place.rank};
}

/// The certified course in `double` up to something beyond its bound; only the likeliest place, if that suffices.
Course stopped_course(const Task& task, std::optional<Stretch>* likeliest) {
  if (likeliest && *likeliest && is_by_rows(task)) {
    Course there = run_course(task, Tier::Certified, true, bits_of_double, &**likeliest);
    if (there.any_beyond) return there;
  }
  Course course = run_course(task, Tier::Certified, true, bits_of_double);
  if (likeliest && course.any_beyond) *likeliest = beyond_in(task, course);
  return course;
}

/// What `double` can tell of double tensors: its error is as large as the roundings that are judged, so it settles
/// gross violations only. Where numbers underflow, its error is not relative, but as much as theirs.
Task with_room_for_double(const Task& task) {
  Task wider = task;
  for (const auto eta : {&Arithmetic::eta_storage, &Arithmetic::eta_accumulate, &Arithmetic::eta_elementwise})
    wider.arithmetic.*eta *= 2;
  return wider;
}

}  // namespace

int first_rung(const Task& task) {
  return first_rung(task.arithmetic.type);
}

Climbed climb_from(const Task& task, Confirm confirm, int bits) {
  Climbed climbed{course_at(task, bits), bits};
  const auto decided = [&] {
    const bool confirmed = climbed.bits > bits_of_double || confirm == Confirm::Later;
    return !climbed.course.any_open && (!climbed.course.any_beyond || confirmed);
  };
  const bool doubted = climbed.bits == bits_of_double && climbed.course.any_beyond && !climbed.course.any_open;
  if (!decided() && doubted && is_confirmed(task, climbed.course)) {
    climbed.bits = first_bits_of_balls;
    return climbed;
  }
  while (!decided() && climbed.bits < most_bits) {
    climbed.bits = climbed.bits == bits_of_double ? first_bits_of_balls : 2 * climbed.bits;
    climbed.course = course_at(task, climbed.bits);
  }
  return climbed;
}

Climbed climb(const Task& task, Confirm confirm) {
  return climb_from(task, confirm, first_rung(task));
}

bool is_beyond_proof(const Task& task, Confirm confirm, std::optional<Stretch>* likeliest) {
  const bool in_double = first_rung(task) == bits_of_double;
  const Course rough =
      in_double ? stopped_course(task, likeliest) : stopped_course(with_room_for_double(task), likeliest);
  if (rough.any_beyond && confirm == Confirm::Later) return true;
  if (!rough.any_beyond && in_double) return false;
  if (rough.any_beyond) {
    const std::optional<Stretch> found = beyond_in(task, rough);
    if (found && run_course(task, Tier::Certified, true, first_bits_of_balls, &*found).any_beyond) return true;
  }
  return run_course(task, Tier::Certified, true, first_bits_of_balls).any_beyond;
}

}  // namespace cellproof::oracle
