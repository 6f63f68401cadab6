#pragma once

#include <cstddef>

namespace cellproof::lab::bench {

/// The elementwise half of a step, for `rows` sequences of H units each; rows are dense. Loops that the compiler
/// vectorises with libm's vector functions, as a user's own would be.

/// gates: [rows][4H] in the order i, o, f, c, all sums done. c: [rows][H], read and written. h: [rows][H], written.
void plain_lstm_cell(const float* gates, float* c, float* h, std::size_t rows, std::size_t H);

/// GRU: gates [rows][3H] in the order z, r, h: what came from X, with its bias.
/// z and r have been completed with the recurrent product: makes them sigmoids, and writes r * previous.
void plain_gru_gates(float* gates, const float* previous, float* reset, std::size_t rows, std::size_t H);
/// The candidate's sum is done: h = (1 - z) * tanh(candidate) + z * previous.
void plain_gru_state(const float* gates, const float* previous, float* h, std::size_t rows, std::size_t H);
/// linear_before_reset: `recurrent` [rows][3H] came from H with its bias; all at once.
void plain_gru_after(const float* gates, const float* recurrent, const float* previous, float* h, std::size_t rows,
                     std::size_t H);

/// gates: [rows][H], all sums done.
void plain_rnn_cell(const float* gates, float* h, std::size_t rows, std::size_t H);

}  // namespace cellproof::lab::bench
