#include "oracle/values_of.hpp"

#include <cstddef>
#include <cstring>

namespace cellproof::oracle {
namespace {

template <class Stored>
std::vector<double> widened_copy(const Tensor& tensor) {
  std::vector<Stored> narrow(tensor.size());
  if (!narrow.empty()) std::memcpy(narrow.data(), tensor.bytes().data(), tensor.bytes().size());
  return {narrow.begin(), narrow.end()};
}

}  // namespace

std::vector<double> values_of(const Tensor& tensor) {
  if (tensor.type() == ElementType::Float) return widened_copy<float>(tensor);
  if (tensor.type() == ElementType::Double) return widened_copy<double>(tensor);
  std::vector<double> values(tensor.size());
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = tensor.value(k);
  return values;
}

}  // namespace cellproof::oracle
