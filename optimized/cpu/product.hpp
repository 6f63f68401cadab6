#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "optimized/cpu/buffer.hpp"
#include "optimized/cpu/kernels.hpp"
#include "optimized/cpu/node.hpp"
#include "optimized/cpu/pairs.hpp"

namespace cellproof::cpu {

/// The weights of one direction that are multiplied at the same time, packed as the kernels read them: panels of up to
/// `per_panel` vectors, a panel in pieces of up to `piece` of them, a piece [k][vector][lane]. The columns of all
/// vectors are [block of units][place in `gates`][unit], without gaps.
template <class Real>
struct Product {
  std::vector<std::size_t> gates;  ///< ONNX's numbers of the gates that it computes
  std::size_t piece = 1;
  std::size_t per_panel = 1;  ///< whole pieces and whole blocks of units
  std::size_t vectors = 0;    ///< all of the columns; only the last may have some over
  std::size_t lanes = 1;
  std::size_t units = 0;
  Buffer<Real> W, R;            ///< panel after panel
  Buffer<Real> R_of_parts;      ///< R in pairs, for the parts of floats; empty where floats are not split
  Buffer<Real> bias;            ///< of the input's part; by column
  Buffer<Real> recurrent_bias;  ///< inside the reset product of GRU with linear_before_reset; empty: none
  bool W_in_pairs = false, R_in_pairs = false;  ///< of bfloat16, in the place of a float each; k counts them
  bool is_one_sum = false;  ///< is X's product added up together with H's, and the bias by the cell?

  std::size_t panels() const { return (vectors + per_panel - 1) / per_panel; }
  std::size_t vectors_in(std::size_t panel) const {
    const std::size_t left = vectors - panel * per_panel;
    return left < per_panel ? left : per_panel;
  }
  std::size_t first_unit(std::size_t panel) const { return std::min(panel * per_panel / gates.size() * lanes, units); }
  std::size_t units_in(std::size_t panel) const { return first_unit(panel + 1) - first_unit(panel); }
  std::size_t column(std::size_t gate, std::size_t unit) const {
    const std::size_t in_block = unit % lanes, first = unit - in_block;
    return first * gates.size() + gate * std::min(lanes, units - first) + in_block;
  }
  /// Distance between rows of products: a vector more than there are, since a cell may read so far.
  std::size_t stride() const { return (vectors + 1) * lanes; }
  std::size_t panel_stride() const { return (std::min(per_panel, vectors) + 1) * lanes; }
  /// length: packed_length() of I or H
  const Real* w_panel(std::size_t panel, std::size_t length) const {
    return W.data() + panel * per_panel * lanes * length;
  }
  const Real* r_panel(std::size_t panel, std::size_t length) const {
    return R.data() + panel * per_panel * lanes * length;
  }
  const Real* r_panel_of_parts(std::size_t panel) const {
    return R_of_parts.data() + panel * per_panel * lanes * packed_length(units, true);
  }
  const Real* bias_of(std::size_t panel) const { return bias.data() + panel * per_panel * lanes; }
  const Real* recurrent_bias_of(std::size_t panel) const {
    return recurrent_bias.size() == 0 ? nullptr : recurrent_bias.data() + panel * per_panel * lanes;
  }
};

/// The products of a step, in their order: one, or for GRU without linear_before_reset z and r before h. Memory is
/// reserved, weights are not yet there. threads: that may share the panels.
template <class Real>
std::vector<Product<Real>> reserve_products(const Node& node, const Kernels<Real>& kernels, std::size_t threads);

/// Fills W from the tensor's data, by the kernels that it is packed for.
template <class Real>
void pack_W(const Node& node, const Kernels<Real>& kernels, std::size_t direction, const void* W,
            Product<Real>& product);

/// The same of R. Returns whether all of it is finite (so that its product with zero is zero).
template <class Real>
bool pack_R(const Node& node, const Kernels<Real>& kernels, std::size_t direction, const void* R,
            Product<Real>& product);

/// Is all of a direction's R finite? This takes less time than to pack it.
template <class Real>
bool is_finite_R(const Node& node, const Kernels<Real>& kernels, std::size_t direction, const void* R);

/// Fills the biases from B's data; nullptr: zero.
template <class Real>
void pack_bias(const Node& node, std::size_t direction, const void* B, Product<Real>& product);

/// out[column of the panel] = bias[column of the panel] + row times the direction's weights [gates * H, length], as the
/// tensor has them. bias: nullptr for zero.
template <class Real>
void multiply_unpacked(const Kernels<Real>& kernels, const Product<Real>& product, std::size_t panel, const Real* row,
                       const Real* weights, std::size_t length, const Real* bias, Real* out);

}  // namespace cellproof::cpu
