#pragma once

#include "optimized/cuda/executor.hpp"

namespace cellproof::cuda {

/// What float and quantised recurrences share: state, biases and peepholes of a direction in Real, and the walk over
/// them.
template <class Real>
class RecurrenceOf : public Executor {
 public:
  RecurrenceOf(const Node& node, Backend& backend, const Setting& setting);

 protected:
  /// B and P widened.
  void pack_vectors();
  /// The initial states into the first half of h, and into c.
  void load_states(Index direction);
  void store_states(Index direction);
  /// The walk of a direction while steps of the chunk that begins with row `first_row` are taken.
  Walk<Real> walk_of(Index direction, Index first_row) const;
  Index columns() const { return node_.geometry.G * node_.geometry.H; }
  /// Bytes that a row of the chunk takes, with `width` elements of input beside its products.
  std::size_t bytes_of_row(Index width) const { return static_cast<std::size_t>(columns() + width) * sizeof(Real); }

  Index chunk_;             ///< steps whose products of X are computed ahead
  Memory<Real> inputs_;     ///< those products: [row of the chunk][G * H]
  Memory<Real> recurrent_;  ///< [rank][G * H]

 private:
  Memory<Real> bias_, peepholes_;  ///< [D][2][G * H], [D][3][H]
  Memory<Real> h_, c_, z_, reset_;
};

/// A node of floating-point numbers, computed in Real.
template <class Real>
class FloatRecurrence : public RecurrenceOf<Real> {
 public:
  FloatRecurrence(const Node& node, Backend& backend, const Setting& setting);
  const char* path() const override { return blocks_ > 0 ? "persistent" : "steps"; }

 protected:
  void pack() override;
  void compute() override;
  Index launches() const override;

 private:
  Recurrence recurrence() const;
  void multiply_ahead(Index direction, Index begin, Index end);
  void take_step(const Walk<Real>& walk, Index direction, Index step);
  template <Phase phase>
  void take_phase(const Walk<Real>& walk, Index direction, Index step);
  const Real* recurrent_weights(Index direction) const;

  Index blocks_ = 0;                        ///< of the persistent kernel; 0: each step is launched
  Memory<Real> packed_w_, packed_r_;        ///< where they are not stored as Real
  const Real *w_ = nullptr, *r_ = nullptr;  ///< [D][G * H][I], [D][G * H][H]
  Memory<Real> x_;                          ///< the rows of a chunk
};

}  // namespace cellproof::cuda
