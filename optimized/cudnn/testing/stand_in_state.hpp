#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "optimized/cudnn/testing/stand_in.hpp"

namespace cellproof::cudnn::testing {

/// The stand-in's objects. Each begins with what it is, so that one in the place of another is noticed.
struct Object {
  enum class Kind { Rnn, RnnData, Tensor } kind;
  bool is_set = false;
};
struct Rnn : Object {
  int algorithm, cell, bias, directions, type, precision, math;
  std::int32_t I, H;
  bool padded_io;
  std::size_t gates() const { return cell == cell::lstm ? 4 : cell == cell::gru ? 3 : 1; }
  std::size_t layers() const { return directions == direction::two ? 2 : 1; }
};
struct RnnData : Object {
  int type, layout, T, N, vector;
  std::vector<int> lengths;
  bool fills;
  double fill;
};
struct TensorNd : Object {
  int type;
  std::vector<int> shape, strides;
};

/// Notes the condition that failed, as cudnnGetLastErrorString gives it.
Status complain(Status status, const std::string& condition);
inline constexpr unsigned char poison = 0xFF;  ///< NaN in every type

/// Do all calls to the device fail from now on?
bool is_lost();

/// Puts work on the stream: there is one, whatever it is called. 0, or the error of a device that is lost.
template <class Work>
int issue(Work work) {
  if (is_lost()) return sticky_error;
  stand_in().waiting.emplace_back(std::move(work));
  return 0;
}

/// Are so many bytes from here on reserved memory of the device?
bool is_reserved(const void* memory, std::size_t bytes);

/// Elements of the weight space, and the first element of part `id` of a pseudo-layer, or of its bias.
std::size_t weights_of(const Rnn& rnn);
std::size_t matrix_at(const Rnn& rnn, std::size_t layer, std::size_t id);
std::size_t bias_at(const Rnn& rnn, std::size_t layer, std::size_t id);

/// Arguments of cudnnRNNForward, checked.
struct Forward {
  Rnn rnn;  ///< as they were at the call: what comes later must not change it
  RnnData x_data;
  const void* x;
  void* y;
  const void *hx, *cx;
  void *hy, *cy;
  const void* weights;
};
/// Computes the layer step by step.
void compute(const Forward& forward);

}  // namespace cellproof::cudnn::testing
