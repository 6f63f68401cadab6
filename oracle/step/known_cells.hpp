#pragma once

#include <map>
#include <utility>

#include "oracle/quantized/weights.hpp"
#include "oracle/step/cell.hpp"

namespace cellproof::oracle {

/// The weights of a problem as cells and products have them, made once for all hypotheses about it: of a large node
/// that takes longer than a step does.
class KnownCells {
 public:
  /// The problem must outlive it.
  explicit KnownCells(const Problem& problem) : own_(problem) {}

  /// As the functions of these names have it, of the own problem or of what a fault makes of it.
  Cell cell_of(const Problem& problem, const Readings& readings, int direction);
  QuantizedMatrix matrix_of_W(const Problem& problem, const Readings& readings, int direction);
  QuantizedMatrix matrix_of_R(const Problem& problem, const Readings& readings, int direction);

 private:
  /// A direction, and the readings that bear on weights.
  using Key = std::pair<int, bool>;

  static Key key_of(const Readings& readings, int direction);
  bool has_own_weights(const Problem& problem) const;

  const Problem& own_;
  std::map<Key, CellWeights> weights_;
  std::map<Key, QuantizedMatrix> W_, R_;
};

}  // namespace cellproof::oracle
