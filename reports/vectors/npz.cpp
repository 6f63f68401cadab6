#include "reports/vectors/npz.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <string_view>

#include "reports/vectors/vector_set.hpp"

namespace cellproof::reports {
namespace {

std::string_view dtype_of(ElementType type) {
  switch (type) {
    case ElementType::Float16:
      return "<f2";
    case ElementType::BFloat16:
      return "<u2";
    case ElementType::Float:
      return "<f4";
    case ElementType::Double:
      return "<f8";
    case ElementType::Int8:
      return "|i1";
    case ElementType::UInt8:
      return "|u1";
    case ElementType::Int32:
      return "<i4";
    default:
      return "<i8";
  }
}

void add_integer(std::string& bytes, std::uint64_t value, int size) {
  for (int k = 0; k < size; ++k) bytes += static_cast<char>(value >> (8 * k));
}

std::string npy_of(const Tensor& tensor) {
  const Shape& shape = tensor.shape();
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}",
                                   dtype_of(tensor.type()), fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  constexpr std::size_t lead = 10, unit = 64;  // magic, version and size; data begin at a multiple
  header.append(unit - (lead + header.size() + 1) % unit, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  add_integer(bytes, header.size(), 2);
  bytes += header;
  for (const std::byte each : tensor.bytes()) bytes += static_cast<char>(each);
  return bytes;
}

std::uint32_t crc32_of(std::string_view bytes) {
  std::uint32_t sum = ~0U;
  for (const char each : bytes) {
    sum ^= static_cast<unsigned char>(each);
    for (int k = 0; k < 8; ++k) sum = (sum >> 1) ^ ((sum & 1) != 0 ? 0xedb88320U : 0U);
  }
  return ~sum;
}

/// The fields that a member's own header and its entry in the directory have in common.
std::string fields_of(const std::string& name, std::string_view data, std::uint32_t sum) {
  std::string bytes;
  add_integer(bytes, 20, 2);      // version needed
  add_integer(bytes, 0, 2);       // flags
  add_integer(bytes, 0, 2);       // stored
  add_integer(bytes, 0, 2);       // time
  add_integer(bytes, 0x0021, 2);  // 1980-01-01, where time begins: the file is the same whenever it is made
  add_integer(bytes, sum, 4);
  add_integer(bytes, data.size(), 4);
  add_integer(bytes, data.size(), 4);
  add_integer(bytes, name.size(), 2);
  add_integer(bytes, 0, 2);  // extra
  return bytes;
}

}  // namespace

std::string npz_of(const std::vector<std::pair<std::string, Tensor>>& arrays) {
  std::string bytes, directory;
  for (const auto& [array, tensor] : arrays) {
    const std::string name = array + ".npy", data = npy_of(tensor);
    const std::string fields = fields_of(name, data, crc32_of(data));
    directory += std::string("PK\x01\x02\x14\x00", 6) + fields;
    directory.append(10, '\0');  // comment, disk, attributes
    add_integer(directory, bytes.size(), 4);
    directory += name;
    for (const std::string& part : {std::string("PK\x03\x04"), fields, name, data}) bytes += part;
  }
  std::string end("PK\x05\x06\x00\x00\x00\x00", 8);
  add_integer(end, arrays.size(), 2);
  add_integer(end, arrays.size(), 2);
  add_integer(end, directory.size(), 4);
  add_integer(end, bytes.size(), 4);
  add_integer(end, 0, 2);
  return bytes + directory + end;
}

std::string render_npz(const VectorSet& set) {
  std::vector<std::pair<std::string, Tensor>> arrays;
  for (const Vector& vector : set.vectors) {
    const auto names = input_names(vector.problem.version.op);
    for (std::size_t k = 0; k < vector.problem.inputs.size(); ++k) {
      if (const Tensor* given = vector.problem.input(k))
        arrays.emplace_back(fmt::format("{}/{}", vector.name, names[k]), *given);
    }
    for (std::size_t way = 0; way < vector.ways.size(); ++way) {
      const auto& outputs = vector.ways[way].outputs;
      for (std::size_t k = 0; k < outputs.size(); ++k) {
        if (!outputs[k]) continue;
        const std::string stem = fmt::format("{}/way{}/{}", vector.name, way, output_name(k));
        arrays.emplace_back(stem + "/value", outputs[k]->value);
        arrays.emplace_back(stem + "/lo", outputs[k]->lo);
        arrays.emplace_back(stem + "/hi", outputs[k]->hi);
        if (outputs[k]->nan.empty()) continue;
        Tensor nan(ElementType::UInt8, outputs[k]->value.shape());
        for (const std::size_t each : outputs[k]->nan) nan.set_value(each, 1);
        arrays.emplace_back(stem + "/nan", std::move(nan));
      }
    }
  }
  return npz_of(arrays);
}

}  // namespace cellproof::reports
