#include "optimized/cpu/weights.hpp"

#include <algorithm>

#include "optimized/cpu/elements.hpp"

namespace cellproof::cpu {

template <class Real>
Weights<Real>::Weights(const Node& node, const Kernels<Real>& kernels, std::size_t threads)
    : products(reserve_products(node, kernels, threads)) {
  const std::size_t lanes = kernels.lanes, padded = (node.size.H + lanes - 1) / lanes * lanes;
  if (node.has(CELLPROOF_P)) peepholes = Buffer<Real>(3 * padded);
}

template <class Real>
void Weights<Real>::load_matrices(const Node& node, const Kernels<Real>& kernels, std::size_t direction,
                                  const Arguments& arguments, bool packs_nothing, bool is_R_needed) {
  const void* R = arguments.inputs[CELLPROOF_R];
  R_is_finite = (is_R_needed && !packs_nothing) || is_finite_R(node, kernels, direction, R);
  const bool packs_R = !packs_nothing && (is_R_needed || !R_is_finite);
  for (Product<Real>& product : products) {
    if (!packs_nothing) pack_W(node, kernels, direction, arguments.inputs[CELLPROOF_W], product);
    if (packs_R) R_is_finite = pack_R(node, kernels, direction, R, product) && R_is_finite;
  }
  if (!takes_pairs(node, kernels)) return;
  const auto least = [&](std::size_t input, std::size_t length) {
    const std::size_t count = node.gates() * node.size.H * length;
    return kernels.pairs->least_magnitude(arguments.input<std::uint16_t>(input) + direction * count, count);
  };
  least_of_W = least(CELLPROOF_W, node.size.I);
  least_of_R = least(CELLPROOF_R, node.size.H);
}

template <class Real>
void Weights<Real>::load_vectors(const Node& node, const Kernels<Real>& kernels, std::size_t direction,
                                 const Arguments& arguments) {
  for (Product<Real>& product : products) pack_bias(node, direction, arguments.inputs[CELLPROOF_B], product);
  for (std::size_t i = 0; node.has(CELLPROOF_P) && i < 3; ++i)
    kernels.widen(node.type, arguments.inputs[CELLPROOF_P], (direction * 3 + i) * node.size.H, node.size.H,
                  peepholes.data() + i * (peepholes.size() / 3));
}

template <class Real>
std::size_t Weights<Real>::columns() const {
  std::size_t columns = 0;
  for (const Product<Real>& product : products) columns += product.vectors * product.lanes;
  return columns;
}

template <class Real>
std::size_t Weights<Real>::widest_panel() const {
  std::size_t widest = 0;
  for (const Product<Real>& product : products) widest = std::max(widest, product.panel_stride());
  return widest;
}

template struct Weights<float>;
template struct Weights<double>;

}  // namespace cellproof::cpu
