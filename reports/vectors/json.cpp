#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/vectors/bits.hpp"
#include "reports/vectors/vector_set.hpp"
#include "spec/float_conversion.hpp"
#include "spec/sha256.hpp"
#include "spec/specification_page.hpp"

namespace cellproof::reports {
namespace {

using Sorted = nlohmann::json;  // keys in order, whatever they were written in

Sorted value_json(std::int64_t value) {
  return {{"type", "int"}, {"value", value}};
}
Sorted value_json(const std::string& value) {
  return {{"type", "string"}, {"value", value}};
}
Sorted value_json(float value) {
  return {{"type", "float"}, {"bits", fmt::format("{:08x}", float_bits(value))}};
}
Sorted value_json(const std::vector<std::int64_t>& values) {
  return {{"type", "ints"}, {"value", values}};
}
Sorted value_json(const std::vector<std::string>& values) {
  return {{"type", "strings"}, {"value", values}};
}
Sorted value_json(const std::vector<float>& values) {
  std::string bits;
  for (const float value : values) bits += fmt::format("{}{:08x}", bits.empty() ? "" : " ", float_bits(value));
  return {{"type", "floats"}, {"bits", bits}};
}

Sorted attributes_json(const Attributes& attributes) {
  Sorted json = Sorted::object();
  for_each_attribute(attributes, [&](const char* name, const auto& field) {
    if (field) json[name] = value_json(*field);
  });
  for (const OtherAttribute& other : attributes.others)
    json[other.name] = std::visit([](const auto& value) { return value_json(value); }, other.value);
  return json;
}

Sorted inputs_json(const Problem& problem) {
  const auto names = input_names(problem.version.op);
  Sorted json = Sorted::array();
  for (std::size_t k = 0; k < problem.inputs.size(); ++k) {
    const Input& each = problem.inputs[k];
    if (!each.tensor) {
      json.push_back({{"name", ""}});
      continue;
    }
    json.push_back({{"name", names[k]},
                    {"type", onnx_name(each.tensor->type())},
                    {"shape", each.tensor->shape()},
                    {"bits", bits_text(*each.tensor)},
                    {"initializer", each.source != Source::GraphInput}});
  }
  return json;
}

bool same_bits(const VectorOutput& a, const VectorOutput& b) {
  return a.value == b.value && a.lo == b.lo && a.hi == b.hi && a.nan == b.nan;
}

Sorted way_json(const Vector& vector, const VectorWay& way) {
  const VectorWay& first = vector.ways.front();
  Sorted outputs = Sorted::object();
  for (std::size_t k = 0; k < way.outputs.size(); ++k) {
    if (!way.outputs[k]) continue;
    const VectorOutput& each = *way.outputs[k];
    if (&way != &first && same_bits(each, *first.outputs[k])) continue;
    Sorted json{{"shape", each.value.shape()},
                {"value", bits_text(each.value)},
                {"lo", bits_text(each.lo)},
                {"hi", bits_text(each.hi)}};
    if (!each.nan.empty()) json["nan"] = each.nan;
    outputs[std::string(output_name(k))] = std::move(json);
  }
  return {{"readings", way.readings}, {"outputs", std::move(outputs)}};
}

Sorted vector_json(const Vector& vector) {
  const Problem& problem = vector.problem;
  Sorted outputs = Sorted::array(), ways = Sorted::array();
  for (std::size_t k = 0; k < problem.outputs.size(); ++k)
    outputs.push_back(problem.asks_for(k) ? output_name(k) : std::string_view());
  for (const VectorWay& way : vector.ways) ways.push_back(way_json(vector, way));
  return {{"name", vector.name},
          {"case", vector.line},
          {"operator", name(problem.version.op)},
          {"domain", domain(problem.version.op)},
          {"versions", vector.versions},
          {"page", specification_page(problem.version.op)},
          {"attributes", attributes_json(problem.attributes)},
          {"inputs", inputs_json(problem)},
          {"outputs", std::move(outputs)},
          {"clauses", vector.clauses},
          {"symbolic", problem.presentation.dims != Dims::Static},
          {"kills", vector.kills},
          {"tells", vector.tells},
          {"ways", std::move(ways)}};
}

}  // namespace

std::string bits_text(const Tensor& tensor) {
  std::string text;
  const int digits = static_cast<int>(2 * size_of(tensor.type()));
  for (std::size_t i = 0; i < tensor.size(); ++i)
    text += fmt::format("{}{:0{}x}", i == 0 ? "" : " ", tensor.bits(i), digits);
  return text;
}

std::string render_json(const VectorSet& set) {
  Sorted faults = Sorted::object();
  for (const auto& [id, note] : set.faults) faults[id] = {{"what", note.what}, {"clause", note.clause}};
  Sorted all{{"format", "cellproof-vectors/1"}, {"version", set.version}, {"clauses", set.clauses}, {"faults", faults}};
  all["vectors"] = Sorted::array();
  for (const Vector& vector : set.vectors) all["vectors"].push_back(vector_json(vector));
  // The sum is taken over the whole without it, as one line: what json.dumps(sort_keys=True, separators=(",", ":"))
  // gives.
  const std::string sum = sha256(all.dump());
  std::string text =
      fmt::format("{{\"format\":{},\n\"version\":{},\n\"sha256\":\"{}\",\n\"clauses\":{},\n\"faults\":{},\n",
                  all["format"].dump(), all["version"].dump(), sum, all["clauses"].dump(), all["faults"].dump());
  text += "\"vectors\":[\n";
  for (std::size_t k = 0; k < set.vectors.size(); ++k)
    text += all["vectors"][k].dump() + (k + 1 < set.vectors.size() ? ",\n" : "\n");
  return text + "]}\n";
}

}  // namespace cellproof::reports
