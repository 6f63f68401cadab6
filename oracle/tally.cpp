#include "oracle/tally.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "oracle/at.hpp"

namespace cellproof::oracle {
namespace {

/// Share of the scale of an output that a bound may take and still say something.
double informative_share(const Arithmetic& m) {
  const bool of_16_bits = m.u_storage >= 0x1p-11 || m.u_operand >= 0x1p-8;
  return of_16_bits ? 0.25 : 0.05;
}

template <class Visit>
void for_each_valid_y(const Layout& f, Visit visit) {
  std::int64_t longest = 0;
  for (const std::int64_t steps : f.lengths) longest = std::max(longest, steps);
  for (std::int64_t rank = 0; rank < longest; ++rank) {
    for (std::int64_t d = 0; d < f.D; ++d) {
      for (std::int64_t b = 0; b < f.N; ++b) {
        if (rank < f.lengths[at(b)]) visit(rank, d, b);
      }
    }
  }
}

template <class Visit>
void for_each_row_with_steps(const Layout& f, Visit visit) {
  for (std::int64_t d = 0; d < f.D; ++d) {
    for (std::int64_t b = 0; b < f.N; ++b) {
      if (f.lengths[at(b)] > 0) visit(d, b);
    }
  }
}

void mark_unresolved_in(std::vector<Element>& elements, double share, double noise) {
  double scale = 0;
  for (const Element& e : elements) {
    if (std::isfinite(e.expected)) scale = std::max(scale, std::abs(e.expected));
  }
  for (Element& e : elements) {
    if (e.cls == ElementClass::Rounding && !(e.bound <= share * scale + noise)) e.cls = ElementClass::Unresolved;
  }
}

bool earlier(const Place& a, const Place& b) {
  const auto key = [](const Place& p) { return std::tuple(p.rank, p.d, p.b, p.output, p.j); };
  return key(a) < key(b);
}

void keep_first(std::optional<Place>& first, const Place& place) {
  if (!first || earlier(place, *first)) first = place;
}

bool has_distance(ElementClass c) {
  return c == ElementClass::Exact || c == ElementClass::Rounding || c == ElementClass::Suspect ||
         c == ElementClass::Divergent;
}

class Counter {
 public:
  Counter(const Task& task, Tally& tally) : task_(task), tally_(tally) {}

  void add(const Element& e, const Place& place) {
    ++tally_.elements[static_cast<std::size_t>(e.cls)];
    if (e.cls == ElementClass::Divergent) keep_first(tally_.first_divergent, place);
    if (e.cls == ElementClass::Suspect) keep_first(tally_.first_suspect, place);
    if (!has_distance(e.cls)) return;
    if (std::isfinite(e.ratio)) {
      tally_.worst_ratio = std::max(tally_.worst_ratio.value_or(0), e.ratio);
    } else {
      tally_.infinite_ratio = true;
    }
    if (std::isfinite(e.observed) && std::isfinite(e.expected)) {
      const double distance = std::abs(e.observed - e.expected);
      const double ulps = distance == 0 ? 0 : distance / ulp_at(e.expected, task_.arithmetic.storage);
      tally_.max_ulp = std::max(tally_.max_ulp.value_or(0), ulps);
    }
  }

 private:
  const Task& task_;
  Tally& tally_;
};

}  // namespace

std::int64_t Tally::total() const {
  std::int64_t sum = 0;
  for (const std::int64_t n : elements) sum += n;
  return sum;
}

double Tally::verified() const {
  const std::int64_t all = total();
  if (all == 0) return 1;
  return static_cast<double>(count(ElementClass::Exact) + count(ElementClass::Rounding)) / static_cast<double>(all);
}

void mark_unresolved(const Task& task, ElementEvaluation& evaluation) {
  const Arithmetic& m = task.arithmetic;
  const double share = informative_share(m);
  // Differences of a few times the size of subnormals say nothing against an element if subnormals may vanish.
  const double noise = m.flushed_subnormals ? 256 * m.storage.min_normal : 0;
  for (auto* elements : {&evaluation.Y, &evaluation.Y_h, &evaluation.Y_c}) mark_unresolved_in(*elements, share, noise);
}

void mark_suspect(ElementEvaluation& running, const ElementEvaluation& certified) {
  const auto mark = [](std::vector<Element>& own, const std::vector<Element>& other) {
    for (std::size_t k = 0; k < own.size(); ++k) {
      if (own[k].cls == ElementClass::Divergent && other[k].cls != ElementClass::Divergent) {
        own[k].cls = ElementClass::Suspect;
        own[k].open = other[k].open;
      }
    }
  };
  mark(running.Y, certified.Y);
  mark(running.Y_h, certified.Y_h);
  mark(running.Y_c, certified.Y_c);
}

const Element& element_at(const Task& task, const ElementEvaluation& evaluation, const Place& p) {
  if (p.output == output::Y) return evaluation.Y[ElementEvaluation::y_place(task.layout, p.rank, p.d, p.b) + at(p.j)];
  const std::size_t place = ElementEvaluation::state_place(task.layout, p.d, p.b) + at(p.j);
  return p.output == output::Y_h ? evaluation.Y_h[place] : evaluation.Y_c[place];
}

Element& element_at(const Task& task, ElementEvaluation& evaluation, const Place& place) {
  return const_cast<Element&>(element_at(task, std::as_const(evaluation), place));
}

Tally tally_of(const Task& task, const ElementEvaluation& evaluation, const std::vector<StructuralViolation>& broken) {
  const Layout& f = task.layout;
  Tally tally;
  Counter counter(task, tally);
  if (!evaluation.Y.empty()) {
    for_each_valid_y(f, [&](std::int64_t rank, std::int64_t d, std::int64_t b) {
      for (std::int64_t j = 0; j < f.H; ++j) {
        const Place place{output::Y, rank, d, b, j};
        counter.add(element_at(task, evaluation, place), place);
      }
    });
  }
  for_each_row_with_steps(f, [&](std::int64_t d, std::int64_t b) {
    const std::int64_t last = f.lengths[at(b)] - 1;
    for (std::int64_t j = 0; j < f.H; ++j) {
      for (const std::size_t which : {output::Y_h, output::Y_c}) {
        if ((which == output::Y_h ? evaluation.Y_h : evaluation.Y_c).empty()) continue;
        const Place place{which, last, d, b, j};
        counter.add(element_at(task, evaluation, place), place);
      }
      if (task.Y && task.Y_h) {  // the same numbers as in Y: nothing new to judge, but elements all the same
        const ElementClass of_y = element_at(task, evaluation, {output::Y, last, d, b, j}).cls;
        const bool failed = of_y == ElementClass::Divergent || of_y == ElementClass::Suspect;
        if (!failed) ++tally.elements[static_cast<std::size_t>(of_y)];
      }
    }
  });
  for (const StructuralViolation& v : broken) {
    ++tally.elements[static_cast<std::size_t>(ElementClass::Divergent)];
    keep_first(tally.first_divergent, {v.output, v.rank, v.d, v.b, v.j});
  }
  return tally;
}

}  // namespace cellproof::oracle
