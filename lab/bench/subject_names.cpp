#include <array>

#include "lab/bench/subject.hpp"

namespace cellproof::lab::bench {

std::span<const std::string_view> engine_subjects() {
  static constexpr std::array<std::string_view, 8> names{"cellproof-cpu", "onnxruntime",      "openvino",
                                                         "openvino-bf16", "onednn-3-sycl",    "onednn-3",
                                                         "onednn-2",      "openblas-per-step"};
  return names;
}

std::span<const std::string_view> judge_subjects() {
  static constexpr std::array<std::string_view, 6> names{
      "residual-judge", "arb-judge", "arb-trajectory", "reference-mpfr50", "reference-bin-float50", "reference-double"};
  return names;
}

std::span<const std::string_view> path_subjects() {
  static constexpr std::array<std::string_view, 7> names{
      "cellproof-cpu@scalar",      "cellproof-cpu@avx2", "cellproof-cpu@avx-vnni", "cellproof-cpu@avx512",
      "cellproof-cpu@avx512-bf16", "cellproof-cpu@amx",  "cellproof-cpu@openblas"};
  return names;
}

std::optional<ContractId> declared_contract(std::string_view subject, ElementType type) {
  if (!subject.starts_with("openvino")) return std::nullopt;
  if (type == ElementType::BFloat16) return ContractId::F32InsideStored;
  if (type == ElementType::Float && subject == "openvino-bf16") return ContractId::F32InBf16;
  return std::nullopt;
}

}  // namespace cellproof::lab::bench
