#include "optimized/cuda/node.hpp"

namespace cellproof::cuda {
namespace {

Storage storage_of(cellproof_type type) {
  if (type == CELLPROOF_FLOAT16) return Storage::Float16;
  if (type == CELLPROOF_BFLOAT16) return Storage::BFloat16;
  return type == CELLPROOF_FLOAT ? Storage::Float : Storage::Double;
}

}  // namespace

Node checked(const cellproof_node& node) {
  Node result{node::checked(node), {}, {}};
  check_countable(result);
  const auto index = [](std::size_t size) { return static_cast<Index>(size); };
  const node::Sizes& size = result.size;
  result.storage = storage_of(result.type);
  result.geometry = {.T = index(size.T),
                     .N = index(size.N),
                     .I = index(size.I),
                     .H = index(size.H),
                     .D = index(size.D),
                     .G = index(result.gates()),
                     .batch_first = result.batch_first};
  return result;
}

}  // namespace cellproof::cuda
