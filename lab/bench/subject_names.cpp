#include <array>

#include "lab/bench/subject.hpp"

namespace cellproof::lab::bench {

std::span<const std::string_view> engine_subjects() {
  static constexpr std::array<std::string_view, 5> names{"cellproof-cpu", "onnxruntime", "onednn-3", "onednn-2",
                                                         "openblas-per-step"};
  return names;
}

std::span<const std::string_view> judge_subjects() {
  static constexpr std::array<std::string_view, 6> names{
      "residual-judge", "arb-judge", "arb-trajectory", "reference-mpfr50", "reference-bin-float50", "reference-double"};
  return names;
}

}  // namespace cellproof::lab::bench
