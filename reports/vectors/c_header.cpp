#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "reports/vectors/vector_set.hpp"

namespace cellproof::reports {
namespace {

constexpr std::string_view lead =
    R"c(/* Vectors of ONNX's recurrent operators, version {version}: float tensors, no file, no library. Made by `cellproof vectors`.
   An element is right if it lies in its interval; there is no tolerance to choose. C99.

     struct cellproof_mistake mistake;
     for (int k = 0; k < CELLPROOF_VECTORS; ++k) {{
       const void *outputs[3] = {{my_Y, my_Y_h, my_Y_c}};
       if (!cellproof_check(&cellproof_vectors[k], outputs, &mistake))
         printf("%s: %s[%u], step %d\n", cellproof_vectors[k].name, mistake.output, mistake.element, mistake.step);
     }} */
#ifndef CELLPROOF_VECTORS_H
#define CELLPROOF_VECTORS_H

#include <stdint.h>
#include <string.h>

/* `bits`: of float, or of the bytes of uint8, int8 and int32, one a word. */
struct cellproof_input {{ const char *name, *type; uint32_t rank, shape[4], count; const uint32_t *bits; }};
/* `nan`: one word for each element that may be NaN. Null bounds: those of the first way. */
struct cellproof_output {{ const uint32_t *lo, *hi, *nan; uint32_t nans; }};
/* Outputs that are right as a whole under these readings. */
struct cellproof_way {{ const char *readings; struct cellproof_output outputs[3]; }};
struct cellproof_vector {{
  const char *name, *operator_name, *line, *clauses; /* `line`: the case, attributes included (docs/case-text.md) */
  uint32_t inputs; const struct cellproof_input *input;
  uint32_t counts[3]; /* elements of Y, Y_h and Y_c; 0: not asked for, or empty */
  uint32_t steps, step_stride; /* element / step_stride % steps is Y's step */
  uint32_t ways; const struct cellproof_way *way;
}};
struct cellproof_mistake {{ const char *output; uint32_t element; int step; const char *clauses; }};

)c";

constexpr std::string_view check = R"c(
/* The order of numbers as an order of integers; both zeros are one. */
static int64_t cellproof_order(uint32_t bits) {
  return bits & 0x80000000u ? -(int64_t)(bits & 0x7fffffffu) : (int64_t)bits;
}

static int cellproof_admits(const struct cellproof_output *output, uint32_t element, uint32_t bits) {
  uint32_t k;
  if ((bits & 0x7fffffffu) > 0x7f800000u) { /* NaN */
    for (k = 0; k < output->nans; ++k)
      if (output->nan[k] == element) return 1;
    return 0;
  }
  return cellproof_order(output->lo[element]) <= cellproof_order(bits) &&
         cellproof_order(bits) <= cellproof_order(output->hi[element]);
}

/* 1 where the outputs (floats; Y, Y_h, Y_c; null where not asked for) are right under one of the ways. Otherwise 0, and
   the first element that is wrong under the default. */
static int cellproof_check(const struct cellproof_vector *vector, const void *const outputs[3],
                           struct cellproof_mistake *mistake) {
  static const char *const names[3] = {"Y", "Y_h", "Y_c"};
  uint32_t way, k, element;
  mistake->output = 0;
  for (way = 0; way < vector->ways; ++way) {
    int right = 1;
    for (k = 0; k < 3 && right; ++k) {
      const struct cellproof_output *wanted = &vector->way[way].outputs[k];
      if (!wanted->lo) wanted = &vector->way[0].outputs[k];
      for (element = 0; element < vector->counts[k] && right; ++element) {
        uint32_t bits = 0;
        if (outputs[k]) memcpy(&bits, (const char *)outputs[k] + 4 * (size_t)element, 4);
        right = outputs[k] && cellproof_admits(wanted, element, bits);
        if (right || mistake->output) continue;
        mistake->output = names[k];
        mistake->element = element;
        mistake->step = k == 0 ? (int)(element / vector->step_stride % vector->steps) : -1;
        mistake->clauses = vector->clauses;
      }
    }
    if (right) return 1;
  }
  return 0;
}

#endif
)c";

/// The arrays of a vector, and the text that names them.
class CVector {
 public:
  explicit CVector(const Vector& vector) : vector_(vector) {
    id_ = vector.name;
    std::ranges::replace(id_, '-', '_');
  }

  std::string text() {
    const std::string inputs = inputs_text(), ways = ways_text();
    return fmt::format(
        "{}static const struct cellproof_input {}_inputs[] = {{\n{}}};\n"
        "static const struct cellproof_way {}_ways[] = {{\n{}}};\n",
        arrays_, id_, inputs, id_, ways);
  }

  std::string entry() const {
    const Problem& problem = vector_.problem;
    std::string counts, clauses;
    for (std::size_t k = 0; k < 3; ++k) counts += fmt::format("{}{}", k == 0 ? "" : ", ", count_of(k));
    for (const std::string& each : vector_.clauses) clauses += (clauses.empty() ? "" : " ") + each;
    const Dimensions n = dimensions_of(problem);
    const bool batchwise = problem.attributes.layout.value_or(0) != 0;
    const std::int64_t stride = n.D * n.H * (batchwise ? 1 : n.N);
    return fmt::format("  {{\"{}\", \"{}\", \"{}\", \"{}\", {}, {}_inputs, {{{}}}, {}, {}, {}, {}_ways}},\n",
                       vector_.name, name(problem.version.op), vector_.line, clauses, inputs_, id_, counts,
                       std::max<std::int64_t>(1, n.T), std::max<std::int64_t>(1, stride), vector_.ways.size(), id_);
  }

 private:
  std::size_t count_of(std::size_t k) const {
    const auto& outputs = vector_.ways.front().outputs;
    return k < outputs.size() && outputs[k] ? outputs[k]->value.size() : 0;
  }

  std::string array(const std::string& own, const Tensor& tensor) {
    if (tensor.size() == 0) return "0";
    arrays_ += fmt::format("static const uint32_t {}_{}[] = {{", id_, own);
    for (std::size_t i = 0; i < tensor.size(); ++i)
      arrays_ += fmt::format("{}0x{:x}", i == 0 ? "" : i % 12 == 0 ? ",\n" : ",", tensor.bits(i));
    arrays_ += "};\n";
    return fmt::format("{}_{}", id_, own);
  }

  std::string inputs_text() {
    std::string text;
    const auto names = input_names(vector_.problem.version.op);
    for (std::size_t k = 0; k < vector_.problem.inputs.size(); ++k) {
      const Tensor* given = vector_.problem.input(k);
      if (!given) continue;
      ++inputs_;
      std::string shape;
      for (const std::int64_t size : given->shape()) shape += fmt::format("{}{}", shape.empty() ? "" : ", ", size);
      text +=
          fmt::format("  {{\"{}\", \"{}\", {}, {{{}}}, {}, {}}},\n", names[k], onnx_name(given->type()), given->rank(),
                      shape.empty() ? "1" : shape, given->size(), array(std::string(names[k]), *given));
    }
    return text;
  }

  std::string output_text(std::size_t way, std::size_t k) {
    const auto& outputs = vector_.ways[way].outputs;
    if (k >= outputs.size() || !outputs[k]) return "{0, 0, 0, 0}";
    const VectorOutput& first = *vector_.ways.front().outputs[k];
    const VectorOutput& own = *outputs[k];
    if (way > 0 && own.lo == first.lo && own.hi == first.hi && own.nan == first.nan) return "{0, 0, 0, 0}";
    const std::string stem = fmt::format("way{}_{}", way, output_name(k));
    std::string nan = "0";
    if (!own.nan.empty()) {
      Tensor places(ElementType::Int32, {static_cast<std::int64_t>(own.nan.size())});
      for (std::size_t i = 0; i < own.nan.size(); ++i) places.set_value(i, static_cast<double>(own.nan[i]));
      nan = array(stem + "_nan", places);
    }
    // One after the other: arguments may be evaluated in any order, and the bytes must not depend on a compiler.
    const std::string lo = array(stem + "_lo", own.lo);
    const std::string hi = array(stem + "_hi", own.hi);
    return fmt::format("{{{}, {}, {}, {}}}", lo, hi, nan, own.nan.size());
  }

  std::string ways_text() {
    std::string text;
    for (std::size_t way = 0; way < vector_.ways.size(); ++way) {
      std::string outputs;
      for (std::size_t k = 0; k < 3; ++k) outputs += (k == 0 ? "" : ", ") + output_text(way, k);
      text += fmt::format("  {{\"{}\", {{{}}}}},\n", vector_.ways[way].readings.front(), outputs);
    }
    return text;
  }

  const Vector& vector_;
  std::string id_, arrays_;
  int inputs_ = 0;
};

bool is_of_float(const Vector& vector) {
  const Tensor* X = vector.problem.input(input::X);
  return X && X->type() == ElementType::Float;
}

}  // namespace

std::string render_c_header(const VectorSet& set) {
  std::string text = fmt::format(lead, fmt::arg("version", set.version)), entries;
  int count = 0;
  for (const Vector& vector : set.vectors) {
    if (!is_of_float(vector)) continue;
    CVector own(vector);
    text += own.text();
    entries += own.entry();
    ++count;
  }
  return text +
         fmt::format(
             "\n#define CELLPROOF_VECTORS {}\nstatic const struct cellproof_vector cellproof_vectors[] = {{\n{}}};\n",
             count, entries) +
         std::string(check);
}

}  // namespace cellproof::reports
