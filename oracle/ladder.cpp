#include "oracle/ladder.hpp"

#include <algorithm>

#include "oracle/quantized/course.hpp"
#include "oracle/tally.hpp"

namespace cellproof::oracle {
namespace {

bool is_any_open(const Course& course) {
  const auto open = [](const std::vector<Element>& list) { return std::ranges::any_of(list, &Element::open); };
  return open(course.Y) || open(course.Y_h) || open(course.Y_c);
}

Course course_at(const Task& task, int bits) {
  Course course = run_course(task, Tier::Running, false, bits);
  if (course.any_beyond) {
    mark_suspect(course, run_course(task, Tier::Certified, false, bits));
    course.any_open = is_any_open(course);
  }
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

int first_rung(ElementType type) {
  return type == ElementType::Double ? first_bits_of_balls : bits_of_double;
}

int first_rung(const Task& task) {
  return first_rung(task.arithmetic.type);
}

Climbed climb_from(const Task& task, Confirm confirm, int bits) {
  Climbed climbed{course_at(task, bits), bits};
  if (quantises(task)) return climbed;
  const auto decided = [&] {
    const bool confirmed = climbed.bits > bits_of_double || confirm == Confirm::Later;
    return !climbed.course.any_open && (!climbed.course.any_beyond || confirmed);
  };
  while (!decided() && climbed.bits < most_bits) {
    climbed.bits = climbed.bits == bits_of_double ? first_bits_of_balls : 2 * climbed.bits;
    climbed.course = course_at(task, climbed.bits);
  }
  return climbed;
}

Climbed climb(const Task& task, Confirm confirm) {
  return climb_from(task, confirm, first_rung(task));
}

bool is_beyond_proof(const Task& task, Confirm confirm) {
  const auto is_beyond_at = [](const Task& asked, int bits) {
    return run_course(asked, Tier::Certified, true, bits).any_beyond;
  };
  if (quantises(task)) return is_beyond_at(task, bits_of_double);
  const bool in_doubles = first_rung(task) == bits_of_double;
  const bool beyond = is_beyond_at(in_doubles ? task : with_room_for_double(task), bits_of_double);
  if (beyond && confirm == Confirm::Later) return true;
  if (!beyond && in_doubles) return false;
  return is_beyond_at(task, first_bits_of_balls);
}

}  // namespace cellproof::oracle
