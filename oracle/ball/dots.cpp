#include "oracle/ball/dots.hpp"

namespace cellproof::oracle {

BallMatrix::BallMatrix(const std::vector<double>& weights, int rows, int columns)
    : weights_(_arb_vec_init(slong{rows} * columns)), vector_(_arb_vec_init(columns)), rows_(rows), columns_(columns) {
  for (slong r = 0; r < rows; ++r) {
    for (slong c = 0; c < columns; ++c)
      arb_set_d(weights_ + r * columns + c, weights[static_cast<std::size_t>(c * rows + r)]);
  }
}

BallMatrix::~BallMatrix() {
  if (weights_) _arb_vec_clear(weights_, slong{rows_} * columns_);
  if (vector_) _arb_vec_clear(vector_, columns_);
}

void BallMatrix::add_products(int first, int last, const Ball* vector, std::vector<Ball>& sums) {
  for (slong c = 0; c < columns_; ++c) arb_set(vector_ + c, vector[c].arb());
  for (slong r = first; r < last; ++r) {
    arb_struct* const sum = sums[static_cast<std::size_t>(r)].arb();
    arb_dot(sum, sum, 0, weights_ + r * columns_, 1, vector_, 1, columns_, WorkingPrecision::bits());
  }
}

}  // namespace cellproof::oracle
