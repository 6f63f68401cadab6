#include "campaign/vectors/backend_tests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace cellproof::campaign {
namespace {

/// An element's rounded exact value, as a magnitude, and how far honest ones may be from it.
struct Reach {
  double value, distance;
};

/// The next number of three decimal digits above: the text of data.json is what a runner reads.
double rounded_up_to_digits(double x) {
  if (x == 0) return 0;
  const double near = std::strtod(fmt::format("{:.2e}", x).c_str(), nullptr);
  return near >= x ? near : std::strtod(fmt::format("{:.2e}", x * 1.006).c_str(), nullptr);
}

std::optional<std::vector<Reach>> reaches_of(const reports::VectorWay& way) {
  std::vector<Reach> reaches;
  for (const auto& output : way.outputs) {
    if (!output) continue;
    for (std::size_t i = 0; i < output->value.size(); ++i) {
      const double value = output->value.value(i), lo = output->lo.value(i), hi = output->hi.value(i);
      if (lo > hi || lo == hi) continue;
      if (!std::isfinite(lo) || !std::isfinite(hi) || !std::isfinite(value)) return std::nullopt;
      reaches.push_back({std::fabs(value), std::max(hi - value, value - lo)});
    }
    const auto is_number = [&](std::size_t i) { return output->lo.value(i) <= output->hi.value(i); };
    if (std::ranges::any_of(output->nan, is_number)) return std::nullopt;
  }
  return reaches;
}

double least_atol(const std::vector<Reach>& reaches, double rtol) {
  double atol = 0;
  for (const Reach& each : reaches) atol = std::max(atol, each.distance - rtol * each.value);
  return atol;
}

/// The corners of the region of all (rtol, atol) that suffice lie where two elements meet their limits at once.
corpus::Tolerance tightest(const std::vector<Reach>& reaches) {
  double values = 0;
  for (const Reach& each : reaches) values += each.value;
  const auto sum = [&](const corpus::Tolerance& t) {
    return t.rtol * values + t.atol * static_cast<double>(reaches.size());
  };
  corpus::Tolerance best{0, least_atol(reaches, 0)};
  const auto take = [&](double rtol) {
    const corpus::Tolerance other{rtol, least_atol(reaches, rtol)};
    if (sum(other) < sum(best)) best = other;
  };
  for (const Reach& a : reaches) {
    if (a.value > 0) take(a.distance / a.value);
    for (const Reach& b : reaches) {
      const double rtol = (a.distance - b.distance) / (a.value - b.value);
      if (a.value > b.value && rtol > 0) take(rtol);
    }
  }
  return best;
}

}  // namespace

std::optional<corpus::Tolerance> tolerance_of(const reports::Vector& vector) {
  if (vector.ways.size() != 1) return std::nullopt;
  const auto reaches = reaches_of(vector.ways.front());
  if (!reaches) return std::nullopt;
  const corpus::Tolerance least = tightest(*reaches);
  // Runners compute the difference and the limit in the tensor's own type: room for those roundings, and for
  // subnormals.
  const FloatFormat& format = float_format(vector.problem.input(input::X)->type());
  const double room = 1 + 16 * format.unit_roundoff;
  return corpus::Tolerance{rounded_up_to_digits(least.rtol * room),
                           rounded_up_to_digits(least.atol * room + 4 * format.min_subnormal)};
}

Outputs values_of(const reports::VectorWay& way) {
  Outputs outputs;
  for (const auto& output : way.outputs) outputs.push_back(output ? std::optional(output->value) : std::nullopt);
  return outputs;
}

bool all_close(const Outputs& wanted, const corpus::Tolerance& tolerance, const Outputs& actual) {
  const auto is_close = [&](double a, double b) {
    if (a == b || (std::isnan(a) && std::isnan(b))) return true;
    return std::isfinite(b) && std::fabs(a - b) <= tolerance.atol + tolerance.rtol * std::fabs(b);
  };
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    if (!wanted[k]) continue;
    if (k >= actual.size() || !actual[k] || actual[k]->shape() != wanted[k]->shape()) return false;
    for (std::size_t i = 0; i < wanted[k]->size(); ++i) {
      if (!is_close(actual[k]->value(i), wanted[k]->value(i))) return false;
    }
  }
  return true;
}

std::int64_t write_backend_tests(const reports::VectorSet& set, const std::filesystem::path& folder) {
  std::int64_t written = 0;
  for (const reports::Vector& vector : set.vectors) {
    const auto tolerance = tolerance_of(vector);
    if (!tolerance) continue;
    corpus::write_backend_test(folder / ("test_" + vector.name), vector.problem, values_of(vector.ways.front()),
                               tolerance, std::nullopt, vector.line);
    ++written;
  }
  return written;
}

}  // namespace cellproof::campaign
