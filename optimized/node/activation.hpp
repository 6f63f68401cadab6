#pragma once

#include <cstdint>

namespace cellproof::node {

/// The eleven functions that the operators' pages list, in their order. Device code knows them, too.
enum class Function : std::int32_t {
  Relu,
  Tanh,
  Sigmoid,
  Affine,
  LeakyRelu,
  ThresholdedRelu,
  ScaledTanh,
  HardSigmoid,
  Elu,
  Softsign,
  Softplus
};

/// A function with its parameters (0 where it takes none).
struct Activation {
  Function function = Function::Tanh;
  float alpha = 0;
  float beta = 0;
};

}  // namespace cellproof::node
