#include "lab/calibration/random_case.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "fuzz/presented.hpp"
#include "spec/axes.hpp"
#include "spec/expectation.hpp"

namespace cellproof::lab {
namespace {

/// A counter-based stream: the k-th draw of a key, whatever was drawn before (SplitMix64's finaliser over a Weyl
/// sequence).
class Draws {
 public:
  explicit Draws(std::uint64_t key) : state_(key) {}
  std::uint64_t below(std::uint64_t limit) {
    state_ += 0x9E3779B97F4A7C15ull;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return (z ^ (z >> 31)) % limit;
  }

 private:
  std::uint64_t state_;
};

std::vector<OperatorVersion> versions_of(Operator op) {
  std::vector<OperatorVersion> versions;
  for (const OperatorVersion version : all_operator_versions()) {
    if (version.op == op) versions.push_back(version);
  }
  return versions;
}

Case draw(OperatorVersion version, Draws& draws) {
  Case c = plain_case(version, ElementType::Float, 1 + static_cast<std::int64_t>(draws.below(7)),
                      1 + static_cast<std::int64_t>(draws.below(4)), 1 + static_cast<std::int64_t>(draws.below(6)),
                      1 + static_cast<std::int64_t>(draws.below(9)));
  c.seed = draws.below(1u << 30);
  for (const Axis& axis : axes_of_meaning()) {
    const std::vector<std::string> values = axis.values(version);
    // The type decides which contract is at work: drawn evenly, not one time in three.
    if (values.size() > 1 && (axis.name == "type" || draws.below(3) == 0)) {
      c = axis.apply(c, values[draws.below(values.size())]);
    }
  }
  return c;
}

constexpr std::uint64_t one_in_writes_forward = 5, one_in_has_zero_points = 3;

/// Far behind all indices that are counted up to.
constexpr std::uint64_t other_index = 1'000'000'000;

bool is_unspecified_as_a_whole(const Case& c) {
  return is_quantised(c.version.op) && c.regime == Regime::Special;
}

}  // namespace

Case random_case(Operator op, std::uint64_t index, std::uint64_t seed) {
  const std::vector<OperatorVersion> versions = versions_of(op);
  Draws draws((seed << 40) + index * 1'000'003 + static_cast<std::uint64_t>(op));
  // One draw in a hundred, or fewer, is valid for the older versions.
  constexpr int most_draws = 100'000;
  for (int attempt = 0; attempt < most_draws; ++attempt) {
    Case c = draw(versions[index % versions.size()], draws);
    // The axes leave a default out, which may as well be written.
    if (!c.attributes.direction && index % one_in_writes_forward == 0) c.attributes.direction = "forward";
    if (expectation_of(c).kind == Expectation::Kind::Accept) return fuzz::presented(c, seed, index);
  }
  throw std::logic_error(
      fmt::format("no valid case of {} in {} draws: the axes and the rules disagree", name(op), most_draws));
}

Case specified_case(Operator op, std::uint64_t index, std::uint64_t seed) {
  Case c = random_case(op, index, seed);
  for (std::uint64_t k = 1; is_unspecified_as_a_whole(c); ++k) c = random_case(op, index + k * other_index, seed);
  // Only this regime gives each direction a zero point of its own, and no axis has it for one input.
  if (is_quantised(op) && index % one_in_has_zero_points == 0) {
    for (const std::size_t position : {input::W_zero_point, input::R_zero_point})
      c.inputs[position].values = Generated{.regime = Regime::Special, .seed = {}};
  }
  return c;
}

}  // namespace cellproof::lab
