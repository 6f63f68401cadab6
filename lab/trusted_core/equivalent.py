"""Changes that no test can notice, with the reason: they alter nothing that an output could show."""

# By file and changed line.
EQUIVALENT: dict[str, str] = {
    "oracle/quantized/evaluation.cpp: operator: if (only && (b != only->b || only->last + 1 <= f.lengths[at(b)])) continue;": (
        "a row that does not confirm its last state is followed by the whole evaluation in balls, which does: it takes longer"
    ),
    "oracle/ladder.cpp: operator: if (sure.any_open || element_at(task, sure, place).cls == found) return false;": (
        "likewise: what one stretch does not confirm is judged in balls as a whole"
    ),
    "oracle/ball/ball.hpp: condition: if (!(!is_flat(x_))) arb_clear(&x_);": (
        "memory is not given back: no number changes, and the tests fail where the sanitizers look for leaks"
    ),
    "oracle/layout.hpp: constant: std::int64_t T = 0, N = 0, I = 1, H = 0, D = 0;": "every layout is made by layout_of, which sets all of them",
    "oracle/step/activation.hpp: constant: double alpha = 1, beta = 0;": "functions that take an alpha are made with one, and others never read it",
    "oracle/quantized/product.cpp: constant: products.assign(static_cast<std::size_t>(matrix_.rows), Set::anything(0, 1));": (
        "the flag is may_be_nan, which anything() sets"
    ),
    "oracle/step/observation.hpp: constant: double lo = 1, hi = 0;": "storable_ends, which alone makes them, sets both",
    "oracle/step/arithmetic.hpp: word: bool stored_intermediates = false, flushed_subnormals = true, nearest_output = false;": (
        "every arithmetic is made by arithmetic_of, which sets all three"
    ),
    "oracle/step/arithmetic.hpp: constant: double largest_accumulated = 1, largest_elementwise = 0, largest_stored = 0;": (
        "likewise: arithmetic_of sets all three"
    ),
    "oracle/step/plain_lstm.cpp: word: const bool fits = (plain_lesser(magnitude, intermediates) <= m.largest_elementwise) & (c.magnitude() < in.limit);": (
        "a cell that is known well enough to be plain is far below where either could overflow"
    ),
    "oracle/ball/ball.cpp: operator: ((a.is_exact() && b.is_exact()) && are_far_apart(a, b) || are_apart(a, b) || arb_lt(a.arb(), b.arb()));": (
        "what is asked before arb_lt only answers sooner"
    ),
    "oracle/ball/ball.cpp: constant: std::uint64_t bits = 1;  ///< the highest one is set": "what is not `usual` has no bits that anyone reads",
    "oracle/forward/linear_step.hpp: constant: double slope = 1;": (
        "a line is given a slope, belongs to a step that has failed, or to a gate that a coupled one replaces, whose slope nothing reads"
    ),
    "oracle/quantized/code_choices.hpp: operator: CodeChoices(DirectionWalk<Real>& walk, std::int64_t most) : walk_(walk), left_(most + 1) {}": (
        "room for two ends more: codes stay open a little later, and either way the sets hold them"
    ),
    "oracle/quantized/weights.hpp: constant: int depth = 0, rows = 1;": "matrix_of, which alone makes them, sets both",
    "oracle/quantized/direction_walk.cpp: constant: next_h_[at(b * f_.H + j)] = is_known ? Set{next.centre, next.lo, next.hi, 0} : Set::anything(0, 1);": (
        "the flag is may_be_nan, which anything() sets"
    ),
    "oracle/step/plain_lstm.cpp: operator: const bool near = (plain_reach(centre, c) < longest_sloped_reach) & (c.lo < centre) & (centre < c.hi);": (
        "at exactly that reach either way of computing the image holds"
    ),
    "oracle/task.cpp: constant: constexpr double most_products = (0x1p24 + 1);": (
        "what is dear is looked at one unit at a time and not as a whole: either gives the same sets"
    ),
}


def key_of(name: str) -> str:
    """A mutation's name without the number of its line."""
    path, _, rest = name.partition(":")
    return f"{path}: {rest.partition(': ')[2]}"


def reason_for(name: str) -> str | None:
    return EQUIVALENT.get(key_of(name))
