#include "causes/need_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace cellproof::causes {
namespace {

struct Phrase {
  std::string_view axis, value;
  const char* words;  ///< a format: {0} is what follows the axis' first word, {1} the value
};

/// The first row that fits is said; a value "*" fits every other, an axis that ends in "." its family.
constexpr Phrase phrases[] = {
    {"direction", "bidirectional", "both directions"},
    {"direction", "reverse", "the reverse direction"},
    {"direction", "any", "a direction other than forward"},
    {"lengths", "any", "sequence lengths"},
    {"lengths", "with-zero", "a sequence length of 0"},
    {"lengths", "all-zero", "all sequence lengths 0"},
    {"lengths", "one", "all sequence lengths 1"},
    {"lengths", "*", "{1} sequence lengths"},
    {"clip", "biting", "a clip that bites"},
    {"clip", "wide", "a clip beyond all values"},
    {"clip", "zero", "a clip of 0"},
    {"clip", "any", "a clip"},
    {"hidden_size", "absent", "no attribute hidden_size"},
    {"activations", "default", "the list of functions left out"},
    {"activations", "lower-case", "function names in lower case"},
    {"activations", "*", "the list of functions {1}"},
    {"activation", "any", "functions other than the default"},
    {"activation.", "any", "any other function as {0}"},
    {"activation.", "*", "{1} as {0}"},
    {"alpha", "short", "one value too few in activation_alpha"},
    {"alpha", "long", "one value too many in activation_alpha"},
    {"alpha", "*", "activation_alpha"},
    {"beta", "short", "one value too few in activation_beta"},
    {"beta", "long", "one value too many in activation_beta"},
    {"beta", "*", "activation_beta"},
    {"input.", "graph", "{0} as a graph input"},
    {"input.", "initializer", "{0} as an initializer"},
    {"input.", "empty", "an empty name for {0}"},
    {"input.", "absent", "no {0}"},
    {"input.", "any", "{0}"},
    {"columns.", "per-column", "{0} by column"},
    {"columns.", "*", "{0} by direction"},
    {"T", "*", "T = {1}"},
    {"N", "*", "N = {1}"},
    {"I", "*", "I = {1}"},
    {"H", "*", "H = {1}"},
    {"type", "any", "a type other than float"},
    {"type", "*", "type {1}"},
    {"weight_type", "*", "{1} weights"},
    {"regime", "*", "{1} values"},
    {"outputs", "none", "no output asked for"},
    {"outputs", "any", "some outputs left out"},
    {"outputs", "*", "{1} alone asked for"},
    {"dims", "unranked", "outputs without a declared rank"},
    {"dims", "any", "symbolic sizes"},
    {"dims", "*", "symbolic sizes ({1})"},
    {"nesting", "any", "a nested graph"},
    {"nesting", "*", "the node in a nested graph ({1})"},
    {"weights", "*", "{1} weights"},
    {"states", "*", "{1} initial states"},
};

std::string_view last_part(std::string_view axis, const Phrase& phrase) {
  return axis.substr(std::min(axis.size(), phrase.axis.size()));
}

bool fits(const Phrase& phrase, const AxisValue& each) {
  const bool is_axis = phrase.axis.ends_with('.') ? each.first.starts_with(phrase.axis) : each.first == phrase.axis;
  return is_axis && (phrase.value == each.second || phrase.value == "*");
}

std::string in_words(const AxisValue& each) {
  const auto* const phrase = std::ranges::find_if(phrases, [&](const Phrase& row) { return fits(row, each); });
  if (phrase == std::end(phrases)) return each.second == "any" ? each.first : each.first + " " + each.second;
  std::string part{last_part(each.first, *phrase)};
  if (part.ends_with(".backward")) part = "the backward " + part.substr(0, part.find('.'));
  std::string value = each.second;
  std::ranges::replace(value, '-', ' ');
  return fmt::format(fmt::runtime(phrase->words), part, value);
}

bool says_where_it_is_seen(const AxisValue& axis) {
  return axis.first == "outputs" || axis.first == "regime";
}

}  // namespace

std::string words_of_need(const AxisValues& axes) {
  AxisValues said = axes;
  if (!std::ranges::all_of(said, says_where_it_is_seen)) std::erase_if(said, says_where_it_is_seen);
  std::vector<std::string> words;
  for (const AxisValue& each : said) words.push_back(in_words(each));
  if (words.size() < 2) return words.empty() ? "" : words.front();
  const std::string last = words.back();
  words.pop_back();
  return fmt::format("{} and {}", fmt::join(words, ", "), last);
}

}  // namespace cellproof::causes
