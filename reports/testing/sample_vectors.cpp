#include "reports/testing/sample_vectors.hpp"

#include <limits>

#include "spec/case.hpp"
#include "spec/case_text.hpp"

namespace cellproof::reports::testing {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

VectorOutput output_around(ElementType type, const Shape& shape, double value, double radius) {
  const std::size_t size = element_count(shape);
  const auto all = [&](double each) { return Tensor::from_values(type, shape, std::vector<double>(size, each)); };
  return {all(value), all(value - radius), all(value + radius), {}};
}

}  // namespace

Vector sample_vector(const std::string& name, const Case& c, std::vector<int> versions) {
  Vector vector{name, to_text(c), make_problem(c), std::move(versions), {}, {}, {}, {}};
  VectorWay& way = vector.ways.emplace_back();
  way.readings = {"default"};
  const Dimensions n = dimensions_of(vector.problem);
  const Shape states{n.D, n.N, n.H};
  way.outputs = {output_around(c.type, {n.T, n.D, n.N, n.H}, 0.25, 0.125), output_around(c.type, states, -0.5, 0.0625)};
  if (has_cell_state(c.version.op)) way.outputs.push_back(output_around(c.type, states, 0.75, 0.03125));
  return vector;
}

VectorSet sample_vectors() {
  VectorSet set;
  set.version = "1.2.3";
  Case first = plain_case({Operator::RNN, 22}, ElementType::Float, 2, 1, 1, 2);
  first.attributes.clip = 0.5f;
  first.inputs[input::B].presence = Presence::Empty;
  set.vectors.push_back(sample_vector("RNN-01", first, {1, 7, 14, 22}));
  Vector& vector = set.vectors.back();
  vector.clauses = {"padding-of-y"};
  vector.kills = {"clip-ignored"};
  vector.tells = {"padding-of-y=carry"};
  vector.ways.push_back(vector.ways.front());
  vector.ways.back().readings = {"padding-of-y=carry", "clip-zero=off padding-of-y=carry"};
  VectorOutput& Y = *vector.ways.back().outputs[output::Y];
  Y.lo.set_value(0, infinity);
  Y.hi.set_value(0, -infinity);
  Y.nan = {0, 3};
  set.vectors.push_back(
      sample_vector("RNN-02", plain_case({Operator::RNN, 22}, ElementType::Float16, 1, 1, 2, 1), {14, 22}));
  set.faults["clip-ignored"] = {"does not clip", "clip bounds what goes into a function"};
  set.clauses["padding-of-y"] = "Nothing is said of Y beyond a sequence's length.";
  return set;
}

}  // namespace cellproof::reports::testing
