#include "oracle/structure.hpp"

#include <cmath>

#include "oracle/at.hpp"

namespace cellproof::oracle {
namespace {

bool same_value(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

/// Is `actual` the input value `given`, passed on? A contract may let it be rounded or flushed on the way.
bool passed_on(double given, double actual, const Arithmetic& m) {
  if (same_value(given, actual)) return true;
  return std::abs(given - actual) <= m.radius_of_input(given);
}

class Checker {
 public:
  explicit Checker(const Task& task) : task_(task), f_(task.layout) {}

  std::vector<StructuralViolation> all() {
    for (std::int64_t d = 0; d < f_.D; ++d) {
      for (std::int64_t b = 0; b < f_.N; ++b) row(d, b);
    }
    return std::move(found_);
  }

 private:
  void row(std::int64_t d, std::int64_t b) {
    const std::int64_t steps = f_.lengths[at(b)];
    const bool zero = task_.stateless_rows_are_zero();
    for (std::int64_t j = 0; j < f_.H; ++j) {
      const std::size_t state = f_.state_offset(d, b) + at(j);
      const double h0 = zero ? 0 : task_.initial_state_of_h(d, b, j);
      if (steps == 0) {
        if (task_.Y_h) check_state(output::Y_h, h0, (*task_.Y_h)[state], d, b, j);
        if (task_.Y_c)
          check_state(output::Y_c, zero ? 0 : task_.initial_state_of_c(d, b, j), (*task_.Y_c)[state], d, b, j);
      } else if (task_.Y && task_.Y_h) {
        const double last = y(f_.time(d, b, steps - 1), d, b, j);
        if (!same_value(last, (*task_.Y_h)[state])) add_state(output::Y_h, last, (*task_.Y_h)[state], d, b, j);
      }
    }
    if (task_.Y && steps < f_.T) padding(d, b, steps);
  }

  void padding(std::int64_t d, std::int64_t b, std::int64_t steps) {
    const bool carry = task_.readings.is(Clause::PaddingOfY, "carry");
    const std::int64_t begin = f_.padding_begin(d, b);
    for (std::int64_t t = begin; t < begin + f_.T - steps; ++t) {
      for (std::int64_t j = 0; j < f_.H; ++j) {
        double expected = 0;
        if (carry && steps > 0) expected = y(f_.time(d, b, steps - 1), d, b, j);
        if (carry && steps == 0 && !task_.stateless_rows_are_zero()) expected = task_.initial_state_of_h(d, b, j);
        const double actual = y(t, d, b, j);
        const bool right =
            carry && steps == 0 ? passed_on(expected, actual, task_.arithmetic) : same_value(expected, actual);
        if (!right)
          found_.push_back(
              {ViolationKind::Padding, output::Y, f_.T + t, d, b, j, t, f_.y_index(t, d, b, j), expected, actual, {}});
      }
    }
  }

  void check_state(std::size_t which, double expected, double actual, std::int64_t d, std::int64_t b, std::int64_t j) {
    if (!passed_on(expected, actual, task_.arithmetic)) add_state(which, expected, actual, d, b, j);
  }

  void add_state(std::size_t which, double expected, double actual, std::int64_t d, std::int64_t b, std::int64_t j) {
    const std::int64_t steps = f_.lengths[at(b)];
    std::optional<std::int64_t> step;
    if (steps > 0) step = f_.time(d, b, steps - 1);
    const std::int64_t rank = steps > 0 ? steps - 1 : 0;
    found_.push_back({ViolationKind::State, which, rank, d, b, j, step, f_.state_index(d, b, j), expected, actual, {}});
  }

  double y(std::int64_t t, std::int64_t d, std::int64_t b, std::int64_t j) const {
    return (*task_.Y)[f_.y_offset(t, d, b) + at(j)];
  }

  const Task& task_;
  const Layout& f_;
  std::vector<StructuralViolation> found_;
};

}  // namespace

std::vector<StructuralViolation> broken_elements(const Task& task) {
  return Checker(task).all();
}

}  // namespace cellproof::oracle
