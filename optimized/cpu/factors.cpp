#include "optimized/cpu/factors.hpp"

#include <cstring>

namespace cellproof::cpu {

template <class Real>
Factors<Real>::Factors(const Node& node, const Kernels<Real>& kernels, const Sequences& sequences,
                       std::size_t direction, std::size_t chunk, std::size_t state_stride)
    : node_(node),
      kernels_(kernels),
      sequences_(sequences),
      direction_(direction),
      chunk_(chunk),
      in_pairs_(takes_pairs(node, kernels)),
      x_stride_(packed_length(node.size.I, in_pairs_)),
      h_stride_(packed_length(state_stride, in_pairs_)) {
  if (copies_x()) x_ = Buffer<Real>(chunk * node.size.N * x_stride_);
  if (!in_pairs_) return;
  for (Buffer<Real>& h : h_) h = Buffer<Real>(node.size.N * h_stride_);
  if (node.op == CELLPROOF_GRU && !node.linear_before_reset && kernels.pairs->multiply_terms)
    parts_ = Buffer<Real>(node.size.N * parts_of_float * h_stride_);
}

template <class Real>
void Factors<Real>::load_x(const void* X, std::size_t row, std::size_t step) {
  const std::size_t from = sequences_.in_x(row, sequences_.time(direction_, row, step)), I = node_.size.I;
  Real* to = x_.data() + place_of_x(row, step);
  if (!in_pairs_) return kernels_.widen(node_.type, X, from, I, to);
  if (I > 0) std::memcpy(to, static_cast<const std::uint16_t*>(X) + from, I * sizeof(std::uint16_t));
}

template <class Real>
void Factors<Real>::put_x(const void* X, std::size_t row, std::size_t step, std::uint16_t least_of_W, std::size_t i,
                          FactorRows<Real>& rows) const {
  rows.at[i] = copies_x() ? x_.data() + place_of_x(row, step)
                          : static_cast<const Real*>(X) + sequences_.in_x(row, sequences_.time(direction_, row, step));
  if (in_pairs_) rows.is_careful[i] = wants_care(rows.at[i], node_.size.I, least_of_W);
}

template <class Real>
void Factors<Real>::round_h(const Real* state, std::size_t row, std::size_t step, std::size_t begin, std::size_t end) {
  kernels_.narrow(node_.type, state + begin, end - begin, h_[step % 2].data() + row * h_stride_, begin);
}

template <class Real>
void Factors<Real>::put_h(std::size_t row, std::size_t step, std::uint16_t least_of_R, std::size_t i,
                          FactorRows<Real>& rows) const {
  rows.at[i] = rounded_h(row, step);
  rows.is_careful[i] = wants_care(rows.at[i], node_.size.H, least_of_R);
}

template <class Real>
void Factors<Real>::split_reset(const Real* reset, std::size_t row, std::size_t begin, std::size_t end) {
  auto* parts = reinterpret_cast<std::uint16_t*>(parts_.data() + row * parts_of_float * h_stride_);
  const std::size_t numbers_of_part = h_stride_ * sizeof(Real) / sizeof(std::uint16_t);
  kernels_.pairs->split(reset + begin, end - begin, parts + begin, numbers_of_part);
}

template <class Real>
void Factors<Real>::put_reset(const Real* reset, std::size_t row, std::uint16_t least_of_R, std::size_t i,
                              FactorRows<Real>& rows) const {
  const Real* parts = parts_.data() + row * parts_of_float * h_stride_;
  rows.at[i] = parts;
  rows.whole[i] = reset;
  rows.is_careful[i] = false;
  for (std::size_t part = 0; part < parts_of_float; ++part)
    rows.is_careful[i] |= wants_care(parts + part * h_stride_, node_.size.H, least_of_R);
}

template <class Real>
bool Factors<Real>::wants_care(const Real* row, std::size_t length, std::uint16_t least_of_weights) const {
  return !nothing_is_subnormal(kernels_.pairs->least_magnitude(row, length), least_of_weights);
}

template class Factors<float>;
template class Factors<double>;

}  // namespace cellproof::cpu
