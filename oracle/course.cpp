#include "oracle/course.hpp"

#include "oracle/at.hpp"

namespace cellproof::oracle {

Course Course::untouched(const Task& task) {
  Course course;
  const auto states = at(task.frame.D * task.frame.N * task.frame.H);
  if (task.Y) course.Y.resize(at(task.frame.T) * states);
  if (task.Y_h && !task.Y) course.Y_h.resize(states);
  if (task.Y_c) course.Y_c.resize(states);
  return course;
}

}  // namespace cellproof::oracle
