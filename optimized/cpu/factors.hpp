#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "optimized/cpu/buffer.hpp"
#include "optimized/cpu/kernels.hpp"
#include "optimized/cpu/node.hpp"
#include "optimized/cpu/pairs.hpp"
#include "optimized/cpu/sequences.hpp"

namespace cellproof::cpu {

/// Rows that are multiplied together. Careful ones lose something where subnormal numbers are taken for zero.
template <class Real>
struct FactorRows {
  std::vector<const Real*> at;
  std::vector<const Real*> whole;  ///< floats of which `at` has the parts
  std::vector<char> is_careful;

  explicit FactorRows(std::size_t count) : at(count), whole(count), is_careful(count) {}
};

/// A direction's X and H as they are multiplied by its weights. X in Real is read where it is; 16-bit X is widened, or
/// copied in pairs, for a chunk of steps. In pairs, H has been rounded, too, as Y has it.
template <class Real>
class Factors {
 public:
  Factors(const Node& node, const Kernels<Real>& kernels, const Sequences& sequences, std::size_t direction,
          std::size_t chunk, std::size_t state_stride);

  bool copies_x() const { return node_.type == CELLPROOF_FLOAT16 || node_.type == CELLPROOF_BFLOAT16; }
  bool in_pairs() const { return in_pairs_; }

  /// Copies a row of X at a step, if copies_x().
  void load_x(const void* X, std::size_t row, std::size_t step);
  /// Appends that row as number i.
  void put_x(const void* X, std::size_t row, std::size_t step, std::uint16_t least_of_W, std::size_t i,
             FactorRows<Real>& rows) const;

  /// Rounds the units [begin, end) of a row of H before a step, which is all of `state`. Only where in_pairs().
  void round_h(const Real* state, std::size_t row, std::size_t step, std::size_t begin, std::size_t end);
  /// Returns that row, rounded: bfloat16 numbers.
  const Real* rounded_h(std::size_t row, std::size_t step) const { return h_[step % 2].data() + row * h_stride_; }
  /// Appends it as number i.
  void put_h(std::size_t row, std::size_t step, std::uint16_t least_of_R, std::size_t i, FactorRows<Real>& rows) const;

  /// Splits the units [begin, end) of a row of r * H, which is all of `reset`, into parts. Only where has_parts().
  void split_reset(const Real* reset, std::size_t row, std::size_t begin, std::size_t end);
  bool has_parts() const { return parts_.size() > 0; }
  /// Elements between the parts of a row.
  std::size_t part_stride() const { return h_stride_; }
  /// Appends the parts of that row as number i.
  void put_reset(const Real* reset, std::size_t row, std::uint16_t least_of_R, std::size_t i,
                 FactorRows<Real>& rows) const;

 private:
  std::size_t place_of_x(std::size_t row, std::size_t step) const {
    return (step % chunk_ * node_.size.N + row) * x_stride_;
  }
  bool wants_care(const Real* row, std::size_t length, std::uint16_t least_of_weights) const;

  const Node& node_;
  const Kernels<Real>& kernels_;
  const Sequences& sequences_;
  std::size_t direction_, chunk_;
  bool in_pairs_;
  std::size_t x_stride_, h_stride_;
  Buffer<Real> x_;      ///< [step of the chunk][row][I]
  Buffer<Real> h_[2];   ///< by step: written for one while the other is read
  Buffer<Real> parts_;  ///< [row][part][H]
};

extern template class Factors<float>;
extern template class Factors<double>;

}  // namespace cellproof::cpu
