#pragma once

#include <cstddef>

#include "optimized/cpu/node.hpp"

namespace cellproof::cpu {

/// The paths differ in how a few rows are multiplied with packed weights, and how a cell is made of the products.
/// Hidden units come in blocks of `lanes`, of which the last may have fewer. A row of products is [block][gate][unit],
/// without gaps; a vector is `lanes` of its elements.

/// out[row][vector][lane] = bias[vector][lane] + sum over k of rows[row][k] * panel[k][vector][lane]
template <class Real>
struct Multiplication {
  const Real* const* rows;
  std::size_t row_count;  ///< at least 1
  const Real* panel;      ///< a panel of packed weights, aligned: its pieces one after another, each [k][vector][lane]
  std::size_t vectors;    ///< of the panel
  std::size_t piece;      ///< vectors of every piece but the last, which has what is left
  std::size_t length;     ///< of the sum
  const Real* bias;       ///< nullptr: zero
  Real* out;              ///< aligned
  std::size_t out_stride;
};

/// The two products of some rows and blocks: what came from X (with its bias) and what came from H, apart because GRU
/// with linear_before_reset needs them apart, and because adding them last rounds less. A stride of 0 repeats one row.
/// Up to a vector is read, but not used, past the last element of a row.
template <class Real>
struct Gates {
  const Real* input;
  std::size_t input_stride;
  const Real* recurrent;
  std::size_t recurrent_stride;
  std::size_t rows;
  std::size_t units;
};

template <class Real>
struct Functions {
  const Activation* f;
  const Activation* g;
  const Activation* h;
  Real clip;  ///< bounds the arguments of all of them
};

/// LSTM: vectors i, o, f, c of each block. State rows are `state_stride` apart, blocks are `lanes` apart.
template <class Real>
struct LstmStep {
  Gates<Real> gates;
  Functions<Real> functions;
  const Real* peephole_i;  ///< nullptr: none of the three
  const Real* peephole_o;
  const Real* peephole_f;
  bool input_forget;
  Real* c;  ///< read and written
  Real* h;  ///< written
  std::size_t state_stride;
};

/// GRU: vectors z, r, h (after: linear_before_reset), or z, r and then h.
template <class Real>
struct GruStep {
  Gates<Real> gates;
  Functions<Real> functions;
  const Real* previous;  ///< H(t-1)
  Real* z;               ///< written by gru_gates, read by gru_state
  Real* reset;           ///< r * H(t-1), written by gru_gates
  Real* h;               ///< H(t)
  std::size_t state_stride;
};

template <class Real>
struct RnnStep {
  Gates<Real> gates;
  Functions<Real> functions;
  Real* h;
  std::size_t state_stride;
};

/// With fewer rows than this there are larger panels, and kernels of their own for a single row.
constexpr std::size_t few_rows = 4;

/// Vectors of a piece that the kernels of this library multiply by.
constexpr std::size_t most_piece = 4;

template <class Real>
struct PairKernels;

template <class Real>
struct Kernels {
  std::size_t lanes;
  /// The best number of vectors in a piece of `vectors` columns of weights, where a step has so many rows. Threads that
  /// share the pieces want them in whole blocks.
  std::size_t (*piece_for)(std::size_t rows, std::size_t vectors, bool is_shared);
  /// A row's result does not depend on how many other rows come with it.
  void (*multiply)(const Multiplication<Real>&);
  /// One row only, faster than `multiply`, with the same bits.
  void (*multiply_row)(const Multiplication<Real>&);
  /// out[i] = bias[i] + sum over k of row[k] * weights[i * length + k] for i < count: for weights that are used so
  /// seldom that to pack them is not worth it. It rounds differently, too. bias: nullptr for zero.
  void (*dots)(const Real* row, const Real* weights, std::size_t length, std::size_t count, const Real* bias,
               Real* out);
  void (*lstm)(const LstmStep<Real>&);
  /// nullptr, or `multiply_row` and `lstm` together, with the same bits: of one row, in pieces of four vectors, without
  /// a bias; m.out is scratch, and gates.recurrent is not used. Blocks go from the last to the first where `backwards`.
  void (*lstm_of_row)(const Multiplication<Real>& m, const LstmStep<Real>&, bool backwards);
  void (*gru_after)(const GruStep<Real>&);
  void (*gru_gates)(const GruStep<Real>&);
  void (*gru_state)(const GruStep<Real>&);
  void (*rnn)(const RnnStep<Real>&);
  /// out[k * out_stride + lane] = rows[lane * row_stride + k] for every lane and k < length. Returns whether all is
  /// finite.
  bool (*pack)(const Real* rows, std::size_t row_stride, std::size_t length, Real* out, std::size_t out_stride);
  bool (*all_finite)(const Real* values, std::size_t count);
  /// values[i] = the function of values[i], for tests of accuracy; `count` is a multiple of lanes.
  void (*activate)(const Activation&, Real* values, std::size_t count);
  /// As the functions of elements.hpp.
  void (*widen)(cellproof_type type, const void* data, std::size_t first, std::size_t count, Real* result);
  void (*narrow)(cellproof_type type, const Real* values, std::size_t count, void* data, std::size_t first);
  /// nullptr where factors of bfloat16 are widened; else they are multiplied in pairs.
  const PairKernels<Real>* pairs = nullptr;
  /// Bytes of a panel's products of a step: the cell that is made of them is to find them in a near cache.
  std::size_t products_bytes = std::size_t{16} << 10;
  /// nullptr, or called by each thread after its last product of a run.
  void (*finish)() = nullptr;
};

/// Portable C++, libm's functions.
template <class Real>
const Kernels<Real>& scalar_kernels();

}  // namespace cellproof::cpu
