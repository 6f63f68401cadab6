#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "fuzz/law.hpp"
#include "spec/problem.hpp"

namespace cellproof::fuzz {

/// Coordinates of an output element: input time index, direction, batch row, unit. Y_h and Y_c have no time.
struct At {
  std::int64_t t = 0, d = 0, n = 0, j = 0;
};

/// The order in which an LSTM stacks its gates: blocks of H rows in W, R and B; P has the first three.
inline constexpr std::int64_t gate_i = 0, gate_o = 1, gate_f = 2, gate_c = 3;

/// A valid problem of LSTM, GRU or RNN with what laws ask of it again and again. Values are copied in and out of the
/// node's tensors; the problem itself is changed through set().
class Node {
 public:
  explicit Node(const Problem& problem);

  const Problem& problem() const { return problem_; }
  Problem& problem() { return problem_; }
  const Dimensions& sizes() const { return sizes_; }
  std::int64_t gates() const;
  Operator op() const { return problem_.version.op; }
  bool layout1() const { return problem_.attributes.layout.value_or(0) != 0; }
  Direction direction() const;
  /// The steps of each row: T where no lengths are given.
  std::vector<std::int64_t> lengths() const;
  bool has(std::size_t input_position) const { return problem_.input(input_position) != nullptr; }

  /// A tensor of the type of X.
  Tensor tensor(Shape shape) const;
  const Tensor& input(std::size_t position) const { return *problem_.input(position); }
  Tensor& mutable_input(std::size_t position) { return *problem_.inputs[position].tensor; }
  /// Puts a tensor into the node, where there was one or none.
  void set(std::size_t position, Tensor tensor);
  void remove(std::size_t position);
  void set_lengths(const std::vector<std::int64_t>& lengths);

  std::size_t x_at(std::int64_t t, std::int64_t n, std::int64_t i) const;
  /// Returns the place of an element in initial_h, initial_c, Y_h and Y_c.
  std::size_t state_at(std::int64_t d, std::int64_t n, std::int64_t j) const;
  std::size_t y_at(const At& at) const;
  Shape x_shape(std::int64_t T, std::int64_t N, std::int64_t I) const;
  Shape state_shape(std::int64_t N) const;

 private:
  Problem problem_;
  Dimensions sizes_;
};

/// The element `from` of a tensor becomes the element `to` of another of the same type.
void copy_element(const Tensor& source, std::size_t from, Tensor& target, std::size_t to);

/// The tensor's slice along its first dimension.
Tensor slice(const Tensor& tensor, std::int64_t first, std::int64_t count);

/// The problem as it can stand in a node: nothing absent before or behind what is written.
Problem written(Problem problem);

/// Finds an element of the first run in the second one; nothing where the law does not speak of it.
using Correspondence = std::function<std::optional<At>(const At&)>;

/// The experiment of two runs: every element that both are asked for, but for padding and for the states of rows
/// without steps, equals the one that corresponds. `factor`: left = factor * right.
Experiment compare(const Node& left, const Node& right, const Correspondence& to, double factor = 1);
/// The same element in both.
Experiment compare(const Node& left, const Node& right);

}  // namespace cellproof::fuzz
