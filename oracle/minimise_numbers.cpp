#include "oracle/minimise_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "spec/case_text.hpp"
#include "spec/finding_words.hpp"
#include "spec/literal_text.hpp"

namespace cellproof::oracle {
namespace {

/// A change of a number; one that cannot be made simpler in this way is returned as it is.
using Change = std::function<double(double)>;

double zero(double) {
  return 0;
}

double one(double value) {
  return value == 0 ? 0 : 1;
}

double sign(double value) {
  return value == 0 || !std::isfinite(value) ? value : std::copysign(1.0, value);
}

/// Rounded to so many significant bits.
Change few_bits(int bits) {
  return [bits](double value) {
    if (value == 0 || !std::isfinite(value)) return value;
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent);
    return std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), exponent - bits);
  };
}

/// From the simplest; what comes last is tried only where nothing before it would do.
const std::vector<Change>& simpler_numbers() {
  static const std::vector<Change> changes{one, sign, few_bits(1), few_bits(3), few_bits(7)};
  return changes;
}

/// An integer that the type has, or a number that is still finite when it is rounded to the type.
bool holds(ElementType type, double value) {
  switch (type) {
    case ElementType::Int8:
      return -128 <= value && value <= 127;
    case ElementType::UInt8:
      return 0 <= value && value <= 255;
    default:
      return !is_floating_point(type) || std::fabs(value) <= float_format(type).max_finite;
  }
}

bool is_all_zero(const Tensor& tensor) {
  return std::ranges::all_of(tensor.bytes(), [](std::byte byte) { return byte == std::byte{0}; });
}

/// One tensor that is not done with: its place among the inputs and its values as they are now.
struct Slot {
  std::size_t position;
  Tensor tensor;
};

class Simplifier {
 public:
  Simplifier(Case c, const StillFails& still_fails) : c_(std::move(c)), still_fails_(still_fails) {
    const Problem problem = make_problem(c_);
    // The first thing that a reader would like to be rid of is what the recurrence brings.
    for (const std::size_t first : {input::R, input::W, input::X}) add(problem, first);
    for (std::size_t i = input::B; i < std::min(c_.inputs.size(), input_names(c_.version.op).size()); ++i)
      add(problem, i);
  }

  Case run() && {
    std::vector<Slot> candidates = std::move(places_);
    places_.clear();
    for (Slot& place : candidates) {
      if (becomes_literal(place)) places_.push_back(std::move(place));
    }
    for (Slot& place : places_) change(place, 0, place.tensor.size(), one);
    // Halves and quarters cost little, and leave less of which the bits are to be counted.
    for (const std::size_t parts : {2U, 4U}) zero_blocks(parts);
    if (!change_all(sign) && !change_all(few_bits(1))) {
      for (Slot& place : places_) simplify(place, 0, place.tensor.size());
    }
    std::size_t largest = 0;
    for (const Slot& place : places_) largest = std::max(largest, place.tensor.size());
    for (std::size_t parts = 8; parts / 2 < largest; parts *= 2) zero_blocks(parts);
    for (Slot& place : places_) {
      for (std::size_t i = 0; i < place.tensor.size(); ++i) simplify(place, i, i + 1);
    }
    simplify_attributes();
    return std::move(c_);
  }

 private:
  void add(const Problem& problem, std::size_t position) {
    const Tensor* tensor = problem.input(position);
    if (tensor == nullptr || position == input::sequence_lens || tensor->size() == 0 || is_all_zero(*tensor)) return;
    places_.push_back({position, *tensor});
  }

  bool accept(Case simpler) {
    if (simpler == c_ || !still_fails_(simpler)) return false;
    c_ = std::move(simpler);
    return true;
  }

  /// Are single numbers of the tensor to be looked at? Not if all of them could be 0, nor if they could not be written
  /// down.
  bool becomes_literal(const Slot& place) {
    const std::size_t position = place.position;
    // A scale has no zero: the regime leaves it as it is.
    if (position != input::W_scale && position != input::R_scale && accept(generated(position, Regime::Zero)))
      return false;
    if (place.tensor.bytes().size() <= text::largest_literal) return true;
    const bool is_literal = std::holds_alternative<Tensor>(c_.inputs[position].values);
    return is_literal && !accept(generated(position, std::nullopt));
  }

  Case generated(std::size_t position, std::optional<Regime> regime) const {
    Case c = c_;
    c.inputs[position].values = Generated{regime, std::nullopt};
    return c;
  }

  /// Elements [begin, end) changed; nothing is asked where that is what they are already.
  bool change(Slot& place, std::size_t begin, std::size_t end, const Change& to) {
    Tensor simpler = changed(place.tensor, begin, end, to);
    if (simpler == place.tensor) return false;
    Case candidate = c_;
    candidate.inputs[place.position].values = simpler;
    if (!accept(std::move(candidate))) return false;
    place.tensor = std::move(simpler);
    return true;
  }

  static Tensor changed(Tensor tensor, std::size_t begin, std::size_t end, const Change& to) {
    for (std::size_t i = begin; i < end; ++i) {
      const double before = tensor.value(i);
      const double after = to(before);
      const bool differs = after != before || (after == 0 && std::signbit(before));
      if (differs && holds(tensor.type(), after)) tensor.set_value(i, after);
    }
    return tensor;
  }

  /// Everywhere at once: a single question.
  bool change_all(const Change& to) {
    Case candidate = c_;
    std::vector<Tensor> tensors;
    for (const Slot& place : places_) {
      tensors.push_back(changed(place.tensor, 0, place.tensor.size(), to));
      if (tensors.back() != place.tensor) candidate.inputs[place.position].values = tensors.back();
    }
    if (!accept(std::move(candidate))) return false;
    for (std::size_t k = 0; k < places_.size(); ++k) places_[k].tensor = std::move(tensors[k]);
    return true;
  }

  void simplify(Slot& place, std::size_t begin, std::size_t end) {
    std::optional<Tensor> refused;
    for (const Change& to : simpler_numbers()) {
      Tensor simpler = changed(place.tensor, begin, end, to);
      if (simpler == place.tensor) return;  // as simple as that already
      if (refused == simpler) continue;
      if (change(place, begin, end, to)) return;
      refused = std::move(simpler);
    }
  }

  /// Simplifies the node's own numbers: the parameters of its functions, and the clip.
  void simplify_attributes() {
    for (const auto list : {&Attributes::activation_alpha, &Attributes::activation_beta}) {
      const std::size_t count = (c_.attributes.*list) ? (c_.attributes.*list)->size() : 0;
      for (std::size_t i = 0; i < count; ++i)
        simplify_attribute([list, i](Case& c) -> float& { return (c.attributes.*list)->at(i); });
    }
    if (c_.attributes.clip) simplify_attribute([](Case& c) -> float& { return *c.attributes.clip; });
  }

  template <class Reference>
  void simplify_attribute(const Reference& number_in) {
    for (const Change& to : simpler_numbers()) {
      Case candidate = c_;
      float& number = number_in(candidate);
      const auto simpler = static_cast<float>(to(static_cast<double>(number)));
      if (simpler == number) return;  // as simple as that already
      number = simpler;
      if (accept(std::move(candidate))) return;
    }
  }

  void zero_blocks(std::size_t parts) {
    for (Slot& place : places_) {
      const std::size_t count = place.tensor.size();
      const auto block_of = [count](std::size_t n) { return (count + n - 1) / n; };
      const std::size_t block = block_of(parts);
      if (block == block_of(parts / 2)) continue;  // single numbers had their turn
      for (std::size_t begin = 0; begin < count; begin += block)
        change(place, begin, std::min(begin + block, count), zero);
    }
  }

  Case c_;
  const StillFails& still_fails_;
  std::vector<Slot> places_;
};

}  // namespace

NumberCount count_numbers(const Case& c) {
  NumberCount count;
  const Problem problem = make_problem(c);
  for (const std::size_t position : {input::X, input::W, input::R}) {
    const Tensor* tensor = problem.input(position);
    for (std::size_t i = 0; tensor != nullptr && i < tensor->size(); ++i) {
      const double value = tensor->value(i);
      ++count.all;
      count.not_zero += value != 0;
      count.not_zero_or_one += value != 0 && value != 1;
    }
  }
  return count;
}

std::int64_t numbers_in_smallest(const Finding& finding) {
  try {
    return count_numbers(parse_case(smallest_line(finding))).all;
  } catch (const CaseTextError&) {  // a literal too large for the line
    return std::numeric_limits<std::int64_t>::max();
  }
}

Case minimise_numbers(Case c, const StillFails& still_fails) {
  return Simplifier(std::move(c), still_fails).run();
}

}  // namespace cellproof::oracle
