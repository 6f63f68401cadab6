#include "oracle/joined/made_outputs.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "oracle/at.hpp"
#include "oracle/forward/forward_row.hpp"
#include "oracle/precision_levels.hpp"
#include "oracle/run_evaluation.hpp"

namespace cellproof::oracle {
namespace {

constexpr double unknown_reach = std::numeric_limits<double>::infinity();

MadeTensor unknown_tensor(std::size_t size) {
  return {std::vector<double>(size), std::vector<double>(size, unknown_reach)};
}

/// Collects what is known of a node's outputs; of two bounds of one element the sharper one stays.
class MadeOutputs {
 public:
  explicit MadeOutputs(const Task& task) : task_(task), f_(task.layout), m_(task.arithmetic) {
    const std::size_t states = at(f_.D * f_.N * f_.H);
    made_.assign(has_cell_state(task.problem.version.op) ? 3 : 2, unknown_tensor(states));
    made_[output::Y] = unknown_tensor(at(f_.T) * states);
    for (std::int64_t b = 0; b < f_.N; ++b) take_padding(b);
  }

  void take_h(std::int64_t rank, std::int64_t d, std::int64_t b, std::size_t j, const Enclosure<double>& H) {
    take(made_[output::Y], f_.y_offset(f_.time(d, b, rank), d, b) + j, H);
    if (rank + 1 == f_.lengths[at(b)]) take(made_[output::Y_h], f_.state_offset(d, b) + j, H);
  }
  void take_c(std::int64_t d, std::int64_t b, std::size_t j, const Enclosure<double>& C) {
    take(made_[output::Y_c], f_.state_offset(d, b) + j, C);
  }
  std::vector<MadeTensor> outputs() { return std::move(made_); }

 private:
  void take_padding(std::int64_t b) {
    for (std::int64_t d = 0; d < f_.D; ++d) {
      for (std::int64_t t = f_.lengths[at(b)]; t < f_.T; ++t) {
        const std::size_t first = f_.y_offset(t, d, b);
        for (std::size_t j = 0; j < at(f_.H); ++j) made_[output::Y].radius[first + j] = 0;
      }
    }
  }

  void take(MadeTensor& tensor, std::size_t place, const Enclosure<double>& set) const {
    constexpr std::uint8_t harmless = is_grazing | is_branched;
    if (set.empty() || !set.is_finite() || (set.flags & static_cast<std::uint8_t>(~harmless)) != 0) return;
    const Enclosure<double> stored = fed_back(set, m_);
    const double magnitude = stored.magnitude() * (1 + 2 * m_.storage.unit_roundoff);
    // The tensor's own type is rounded to, too, where states are kept in another.
    const double radius =
        (stored.radius() + m_.storage.unit_roundoff * magnitude + m_.storage.min_subnormal) * (1 + 0x1p-50);
    if (!(radius < tensor.radius[place])) return;
    tensor.centre[place] = stored.centre;
    tensor.radius[place] = radius;
  }

  const Task& task_;
  const Layout& f_;
  const Arithmetic& m_;
  std::vector<MadeTensor> made_;
};

Enclosure<double> as_doubles(const Enclosure<Ball>& s) {
  return {static_cast<double>(s.centre), static_cast<double>(s.lo), static_cast<double>(s.hi), s.flags};
}

void follow_steps(const Task& task, MadeOutputs& made) {
  const Layout& f = task.layout;
  const Trajectory all = forward_sets(task, first_precision_level(task.arithmetic.type));
  for (std::int64_t d = 0; d < f.D; ++d) {
    for (std::int64_t b = 0; b < f.N; ++b) {
      const std::int64_t steps = f.lengths[at(b)];
      for (std::size_t j = 0; j < at(f.H); ++j) {
        for (std::int64_t rank = 0; rank < steps; ++rank)
          made.take_h(rank, d, b, j, as_doubles(all.H[ElementEvaluation::y_place(f, rank, d, b) + j]));
        if (steps > 0 && !all.C.empty())
          made.take_c(d, b, j, as_doubles(all.C[ElementEvaluation::state_place(f, d, b) + j]));
      }
    }
  }
}

void follow_jacobians(const Task& task, MadeOutputs& made) {
  const Layout& f = task.layout;
  for (std::int64_t d = 0; d < f.D; ++d) {
    ForwardRow<double> row(task, d, Tier::Certified);
    for (std::int64_t b = 0; b < f.N; ++b) {
      const std::int64_t steps = f.lengths[at(b)];
      const auto take = [&](std::int64_t rank) {
        for (std::size_t j = 0; j < at(f.H); ++j) made.take_h(rank, d, b, j, row.H()[j]);
      };
      if (!row.run(b, steps, take)) continue;
      for (std::size_t j = 0; j < row.C().size(); ++j) made.take_c(d, b, j, row.C()[j]);
    }
  }
}

}  // namespace

std::vector<MadeTensor> quickly_made_outputs(const Task& task) {
  MadeOutputs made(task);
  follow_steps(task, made);
  return made.outputs();
}

std::vector<MadeTensor> made_outputs(const Task& task) {
  MadeOutputs made(task);
  follow_steps(task, made);
  if (!is_quantised(task.problem.version.op)) follow_jacobians(task, made);
  return made.outputs();
}

}  // namespace cellproof::oracle
