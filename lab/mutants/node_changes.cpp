#include "lab/mutants/node_changes.hpp"

#include <algorithm>

#include "spec/rules/activations.hpp"

namespace cellproof::lab::mutants {
void drop_peephole(ResolvedNode& node, std::size_t which) {
  for (ResolvedDirection& direction : node.directions) {
    for (std::size_t j = 0; j < node.H && !direction.P.empty(); ++j) direction.P[which * node.H + j] = 0;
  }
}

void transpose_R(ResolvedNode& node) {
  for (ResolvedDirection& direction : node.directions) {
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

namespace {

std::vector<float*> places_of(ResolvedNode& node, float ResolvedFunction::*parameter) {
  const bool alpha = parameter == &ResolvedFunction::alpha;
  std::vector<float*> places;
  for (ResolvedDirection& direction : node.directions) {
    for (auto& function : direction.functions) {
      const ActivationInfo* info = activation_exactly(function.name);
      if (alpha ? info->uses_alpha : info->uses_beta) places.push_back(&(function.*parameter));
    }
  }
  return places;
}

}  // namespace

void rotate_parameters(ResolvedNode& node, float ResolvedFunction::*parameter) {
  const std::vector<float*> places = places_of(node, parameter);
  for (std::size_t i = 0; i + 1 < places.size(); ++i) std::swap(*places[i], *places[i + 1]);
}

void share_first_parameter(ResolvedNode& node, float ResolvedFunction::*parameter) {
  const std::vector<float*> places = places_of(node, parameter);
  for (float* place : places) *place = *places.front();
}

void forget_alphas(ResolvedNode& node) {
  for (ResolvedDirection& direction : node.directions) {
    for (auto& function : direction.functions)
      function.alpha = activation_exactly(function.name)->default_alpha.value_or(0);
  }
}

void forget_betas(ResolvedNode& node) {
  for (ResolvedDirection& direction : node.directions) {
    for (auto& function : direction.functions)
      function.beta = activation_exactly(function.name)->default_beta.value_or(0);
  }
}

void share_first_state(ResolvedNode& node) {
  for (ResolvedDirection& direction : node.directions) {
    for (auto* states : {&direction.h, &direction.c}) {
      for (std::size_t i = node.H; i < states->size(); ++i) (*states)[i] = (*states)[i % node.H];
    }
  }
}

}  // namespace cellproof::lab::mutants
