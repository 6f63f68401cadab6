#include "lab/zoo/zoo.hpp"

#include <cmath>
#include <optional>
#include <utility>

#include "fuzz/guided/resolved_node.hpp"
#include "lab/zoo/flushing.hpp"
#include "lab/zoo/honest_cell.hpp"
#include "lab/zoo/plain_outputs.hpp"
#include "lab/zoo/quantized_node.hpp"
#include "lab/zoo/quantized_run.hpp"
#include "spec/float_conversion.hpp"

namespace cellproof::lab::zoo {
namespace {

double output(ElementType type, double value, const Style& style) {
  const double rounded = round_to(type, value);
  return style.flushed && std::abs(rounded) < float_format(type).min_normal ? 0 : rounded;
}

/// Makes of a node what an engine reads that flushes the subnormals of the tensors' type.
void flush(fuzz::ResolvedNode& node) {
  const double least = float_format(node.type).min_normal;
  const auto flush_all = [&](std::vector<double>& values) {
    for (double& value : values) value = std::abs(value) < least ? 0 : value;
  };
  flush_all(node.X);
  for (fuzz::ResolvedDirection& d : node.directions) {
    for (auto* values : {&d.W, &d.R, &d.Wb, &d.Rb, &d.P, &d.h, &d.c}) flush_all(*values);
  }
}

template <class F>
PlainOutputs compute(const fuzz::ResolvedNode& node, const Style& style, std::uint64_t seed) {
  PlainOutputs outputs(node);
  const std::size_t H = node.H;
  for (std::size_t d = 0; d < node.directions.size(); ++d) {
    const fuzz::ResolvedDirection& direction = node.directions[d];
    HonestCell<F> cell(node, direction, style, seed + 2 * d);
    for (std::size_t n = 0; n < node.N; ++n) {
      std::vector<F> h(direction.h.begin() + static_cast<std::ptrdiff_t>(n * H),
                       direction.h.begin() + static_cast<std::ptrdiff_t>((n + 1) * H));
      std::vector<F> c(H, F(0));
      for (std::size_t unit = 0; unit < H && !direction.c.empty(); ++unit)
        c[unit] = static_cast<F>(direction.c[n * H + unit]);
      h = cell.kept(std::move(h));
      c = cell.kept(std::move(c));
      for (std::size_t step = 0; step < node.lengths[n]; ++step) {
        const std::size_t t = direction.reverse ? node.lengths[n] - 1 - step : step;
        const double* row = node.X.data() + (t * node.N + n) * node.I;
        cell.step(std::vector<F>(row, row + node.I), h, c);
        for (std::size_t unit = 0; unit < H; ++unit) {
          const double rounded = output(node.type, h[unit], style);
          outputs.y(node, t, d, n)[unit] = rounded;
          if (style.feedback == Feedback::Rounded) h[unit] = static_cast<F>(rounded);
        }
      }
      for (std::size_t unit = 0; unit < H; ++unit) {
        outputs.h(node, d, n)[unit] = output(node.type, h[unit], style);
        outputs.c(node, d, n)[unit] = output(node.type, c[unit], style);
      }
    }
  }
  return outputs;
}

}  // namespace

Outputs run(const Problem& problem, const Style& style, std::uint64_t seed) {
  std::optional<Flushing> flushing;
  if (is_quantised(problem.version.op)) {
    const QuantizedNode quantized = resolve_quantized(problem);
    if (style.flushed) flushing.emplace();
    return put_together(problem, quantized.lstm, run_quantized(quantized, style, seed));
  }
  fuzz::ResolvedNode node = fuzz::resolve(problem);
  if (style.flushed) flush(node);
  if (style.flushed) flushing.emplace();
  const PlainOutputs outputs =
      node.type == ElementType::Double ? compute<double>(node, style, seed) : compute<float>(node, style, seed);
  return put_together(problem, node, outputs);
}

}  // namespace cellproof::lab::zoo
