#pragma once

#include "optimized/cuda/copies.hpp"
#include "optimized/cuda/persistent.hpp"
#include "optimized/cuda/products.hpp"
#include "optimized/cuda/quantized.hpp"
#include "optimized/cuda/single_step.hpp"
#include "optimized/cuda/steps.hpp"

// Everything that a plan can have computed, as lists X(type): device_kernels.cu makes a kernel of each.

#define CELLPROOF_CUDA_BODIES_OF(X, REAL) \
  X(Widen<REAL>)                          \
  X(GatherRows<REAL>)                     \
  X(ScatterStates<REAL>)                  \
  X(Step<REAL, Phase::Lstm>)              \
  X(Step<REAL, Phase::GruAfterReset>)     \
  X(Step<REAL, Phase::GruGates>)          \
  X(Step<REAL, Phase::GruState>)          \
  X(Step<REAL, Phase::Rnn>)
#define CELLPROOF_CUDA_SUMS(X) \
  X(RowsProduct<float>)        \
  X(RowsProduct<double>)       \
  X(WordsProduct)              \
  X(MixedProduct)              \
  X(RangeOfX)                  \
  X(RangeOfH)                  \
  X(JoinRanges)                \
  X(QuantizeRows)              \
  X(PackColumns)               \
  X(BytesProduct)
#define CELLPROOF_CUDA_GROUPS_OF_PHASE(X, REAL, STORAGE, PHASE) \
  X(SingleStepSums<REAL, PHASE, STORAGE, 1>)                    \
  X(SingleStepSums<REAL, PHASE, STORAGE, rows_at_once>)
#define CELLPROOF_CUDA_GROUPS_OF(X, REAL, STORAGE)                       \
  CELLPROOF_CUDA_GROUPS_OF_PHASE(X, REAL, STORAGE, Phase::Lstm)          \
  CELLPROOF_CUDA_GROUPS_OF_PHASE(X, REAL, STORAGE, Phase::GruAfterReset) \
  CELLPROOF_CUDA_GROUPS_OF_PHASE(X, REAL, STORAGE, Phase::GruGates)      \
  CELLPROOF_CUDA_GROUPS_OF_PHASE(X, REAL, STORAGE, Phase::GruState)      \
  CELLPROOF_CUDA_GROUPS_OF_PHASE(X, REAL, STORAGE, Phase::Rnn)
#define CELLPROOF_CUDA_GROUPS(X)                        \
  CELLPROOF_CUDA_GROUPS_OF(X, float, Storage::Float)    \
  CELLPROOF_CUDA_GROUPS_OF(X, float, Storage::Float16)  \
  CELLPROOF_CUDA_GROUPS_OF(X, float, Storage::BFloat16) \
  CELLPROOF_CUDA_GROUPS_OF(X, double, Storage::Double)
