#pragma once

#include <cstdint>
#include <vector>

#include "optimized/cpu/buffer.hpp"
#include "optimized/cpu/kernels.hpp"
#include "optimized/cpu/pairs.hpp"
#include "optimized/cpu/plan.hpp"
#include "optimized/cpu/product.hpp"

namespace cellproof::cpu {

/// The weights of one direction, as the kernels read them.
template <class Real>
struct Weights {
  std::vector<Product<Real>> products;
  Buffer<Real> peepholes;  ///< i, o, f, each padded to whole blocks
  bool R_is_finite = false;
  std::uint16_t least_of_W = no_magnitude, least_of_R = no_magnitude;  ///< magnitudes, where they are in pairs

  /// Reserves the memory; `threads` may share it.
  Weights(const Node& node, const Kernels<Real>& kernels, std::size_t threads);

  /// Fills W and R from the tensors. packs_nothing: they stay where they are. R is packed only where it is needed, or
  /// where not all of it is finite, so that its product with zero is not zero.
  void load_matrices(const Node& node, const Kernels<Real>& kernels, std::size_t direction, const Arguments& arguments,
                     bool packs_nothing, bool is_R_needed);
  /// Fills the biases and the peepholes.
  void load_vectors(const Node& node, const Kernels<Real>& kernels, std::size_t direction, const Arguments& arguments);

  /// Counts the columns of all products, padding included.
  std::size_t columns() const;
  /// Returns the largest distance between two rows of a panel's products.
  std::size_t widest_panel() const;
};

extern template struct Weights<float>;
extern template struct Weights<double>;

}  // namespace cellproof::cpu
