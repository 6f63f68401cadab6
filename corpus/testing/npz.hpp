#pragma once

#include <cstddef>
#include <string>

#include "spec/tensor.hpp"

namespace cellproof::corpus::testing {

inline std::string little_endian(std::size_t value, int bytes) {
  std::string text;
  for (int k = 0; k < bytes; ++k) text += static_cast<char>(value >> (8 * k) & 0xff);
  return text;
}

/// For tests: a .npz file with one stored entry.
inline std::string npz(const std::string& name, const std::string& content) {
  const auto number = little_endian;
  const std::string sizes =
      number(content.size(), 4) + number(content.size(), 4) + number(name.size(), 2) + number(0, 2);
  const std::string local = "PK\x03\x04" + std::string(14, '\0') + sizes + name + content;
  const std::string entry = "PK\x01\x02" + std::string(16, '\0') + sizes + std::string(14, '\0') + name;
  return local + entry + "PK\x05\x06" + std::string(4, '\0') + number(1, 2) + number(1, 2) + number(entry.size(), 4) +
         number(local.size(), 4) + std::string(2, '\0');
}

/// For tests: a float tensor as the bytes of a .npy file.
inline std::string npy(const Tensor& tensor) {
  std::string shape;
  for (const auto size : tensor.shape()) shape += std::to_string(size) + ",";
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + shape + "), }\n";
  const std::string data(reinterpret_cast<const char*>(tensor.bytes().data()), tensor.bytes().size());
  return std::string("\x93NUMPY\x01\x00", 8) + little_endian(header.size(), 2) + header + data;
}

}  // namespace cellproof::corpus::testing
