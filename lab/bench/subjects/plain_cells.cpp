#include "lab/bench/subjects/plain_cells.hpp"

#include <cmath>

// One clone of each loop per width of vector, chosen when the program starts.
#if defined(__x86_64__)
#define CELLPROOF_BENCH_EVERY_WIDTH __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define CELLPROOF_BENCH_EVERY_WIDTH
#endif

namespace cellproof::lab::bench {
namespace {

inline float sigmoid_of(float x) {
  return 1 / (1 + std::exp(-x));
}

}  // namespace

CELLPROOF_BENCH_EVERY_WIDTH
void plain_lstm_cell(const float* __restrict gates, float* __restrict c, float* __restrict h, std::size_t rows,
                     std::size_t H) {
  for (std::size_t row = 0; row < rows; ++row, gates += 4 * H, c += H, h += H) {
    for (std::size_t j = 0; j < H; ++j) {
      const float i = sigmoid_of(gates[j]), o = sigmoid_of(gates[H + j]), f = sigmoid_of(gates[2 * H + j]);
      c[j] = f * c[j] + i * std::tanh(gates[3 * H + j]);
      h[j] = o * std::tanh(c[j]);
    }
  }
}

CELLPROOF_BENCH_EVERY_WIDTH
void plain_gru_gates(float* __restrict gates, const float* __restrict previous, float* __restrict reset,
                     std::size_t rows, std::size_t H) {
  for (std::size_t row = 0; row < rows; ++row, gates += 3 * H, previous += H, reset += H) {
    for (std::size_t j = 0; j < H; ++j) {
      gates[j] = sigmoid_of(gates[j]);
      reset[j] = sigmoid_of(gates[H + j]) * previous[j];
    }
  }
}

CELLPROOF_BENCH_EVERY_WIDTH
void plain_gru_state(const float* __restrict gates, const float* __restrict previous, float* __restrict h,
                     std::size_t rows, std::size_t H) {
  for (std::size_t row = 0; row < rows; ++row, gates += 3 * H, previous += H, h += H)
    for (std::size_t j = 0; j < H; ++j) h[j] = (1 - gates[j]) * std::tanh(gates[2 * H + j]) + gates[j] * previous[j];
}

CELLPROOF_BENCH_EVERY_WIDTH
void plain_gru_after(const float* __restrict gates, const float* __restrict recurrent, const float* __restrict previous,
                     float* __restrict h, std::size_t rows, std::size_t H) {
  for (std::size_t row = 0; row < rows; ++row, gates += 3 * H, recurrent += 3 * H, previous += H, h += H) {
    for (std::size_t j = 0; j < H; ++j) {
      const float z = sigmoid_of(gates[j] + recurrent[j]), r = sigmoid_of(gates[H + j] + recurrent[H + j]);
      h[j] = (1 - z) * std::tanh(gates[2 * H + j] + r * recurrent[2 * H + j]) + z * previous[j];
    }
  }
}

CELLPROOF_BENCH_EVERY_WIDTH
void plain_rnn_cell(const float* __restrict gates, float* __restrict h, std::size_t rows, std::size_t H) {
  for (std::size_t j = 0; j < rows * H; ++j) h[j] = std::tanh(gates[j]);
}

}  // namespace cellproof::lab::bench
