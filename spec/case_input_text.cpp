#include "spec/case_input_text.hpp"

#include <fmt/format.h>

#include <functional>
#include <map>

#include "spec/case_keys.hpp"
#include "spec/literal_text.hpp"
#include "spec/text_value.hpp"

namespace cellproof::text {
namespace {

std::string_view write_presence(Presence presence) {
  return presence == Presence::Absent ? "absent" : presence == Presence::Empty ? "empty" : "given";
}

/// The fields of one input; each kind may stand there once, in any order.
struct InputFields {
  std::map<std::string, std::string_view, std::less<>> found;

  explicit InputFields(std::string_view value) {
    for (const std::string_view field : split(value, ',')) {
      const std::string kind = kind_of(field);
      if (!found.emplace(kind, field).second) throw Expected{"each of its fields once, " + kind + " is repeated"};
    }
    if (!found.contains("presence")) throw Expected{"given, empty or absent among its fields"};
    if (found.contains("literal") && (found.contains("regime") || found.contains("seed"))) {
      throw Expected{"either a literal tensor or regime and seed"};
    }
  }

  /// The text after "type:" and the like; nullopt where the field is not there.
  std::optional<std::string_view> after_colon(std::string_view kind) const {
    const auto position = found.find(kind);
    if (position == found.end()) return std::nullopt;
    return position->second.substr(kind.size() + 1);
  }

 private:
  static std::string kind_of(std::string_view field) {
    if (field == "given" || field == "empty" || field == "absent") return "presence";
    if (source_named(field)) return "source";
    if (is_literal(field)) return "literal";
    for (const std::string_view kind : {"type", "shape", "regime", "seed"}) {
      if (field.starts_with(kind) && field.substr(kind.size()).starts_with(':')) return std::string(kind);
    }
    throw Expected{
        "fields among given, empty, absent, graph, initializer, constant, type:, shape:, regime:, seed:, values:, "
        "hex:, "
        "file:"};
  }
};

}  // namespace

std::string position_name(std::span<const std::string_view> names, std::string_view beyond, std::size_t position) {
  return position < names.size() ? std::string(names[position]) : fmt::format("{}{}", beyond, position);
}

std::string write_input(const Case& c, std::size_t position, const std::optional<std::filesystem::path>& directory) {
  const CaseInput& in = c.inputs[position];
  std::string result(write_presence(in.presence));
  if (in.source != plain_input(c.version.op, position).source) result += fmt::format(",{}", name(in.source));
  if (in.type) result += fmt::format(",type:{}", onnx_name(*in.type));
  if (in.shape) result += fmt::format(",shape:{}", write(*in.shape));
  if (const Generated* generated = std::get_if<Generated>(&in.values)) {
    if (generated->regime) result += fmt::format(",regime:{}", name(*generated->regime));
    if (generated->seed) result += fmt::format(",seed:{}", *generated->seed);
    return result;
  }
  return result + "," +
         write_literal(std::get<Tensor>(in.values), generated_type(c, position), generated_shape(c, position),
                       directory);
}

void read_input(Case& c, std::size_t position, std::string_view value) {
  const InputFields fields(value);
  for (std::size_t i = c.inputs.size(); i <= position; ++i) c.inputs.emplace_back();
  CaseInput& in = c.inputs[position];
  const std::string_view presence = fields.found.at("presence");
  in.presence = presence == "given" ? Presence::Given : presence == "empty" ? Presence::Empty : Presence::Absent;
  if (const auto source = fields.found.find("source"); source != fields.found.end())
    in.source = *source_named(source->second);
  if (const auto type = fields.after_colon("type")) in.type = read_type(*type);
  if (const auto shape = fields.after_colon("shape")) in.shape = read_shape(*shape);
  if (const auto literal = fields.found.find("literal"); literal != fields.found.end()) {
    in.values = read_literal(literal->second, generated_type(c, position), generated_shape(c, position));
    return;
  }
  Generated generated;
  if (const auto regime = fields.after_colon("regime")) generated.regime = read_regime(*regime);
  if (const auto seed = fields.after_colon("seed")) generated.seed = read_seed(*seed);
  in.values = generated;
}

std::string write_outputs(const Case& c) {
  const auto names = output_names(c.version.op);
  std::size_t count = c.outputs.size();
  while (count > 0 && c.outputs[count - 1] == Presence::Absent) --count;
  std::string result;
  for (std::size_t i = 0; i < count; ++i) {
    const Presence presence = c.outputs[i];
    result += (i ? "," : "") + (presence == Presence::Given   ? position_name(names, "output", i)
                                : presence == Presence::Empty ? "-"
                                                              : "absent");
  }
  return count ? result : "none";
}

void read_outputs(Case& c, std::string_view value) {
  c.outputs.clear();
  if (value == "none") return;
  const auto names = output_names(c.version.op);
  for (const std::string_view part : split(value, ',')) {
    const std::string expected = position_name(names, "output", c.outputs.size());
    if (part != expected && part != "-" && part != "absent") {
      throw Expected{fmt::format("{} or - at position {}, or none for no output at all", expected, c.outputs.size())};
    }
    if (c.outputs.size() == most_positions) throw Expected{fmt::format("at most {} outputs", most_positions)};
    c.outputs.push_back(part == expected ? Presence::Given : part == "-" ? Presence::Empty : Presence::Absent);
  }
}

}  // namespace cellproof::text
