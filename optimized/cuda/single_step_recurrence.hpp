#pragma once

#include "optimized/cuda/recurrence.hpp"

namespace cellproof::cuda {

/// A node of floating-point numbers that has a single step and so few sequences that one launch is all it takes (GRU
/// without linear_before_reset: two), computed in Real.
template <class Real>
class SingleStepRecurrence : public RecurrenceOf<Real> {
 public:
  SingleStepRecurrence(const Node& node, Backend& backend, const Setting& setting)
      : RecurrenceOf<Real>(node, backend, setting) {}
  const char* path() const override { return "single step"; }
  /// Is a node one, on that backend?
  static bool takes(const Node& node, const Backend& backend) {
    return node.geometry.T == 1 && node.geometry.N > 0 && node.geometry.N <= backend.limits().few_rows;
  }

 protected:
  void pack() override { this->pack_vectors(); }
  void compute() override;
  Index launches() const override { return 2; }

 private:
  SingleStep<Real> of_direction(Index direction);
  template <Phase phase>
  void take_phase();
  template <Phase phase, Storage storage>
  void take_stored();
};

}  // namespace cellproof::cuda
