#include "campaign/model_input_choices.hpp"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <stdexcept>
#include <string_view>

#include "spec/utf8.hpp"

namespace cellproof::campaign {
namespace {

/// Reads "NAME=NUMBER,NAME=NUMBER".
template <class Number>
std::map<std::string, Number> numbers_of(const char* option, const std::vector<std::string>& texts) {
  std::map<std::string, Number> numbers;
  for (const std::string_view whole : texts) {
    for (std::string_view rest = whole; !rest.empty();) {
      const auto comma = rest.find(',');
      const std::string_view part = rest.substr(0, comma);
      rest = comma == std::string_view::npos ? "" : rest.substr(comma + 1);
      const auto equals = part.rfind('=');
      Number number = 0;
      const char* const last = part.data() + part.size();
      const auto [end, error] = equals == std::string_view::npos
                                    ? std::from_chars_result{nullptr, std::errc::invalid_argument}
                                    : std::from_chars(part.data() + equals + 1, last, number);
      if (error != std::errc{} || end != last || equals == 0)
        throw std::invalid_argument(
            fmt::format("{} {}: expected NAME=NUMBER, several with commas between", option, whole));
      numbers[std::string(part.substr(0, equals))] = number;
    }
  }
  return numbers;
}

}  // namespace

corpus::ModelInputs inputs_of(const corpus::WholeModel& model, const InputChoices& choices) {
  if (!choices.from.empty()) {
    if (!choices.shape.empty() || !choices.value.empty())
      throw std::invalid_argument("--shape and --value choose drawn inputs: leave them out beside --inputs");
    return corpus::read_inputs(model, choices.from);
  }
  corpus::Drawing drawing;
  drawing.seed = choices.seed;
  drawing.sizes = numbers_of<std::int64_t>("--shape", choices.shape);
  drawing.values = numbers_of<double>("--value", choices.value);
  for (const auto& [name, size] : drawing.sizes)
    if (size < 0 || size > 1'000'000)
      throw std::invalid_argument(fmt::format("--shape {}={}: expected a size from 0 to 1000000", name, size));
  return corpus::draw_inputs(model, drawing);
}

std::string inputs_text(const corpus::WholeModel& model, const corpus::ModelInputs& inputs,
                        const InputChoices& choices) {
  std::string text = fmt::format(
      "{}: {} recurrent {}, inputs {}\n", visible_text(model.path.string()), model.nodes.size(),
      model.nodes.size() == 1 ? "node" : "nodes",
      choices.from.empty() ? fmt::format("drawn with seed {}", choices.seed) : "from " + visible_text(choices.from));
  for (const std::string& note : inputs.notes) text += fmt::format("  input {}\n", visible_text(note));
  return text;
}

}  // namespace cellproof::campaign
