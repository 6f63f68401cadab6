#include "oracle/step/known_cells.hpp"

#include <algorithm>

namespace cellproof::oracle {
namespace {

constexpr std::size_t of_weights[] = {input::W,       input::R,           input::W_scale, input::W_zero_point,
                                      input::R_scale, input::R_zero_point};

template <class Made, class Key, class Make>
const Made& made_once(std::map<Key, Made>& all, const Key& key, const Make& make) {
  const auto known = all.find(key);
  return known != all.end() ? known->second : all.emplace(key, make()).first->second;
}

}  // namespace

KnownCells::Key KnownCells::key_of(const Readings& readings, int direction) {
  return {direction, readings.is(Clause::DqZeroPoint, "first-element")};
}

bool KnownCells::has_own_weights(const Problem& problem) const {
  const auto is_alike = [&](std::size_t position) {
    const Tensor *tensor = problem.input(position), *own = own_.input(position);
    return tensor == own || (tensor && own && *tensor == *own);
  };
  return problem.version.op == own_.version.op && std::ranges::all_of(of_weights, is_alike);
}

Cell KnownCells::cell_of(const Problem& problem, const Readings& readings, int direction) {
  if (!has_own_weights(problem)) return oracle::cell_of(problem, readings, direction);
  return oracle::cell_of(problem, readings, direction, made_once(weights_, key_of(readings, direction), [&] {
                           return oracle::weights_of(problem, readings, direction);
                         }));
}

QuantizedMatrix KnownCells::matrix_of_W(const Problem& problem, const Readings& readings, int direction) {
  const auto make = [&] { return oracle::matrix_of_W(problem, readings, direction); };
  return has_own_weights(problem) ? made_once(W_, key_of(readings, direction), make) : make();
}

QuantizedMatrix KnownCells::matrix_of_R(const Problem& problem, const Readings& readings, int direction) {
  const auto make = [&] { return oracle::matrix_of_R(problem, readings, direction); };
  return has_own_weights(problem) ? made_once(R_, key_of(readings, direction), make) : make();
}

}  // namespace cellproof::oracle
