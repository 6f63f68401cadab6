#include "optimized/cpu/product.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <numeric>

#include "optimized/cpu/elements.hpp"

namespace cellproof::cpu {
namespace {

/// GRU's gate whose recurrent part the reset gate multiplies.
constexpr std::size_t gru_hidden_gate = 2;

/// With few rows, going to a panel costs more than to multiply by few weights.
constexpr std::size_t panel_bytes = 256 << 10;
/// With more, so many of them at most share a panel's products.
constexpr std::size_t most_rows = 64;

/// So many elements of rows of 16-bit types, or of a block that is not full, are widened at a time.
constexpr std::size_t at_once = 64;
constexpr std::size_t most_lanes = 16;

/// Rows of the tensor, by lane: which element each begins at.
struct Rows {
  std::array<std::size_t, most_lanes> first{};
  bool are_neighbours = true;  ///< `lanes` rows, of which each begins where the one before ends
  std::size_t count = 0;       ///< of others; what is left of the lanes is padding
};

/// As pack_rows, with pairs of bfloat16 taken for floats.
template <class Real>
void pack_rows_of_pairs(const Kernels<Real>& kernels, const void* data, const Rows& from, std::size_t length,
                        Real* column, std::size_t stride) {
  constexpr std::size_t width = 2 * at_once, bytes = sizeof(Real) / 2;
  const std::size_t count = from.are_neighbours ? kernels.lanes : from.count;
  for (std::size_t k = 0; k < length; k += width) {
    std::array<Real, most_lanes * at_once> rows{};  // the padding, and what an odd length lacks, stay zero
    const std::size_t here = std::min(width, length - k);
    for (std::size_t lane = 0; lane < count; ++lane) {
      const std::size_t row = from.are_neighbours ? from.first[0] + lane * length : from.first[lane];
      std::memcpy(rows.data() + lane * at_once, static_cast<const char*>(data) + (row + k) * bytes, here * bytes);
    }
    kernels.pack(rows.data(), at_once, packed_length(here, true), column + k / 2 * stride, stride);
  }
}

/// A vector's rows into its place in the panel. Returns whether all is finite.
template <class Real>
bool pack_rows(const Node& node, const Kernels<Real>& kernels, const void* data, const Rows& from, std::size_t length,
               Real* column, std::size_t stride) {
  const std::size_t count = from.are_neighbours ? kernels.lanes : from.count;
  if (from.are_neighbours && size_of(node.type) == sizeof(Real))
    return kernels.pack(static_cast<const Real*>(data) + from.first[0], length, length, column, stride);
  std::array<Real, most_lanes * at_once> rows{};  // the padding stays zero
  bool finite = true;
  for (std::size_t k = 0; k < length; k += at_once) {
    const std::size_t width = std::min(at_once, length - k);
    for (std::size_t lane = 0; lane < count; ++lane) {
      const std::size_t row = from.are_neighbours ? from.first[0] + lane * length : from.first[lane];
      kernels.widen(node.type, data, row + k, width, rows.data() + lane * at_once);
    }
    finite = kernels.pack(rows.data(), at_once, width, column + k * stride, stride) && finite;
  }
  return finite;
}

/// The rows of [gates * H, length] that a vector's columns are.
template <class Real>
Rows rows_of_vector(const Product<Real>& product, std::size_t vector, std::size_t first, std::size_t length) {
  const std::size_t gates = product.gates.size(), H = product.units, lanes = product.lanes;
  const std::size_t unit = vector / gates * lanes, width = std::min(lanes, H - unit);
  Rows rows;
  if (width == lanes) {
    rows.first[0] = first + (product.gates[vector % gates] * H + unit) * length;
    return rows;
  }
  rows.are_neighbours = false;
  rows.count = 0;
  const std::size_t begin = vector % gates * lanes, end = std::min(begin + lanes, gates * width);
  for (std::size_t column = begin; column < end; ++column)
    rows.first[rows.count++] = first + (product.gates[column / width] * H + unit + column % width) * length;
  return rows;
}

/// Packs the gates of one [gates * H, length] weight matrix that starts at element `first` of the tensor. Returns
/// whether all is finite, if it is not packed in pairs.
template <class Real>
bool pack(const Node& node, const Kernels<Real>& kernels, const void* data, std::size_t first, std::size_t length,
          Product<Real>& product, Buffer<Real>& packed, bool in_pairs) {
  const std::size_t lanes = product.lanes, packed_rows = packed_length(length, in_pairs);
  bool finite = true;
  for (std::size_t vector = 0; vector < product.vectors; ++vector) {
    const std::size_t panel = vector / product.per_panel;
    const std::size_t place = vector % product.piece, first_of_piece = vector - place;
    const std::size_t end_of_panel = panel * product.per_panel + product.vectors_in(panel);
    Real* column = packed.data() + (first_of_piece * packed_rows + place) * lanes;
    const std::size_t stride = std::min(product.piece, end_of_panel - first_of_piece) * lanes;
    const Rows rows = rows_of_vector(product, vector, first, length);
    if (in_pairs)
      pack_rows_of_pairs(kernels, data, rows, length, column, stride);
    else
      finite = pack_rows(node, kernels, data, rows, length, column, stride) && finite;
  }
  return finite;
}

/// Number of smallest panels that one panel is made of, with as many panels for each thread.
template <class Real>
std::size_t groups_of_panel(const Node& node, const Product<Real>& product, std::size_t products_bytes,
                            std::size_t threads) {
  const std::size_t of_a_row = product.per_panel * product.lanes * sizeof(Real);
  const bool few = node.size.N < few_rows;
  const std::size_t bytes = of_a_row * (few ? node.size.H : std::min(node.size.N, most_rows));
  if (bytes == 0 || product.vectors == 0) return 1;
  const std::size_t groups = (product.vectors + product.per_panel - 1) / product.per_panel;
  const std::size_t most = std::max<std::size_t>((few ? panel_bytes : products_bytes) / bytes, 1);
  const std::size_t panels_of_thread = (groups + most * threads - 1) / (most * threads);
  return (groups + panels_of_thread * threads - 1) / (panels_of_thread * threads);
}

}  // namespace

template <class Real>
std::vector<Product<Real>> reserve_products(const Node& node, const Kernels<Real>& kernels, std::size_t threads) {
  const std::size_t lanes = kernels.lanes;
  const bool in_pairs = takes_pairs(node, kernels);
  const auto reserve = [&](const std::vector<std::size_t>& gates, bool has_recurrent_bias, bool is_of_state) {
    Product<Real> product;
    product.gates = gates;
    product.lanes = lanes;
    product.units = node.size.H;
    product.vectors = (product.gates.size() * product.units + lanes - 1) / lanes;
    product.piece = kernels.piece_for(node.size.N, product.vectors, threads > 1);
    product.per_panel = std::lcm(product.piece, product.gates.size());
    product.per_panel *= groups_of_panel(node, product, kernels.products_bytes, threads);
    product.W_in_pairs = in_pairs;
    product.R_in_pairs = in_pairs && is_of_state;
    product.W = Buffer<Real>(product.vectors * lanes * packed_length(node.size.I, product.W_in_pairs));
    product.R = Buffer<Real>(product.vectors * lanes * packed_length(node.size.H, product.R_in_pairs));
    product.is_one_sum = in_pairs && kernels.pairs->multiply_terms && !has_recurrent_bias;
    if (product.is_one_sum && !is_of_state)
      product.R_of_parts = Buffer<Real>(product.vectors * lanes * packed_length(node.size.H, true));
    product.bias = Buffer<Real>(product.stride());
    if (has_recurrent_bias) product.recurrent_bias = Buffer<Real>(product.stride());
    return product;
  };
  std::vector<Product<Real>> products;
  if (node.op == CELLPROOF_GRU && !node.linear_before_reset) {
    products.push_back(reserve({0, 1}, false, true));
    products.push_back(reserve({2}, false, false));
  } else {
    std::vector<std::size_t> all(node.gates());
    for (std::size_t gate = 0; gate < all.size(); ++gate) all[gate] = gate;
    products.push_back(reserve(all, node.linear_before_reset, true));
  }
  return products;
}

template <class Real>
void pack_W(const Node& node, const Kernels<Real>& kernels, std::size_t direction, const void* W,
            Product<Real>& product) {
  pack(node, kernels, W, direction * node.gates() * node.size.H * node.size.I, node.size.I, product, product.W,
       product.W_in_pairs);
}

template <class Real>
bool pack_R(const Node& node, const Kernels<Real>& kernels, std::size_t direction, const void* R,
            Product<Real>& product) {
  const std::size_t H = node.size.H, first = direction * node.gates() * H * H;
  const bool finite = pack(node, kernels, R, first, H, product, product.R, product.R_in_pairs);
  if (product.R_of_parts.size() > 0) pack(node, kernels, R, first, H, product, product.R_of_parts, true);
  return product.R_in_pairs ? is_finite_R(node, kernels, direction, R) : finite;
}

template <class Real>
bool is_finite_R(const Node& node, const Kernels<Real>& kernels, std::size_t direction, const void* R) {
  const std::size_t count = node.gates() * node.size.H * node.size.H, first = direction * count;
  if (size_of(node.type) == sizeof(Real)) return kernels.all_finite(static_cast<const Real*>(R) + first, count);
  std::array<Real, most_lanes * at_once> part;
  for (std::size_t i = 0; i < count; i += part.size()) {
    const std::size_t length = std::min(part.size(), count - i);
    kernels.widen(node.type, R, first + i, length, part.data());
    if (!kernels.all_finite(part.data(), length)) return false;
  }
  return true;
}

template <class Real>
void pack_bias(const Node& node, std::size_t direction, const void* B, Product<Real>& product) {
  if (!B) return;
  const std::size_t H = node.size.H, rows = node.gates() * H;
  for (std::size_t g = 0; g < product.gates.size(); ++g) {
    const bool inside_reset = product.recurrent_bias.size() > 0 && product.gates[g] == gru_hidden_gate;
    for (std::size_t unit = 0; unit < H; unit += product.lanes) {
      const std::size_t count = std::min(product.lanes, H - unit), at = product.column(g, unit);
      const std::size_t first = direction * 2 * rows + product.gates[g] * H + unit;
      Real* of_input = product.bias.data() + at;
      std::array<Real, most_lanes> of_state;
      widen(node.type, B, first, count, of_input);
      widen(node.type, B, first + rows, count, of_state.data());
      if (inside_reset) {
        std::copy_n(of_state.data(), count, product.recurrent_bias.data() + at);
      } else {
        std::transform(of_input, of_input + count, of_state.data(), of_input, std::plus<Real>());
      }
    }
  }
}

template <class Real>
void multiply_unpacked(const Kernels<Real>& kernels, const Product<Real>& product, std::size_t panel, const Real* row,
                       const Real* weights, std::size_t length, const Real* bias, Real* out) {
  const std::size_t begin = product.first_unit(panel), end = product.first_unit(panel + 1);
  const std::size_t first_column = panel * product.per_panel * product.lanes;
  for (std::size_t unit = begin; unit < end; unit += product.lanes) {
    for (std::size_t g = 0; g < product.gates.size(); ++g) {
      const std::size_t column = product.column(g, unit) - first_column;
      kernels.dots(row, weights + (product.gates[g] * product.units + unit) * length, length,
                   std::min(product.lanes, end - unit), bias ? bias + column : nullptr, out + column);
    }
  }
}

template std::vector<Product<float>> reserve_products(const Node&, const Kernels<float>&, std::size_t);
template std::vector<Product<double>> reserve_products(const Node&, const Kernels<double>&, std::size_t);
template void pack_W(const Node&, const Kernels<float>&, std::size_t, const void*, Product<float>&);
template void pack_W(const Node&, const Kernels<double>&, std::size_t, const void*, Product<double>&);
template bool pack_R(const Node&, const Kernels<float>&, std::size_t, const void*, Product<float>&);
template bool pack_R(const Node&, const Kernels<double>&, std::size_t, const void*, Product<double>&);
template bool is_finite_R(const Node&, const Kernels<float>&, std::size_t, const void*);
template bool is_finite_R(const Node&, const Kernels<double>&, std::size_t, const void*);
template void pack_bias(const Node&, std::size_t, const void*, Product<float>&);
template void pack_bias(const Node&, std::size_t, const void*, Product<double>&);

template void multiply_unpacked(const Kernels<float>&, const Product<float>&, std::size_t, const float*, const float*,
                                std::size_t, const float*, float*);
template void multiply_unpacked(const Kernels<double>&, const Product<double>&, std::size_t, const double*,
                                const double*, std::size_t, const double*, double*);

}  // namespace cellproof::cpu
