#include "optimized/node/call.hpp"

#include <algorithm>
#include <cstring>

namespace cellproof::node {

void say(const std::string& text, char* message, std::size_t size) {
  if (message == nullptr || size == 0) return;
  const std::size_t length = std::min(text.size(), size - 1);
  std::memcpy(message, text.data(), length);
  message[length] = '\0';
}

const void* required_data(const Node& node, std::size_t input, const void* data) {
  static constexpr double nothing = 0;
  if (!node.has(input)) return nullptr;
  if (data != nullptr) return data;
  if (element_count(node.inputs.at(input)) == 0) return &nothing;
  throw Invalid(std::string("input ") + input_name(input) + " comes without data (input " + input_name(input) + ")");
}

}  // namespace cellproof::node
