#include "engines/mutants/node_changes.hpp"

#include <algorithm>

#include "engines/mutants/faulty_cell.hpp"
#include "spec/rules/activations.hpp"

namespace cellproof::engines::mutants {
namespace {

void swap_blocks(std::vector<double>& values, std::size_t a, std::size_t b, std::size_t size) {
  if (values.empty()) return;
  const auto at = [&](std::size_t block) { return values.begin() + static_cast<std::ptrdiff_t>(block * size); };
  std::swap_ranges(at(a), at(a + 1), at(b));
}

}  // namespace

void swap_gates(PlainNode& node, std::size_t a, std::size_t b) {
  for (PlainDirection& direction : node.directions) {
    swap_blocks(direction.W, a, b, node.H * node.I);
    swap_blocks(direction.R, a, b, node.H * node.H);
    swap_blocks(direction.Wb, a, b, node.H);
    swap_blocks(direction.Rb, a, b, node.H);
  }
}

void swap_peepholes(PlainNode& node, std::size_t a, std::size_t b) {
  for (PlainDirection& direction : node.directions) swap_blocks(direction.P, a, b, node.H);
}

void drop_peephole(PlainNode& node, std::size_t which) {
  for (PlainDirection& direction : node.directions) {
    for (std::size_t j = 0; j < node.H && !direction.P.empty(); ++j) direction.P[which * node.H + j] = 0;
  }
}

void transpose_R(PlainNode& node) {
  for (PlainDirection& direction : node.directions) {
    for (std::size_t first = 0; first < direction.R.size(); first += node.H * node.H) {
      for (std::size_t j = 0; j < node.H; ++j) {
        for (std::size_t k = 0; k < j; ++k)
          std::swap(direction.R[first + j * node.H + k], direction.R[first + k * node.H + j]);
      }
    }
  }
}

void scale(std::vector<double>& values, double factor) {
  for (double& value : values) value = factor == 0 ? 0 : value * factor;
}

void round_weights(PlainNode& node, int bits) {
  for (PlainDirection& direction : node.directions) {
    for (double& weight : direction.W) weight = with_bits(weight, bits);
    for (double& weight : direction.R) weight = with_bits(weight, bits);
  }
}

void rotate_alphas(PlainNode& node) {
  std::vector<float*> alphas;
  for (PlainDirection& direction : node.directions) {
    for (auto& function : direction.functions) {
      if (activation_exactly(function.name)->uses_alpha) alphas.push_back(&function.alpha);
    }
  }
  for (std::size_t i = 0; i + 1 < alphas.size(); ++i) std::swap(*alphas[i], *alphas[i + 1]);
}

void forget_alphas(PlainNode& node) {
  for (PlainDirection& direction : node.directions) {
    for (auto& function : direction.functions)
      function.alpha = activation_exactly(function.name)->default_alpha.value_or(0);
  }
}

void forget_betas(PlainNode& node) {
  for (PlainDirection& direction : node.directions) {
    for (auto& function : direction.functions)
      function.beta = activation_exactly(function.name)->default_beta.value_or(0);
  }
}

void misread_states_of_layout_1(PlainNode& node) {
  if (!node.batch_first) return;
  const std::size_t D = node.directions.size();
  const std::vector<PlainDirection> right = node.directions;
  for (std::size_t position = 0; position < D * node.N; ++position) {
    // As it lies in the tensor: row `position` belongs to batch position / D and direction position % D.
    const PlainDirection& from = right[position % D];
    PlainDirection& to = node.directions[position / node.N];
    for (std::size_t j = 0; j < node.H; ++j) {
      const std::size_t source = position / D * node.H + j, target = position % node.N * node.H + j;
      to.h[target] = from.h[source];
      if (!from.c.empty()) to.c[target] = from.c[source];
    }
  }
}

void share_first_state(PlainNode& node) {
  for (PlainDirection& direction : node.directions) {
    for (auto* states : {&direction.h, &direction.c}) {
      for (std::size_t i = node.H; i < states->size(); ++i) (*states)[i] = (*states)[i % node.H];
    }
  }
}

}  // namespace cellproof::engines::mutants
