#include "campaign/check_model_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "campaign/exit_code.hpp"
#include "campaign/explain_finding.hpp"
#include "reports/check_json.hpp"
#include "spec/finding_words.hpp"
#include "spec/utf8.hpp"

namespace cellproof::campaign {
namespace {

using Json = nlohmann::json;

std::string direction_of(const corpus::RecurrentNode& node) {
  return node.attributes.direction.value_or("forward");
}

std::string size_text(const char* name, const std::optional<std::int64_t>& size) {
  return size ? fmt::format(" {}={}", name, *size) : "";
}

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Sources of the inputs: "X from Transpose t_1, W from initializer".
std::string sources_of(const corpus::RecurrentNode& node) {
  const auto names = input_names(node.version.op);
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < node.inputs.size() && k < names.size(); ++k)
    if (node.inputs[k].presence == Presence::Given)
      texts.push_back(fmt::format("{} from {}", names[k], node.inputs[k].origin));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string quantisation_text(const QuantisationEffect& effect) {
  if (effect.inputs.empty())
    return fmt::format("quantised: {}; the model holds no other numbers for it", fmt::join(effect.kept, ", "));
  std::vector<std::string> texts;
  for (const auto& output : effect.outputs)
    texts.push_back(fmt::format("{} by {:.3g} at most (largest {:.3g})", output.name, output.most, output.largest));
  std::string text = fmt::format("quantisation of {} alone moves ", fmt::join(effect.inputs, ", "));
  text += texts.empty() ? "what is not computed: the node is too large" : fmt::format("{}", fmt::join(texts, ", "));
  if (!effect.kept.empty()) text += fmt::format("; of {} the model holds codes alone", fmt::join(effect.kept, ", "));
  return text;
}

std::string presentation_text(const NeededPresentation& needed) {
  if (!needed.fails) return "alone it passes: it needs what is around it in the model";
  if (*needed.fails == Dims::Static) return "alone it fails, too, with every size a number";
  return fmt::format("alone it passes with every size a number, and fails with symbols: dims={}", name(*needed.fails));
}

Json quantisation_json(const QuantisationEffect& effect) {
  Json outputs = Json::object();
  for (const auto& output : effect.outputs)
    outputs[output.name] = {{"most", fmt::format("{}", output.most)}, {"largest", fmt::format("{}", output.largest)}};
  return {{"inputs", effect.inputs}, {"codes_alone", effect.kept}, {"outputs", outputs}};
}

}  // namespace

std::string listing_of(const corpus::WholeModel& model) {
  std::string text = fmt::format("{}: opset {}{}{}, {} recurrent {}\n", visible_text(model.path.string()), model.opset,
                                 model.producer.empty() ? "" : ", ", visible_text(model.producer), model.nodes.size(),
                                 model.nodes.size() == 1 ? "node" : "nodes");
  for (const auto& input : model.inputs) text += fmt::format("  input   {}\n", corpus::declaration_text(input));
  for (const auto& node : model.nodes) {
    text += fmt::format("  node    {}: {} {}{}{}\n", visible_text(node.path), to_string(node.version),
                        visible_text(direction_of(node)), size_text("I", node.input_size),
                        size_text("H", node.hidden_size));
    text += fmt::format("          {}\n", visible_text(sources_of(node)));
    if (!node.unusual.empty())
      text += fmt::format("          unusual: {}\n", visible_text(fmt::format("{}", fmt::join(node.unusual, "; "))));
  }
  for (const auto& other : model.other_recurrences) text += fmt::format("  other   {}\n", visible_text(other));
  return text;
}

std::string json_listing_of(const corpus::WholeModel& model) {
  std::string lines;
  for (const auto& node : model.nodes) {
    Json sources = Json::object();
    const auto names = input_names(node.version.op);
    for (std::size_t k = 0; k < node.inputs.size() && k < names.size(); ++k)
      if (node.inputs[k].presence == Presence::Given) sources[std::string(names[k])] = node.inputs[k].origin;
    lines += dumped({{"path", model.path.string()},
                     {"node", node.path},
                     {"operator", name(node.version.op)},
                     {"version", node.version.since_version},
                     {"opset", node.opset},
                     {"direction", direction_of(node)},
                     {"I", node.input_size ? Json(*node.input_size) : Json()},
                     {"H", node.hidden_size ? Json(*node.hidden_size) : Json()},
                     {"loops", node.loops},
                     {"sources", sources},
                     {"unusual", node.unusual}}) +
             "\n";
  }
  return lines;
}

std::string node_line(const CheckedNode& checked) {
  const auto& node = *checked.node;
  std::string text =
      fmt::format("{}  {} {}", visible_text(node.path), to_string(node.version), visible_text(direction_of(node)));
  if (checked.calls == 0) return fmt::format("  -     {}  not run: these inputs do not lead to it\n", text);
  if (checked.sizes)
    text += fmt::format(" T={} N={} I={} H={}", checked.sizes->T, checked.sizes->N, checked.sizes->I, checked.sizes->H);
  if (checked.calls > 1) text += fmt::format(", {} calls", checked.calls);
  text += fmt::format("  {}", result_name(checked.finding));
  if (!checked.finding.judgement.faults.empty()) text += fmt::format(" {}", checked.finding.judgement.faults.front());
  const bool is_open = checked.finding.judgement.verdict == Verdict::Undecided;
  text = fmt::format("  {}  {}\n", !checked.finding.pass ? "FAIL" : is_open ? "open" : "ok  ", text);
  if (checked.needed) text += fmt::format("        {}\n", presentation_text(*checked.needed));
  if (checked.quantisation) text += fmt::format("        {}\n", quantisation_text(*checked.quantisation));
  return text;
}

std::string node_json(const corpus::WholeModel& model, const CheckedNode& checked) {
  Json json =
      Json::parse(reports::check_json_line(model.path.string(), std::nullopt, checked.node->opset, checked.finding));
  json["node"] = checked.node->path;
  json["engine"] = checked.finding.engine;
  json["engine_version"] = checked.finding.engine_version;
  json["calls"] = checked.calls;
  json["alone"] = checked.alone;
  json["quantisation"] = nullptr;
  if (checked.quantisation) json["quantisation"] = quantisation_json(*checked.quantisation);
  json["fails_alone"] = nullptr;
  if (const auto& needed = checked.needed)
    json["fails_alone"] = needed->fails ? Json(name(*needed->fails)) : Json(false);
  json["sizes"] = nullptr;
  if (const auto& sizes = checked.sizes)
    json["sizes"] = {{"T", sizes->T}, {"N", sizes->N}, {"I", sizes->I}, {"H", sizes->H}, {"D", sizes->D}};
  return dumped(json);
}

std::string engine_json(const corpus::WholeModel& model, const CheckedModel& checked) {
  return dumped({{"path", model.path.string()},
                 {"node", nullptr},
                 {"engine", checked.engine.name},
                 {"engine_version", checked.engine.version},
                 {"verdict", nullptr},
                 {"outcome", name(checked.run.kind)},
                 {"message", checked.run.message},
                 {"remarks", checked.remarks}});
}

std::string model_text(const CheckedModel& checked) {
  const std::string engine =
      fmt::format("{}{}{}", visible_text(checked.engine.name), checked.engine.version.empty() ? "" : " ",
                  visible_text(checked.engine.version));
  std::string text = engine + "\n";
  for (const CheckedNode& node : checked.nodes) text += node_line(node);
  for (const CheckedNode& node : checked.nodes) {
    const bool is_open = node.finding.judgement.verdict == Verdict::Undecided;
    if (node.calls > 0 && (!node.finding.pass || is_open)) text += explain_finding(node.finding);
  }
  for (const std::string& remark : checked.remarks) text += fmt::format("  {} {}\n", engine, visible_text(remark));
  return text + fmt::format("{}\n", ModelTally(checked).text());
}

ModelTally::ModelTally(const CheckedModel& checked) : nodes(checked.nodes.size()) {
  for (const CheckedNode& node : checked.nodes) {
    if (node.calls == 0) continue;
    ++judged;
    failing += !node.finding.pass;
    undecided += node.finding.judgement.verdict == Verdict::Undecided;
  }
  unsendable = checked.run.kind == OutcomeKind::HarnessError;
  engine_failed = checked.run.kind == OutcomeKind::Crashed || checked.run.kind == OutcomeKind::TimedOut ||
                  checked.run.kind == OutcomeKind::OutOfMemory;
}

std::string ModelTally::text() const {
  return fmt::format("{} nodes: {} judged, {} failing, {} undecided, {} not run", nodes, judged, failing, undecided,
                     nodes - judged);
}

int ModelTally::exit_code(bool strict) const {
  if (unsendable) return bad_input;
  if (failing > 0 || engine_failed || (strict && undecided > 0)) return unexpected;
  return judged == 0 ? nothing_ran : ok;
}

}  // namespace cellproof::campaign
