#!/usr/bin/env python3
"""Proves the formulas of docs/accuracy/ with gappa, for concrete sizes, and computes the chapters' worked numbers.

    python3 lab/accuracy/prove.py [--print NAME]
    python3 lab/accuracy/prove.py numbers

Without a word: writes a script for each claim and asks gappa (a package of Debian's) for a proof; exit code 1 if one fails.
`--print NAME` shows a script instead. A script of a step says: every number below is a binary32 and every operation is rounded
to nearest, subnormals included; a function errs by 4 ulp and 4 roundoffs. Then the step's distance from the exact one is at most
the formula's value at the largest magnitudes. `numbers` evaluates the formulas at the chapters' examples.
"""

import argparse
import math
import subprocess
import sys

U, ETA = 2.0**-24, 2.0**-149
ULPS, FLOOR = 8 * U, 4 * U  # 4 ulp are up to 8 unit roundoffs
LARGEST = {"x": 2, "h": 1, "c": 2, "w": 0.5, "r": 0.5, "b": 0.5, "p": 0.5}  # magnitudes of the numbers in the scripts
SIZES = [(1, 1), (2, 2), (4, 3)]


# The formulas. An argument `e` or `d` is an error, `s` a sum of magnitudes, `v` a magnitude without its error.


def gamma(n):
    return n * U / (1 - n * U)


def of_sum(n, s, spread=0.0):
    return gamma(n) * (s + spread) + spread + n * ETA


def of_function(v, slope, e):
    return slope * e + ULPS * min(1, v + slope * e) + FLOOR + ETA


def of_product(a, d, b, e):
    return b * d + (a + d) * e


def of_operations(intermediates, result):
    return U * (intermediates + result) * (1 + 4 * U) + 2 * ETA


def of_storing(v):
    return U * v * (1 + U) + ETA


def steepest(of, a, e):
    """The slope of Tanh or Sigmoid where it is steepest between a - e and a + e."""
    t = max(0.0, abs(a) - e)
    return 1 - math.tanh(t) ** 2 if of == "Tanh" else (y := 1 / (1 + math.exp(t))) * (1 - y)


def value(of, a):
    return math.tanh(a) if of == "Tanh" else 1 / (1 + math.exp(-a))


def gate(of, n, a, s, spread=0.0):
    """The gate's value and error where the pre-activation is a."""
    e = of_sum(n, s, spread)
    return value(of, a), of_function(abs(value(of, a)), steepest(of, a, e), e)


def largest_gate(of, n, s, spread=0.0):
    """The same where nothing is known of a."""
    return 1.0, of_function(1, 1 if of == "Tanh" else 0.25, of_sum(n, s, spread))


def rnn(n, state):
    h, e = state(n)
    return {"h": e + of_storing(h + e)}


def gru_blend(z, ez, c, ec, h):
    """z, c and h by value, or all as magnitudes (largest: the difference is their sum)."""
    rest, difference = (1 - z, abs(h - c)) if z < 1 else (1, h + c)
    d = (rest + ez) * ec + ez * difference
    weight = max(rest, z) + ez
    result = abs((1 - z) * c + z * h) if z < 1 else max(abs(c), abs(h))
    e = d + of_operations(3 * weight * (abs(c) + ec + abs(h)), result + d)
    return result, e + of_storing(result + e)


def lstm_cell(f, ef, c, i, ei, g, eg):
    d = abs(c) * ef + of_product(i, ei, abs(g), eg)
    return d + of_operations((f + ef) * abs(c) + (i + ei) * (abs(g) + eg), abs(f * c + i * g) + d)


def lstm_output(o, eo, t, et):
    d = of_product(o, eo, abs(t), et)
    e = d + of_operations(0, o * abs(t) + d)
    return e + of_storing(o * abs(t) + e)


# Worked numbers: one input and one unit, x = 1, h = 1/2, c = 1/4, all of W 1/2, all of R 1/4, no B, no P.


def numbers():
    n, a, s = 7, 0.625, 0.625
    y, e = gate("Tanh", n, a, s)
    rows = [("rnn", "sum", of_sum(n, s)), ("rnn", "Tanh", e), ("rnn", "h", e + of_storing(y + e))]
    z, ez = gate("Sigmoid", n, a, s)
    reset, er = z * 0.5, 0.5 * ez + of_operations(0, z * 0.5 + 0.5 * ez)
    inner = 0.5 + 0.25 * reset
    c, ec = gate("Tanh", n, inner, inner, 0.25 * er)
    rows += [("gru", "z", ez), ("gru", "r h", er), ("gru", "h~", ec), ("gru", "h", gru_blend(z, ez, c, ec, 0.5)[1])]
    cell, eC = z * 0.25 + z * y, lstm_cell(z, ez, 0.25, z, ez, y, e)
    t, et = math.tanh(cell), of_function(math.tanh(cell), steepest("Tanh", cell, eC), eC)
    rows += [("lstm", "i, o, f", ez), ("lstm", "c~", e), ("lstm", "C", eC), ("lstm", "tanh C", et)]
    rows += [("lstm", "h", lstm_output(z, ez, t, et)), ("lstm", "C in Y_c", eC + of_storing(cell + eC))]
    return rows


# The scripts.


class Script:
    """A script of gappa: definitions, what is given, goals, and equal ways to write an expression."""

    def __init__(self, fused):
        self.fused, self.lines, self.given, self.goals, self.hints = fused, ["@rnd = float<ieee_32, ne>;"], [], [], []

    def number(self, name):
        """A binary32 within the largest magnitude of its kind, which is the name's first letter."""
        self.lines.append(f"{name} = rnd(any_{name});")
        self.given.append(f"|{name}| <= {LARGEST[name[0]]}")
        return name

    def define(self, name, exact, honest):
        self.lines += [f"{name} = {exact};", f"{name}_ = {honest};"]
        return name

    def sum(self, name, terms, start=()):
        """Products (a, b) and numbers, exactly and in order; a factor with an underscore is an honest one."""
        exact = " + ".join([*start, *(f"{a} * {b}" for a, b in terms)])
        honest = start[0] if start else ""
        for addend in start[1:]:
            honest = f"rnd({honest} + {addend})"
        for a, b in terms:
            b_ = b + "_" if b.startswith("q") else b
            product = f"{a} * {b_}" if self.fused else f"rnd({a} * {b_})"
            honest = f"rnd({honest} + {product})" if honest else f"rnd({a} * {b_})"
        self.lines += [f"{name} = {exact};", f"{name}_ = {honest};"]
        spread = [(a, b) for a, b in terms if b.startswith("q")]
        if spread:  # over the honest factors first: then the rest is rounding
            near = " + ".join([*start, *(f"{a} * {b}_" if (a, b) in spread else f"{a} * {b}" for a, b in terms)])
            self.lines.append(f"{name}n = {near};")
            self.hints.append(f"{name}_ - {name} -> ({name}_ - {name}n) + ({' + '.join(f'{a} * ({b}_ - {b})' for a, b in spread)});")
        return name

    def function(self, name, of, argument):
        """By the mean value theorem: the value at the honest argument is that at the exact one plus slope times distance."""
        least, slope = (-1, 1) if of == "Tanh" else (0, 0.25)
        self.lines += [f"{name}t = {name} + {name}l * ({argument}_ - {argument});", f"{name}_ = {name}t * (1 + {name}k) + {name}f;"]
        self.given += [f"{name} in [{least}, 1]", f"{name}t in [{least}, 1]", f"{name}l in [0, {slope}]", f"|{name}k| <= {ULPS!r}", f"|{name}f| <= {FLOOR!r}"]
        self.hints.append(f"{name}_ - {name} -> {name}t * {name}k + {name}f + {name}l * ({argument}_ - {argument});")
        return name

    def text(self):
        return "\n".join([*self.lines, "{ " + " /\\\n  ".join(self.given), "  -> " + " /\\\n     ".join(self.goals) + " }", *self.hints, ""])


def vectors(script, inputs, hidden):
    return [script.number(f"x{k}") for k in range(inputs)], [script.number(f"h{k}") for k in range(hidden)]


def add_sum(script, name, x, h, more=()):
    """W x + R h + Wb + Rb of a gate, and the sum of its magnitudes, at most."""
    terms = [(script.number(f"w_{name}{k}"), each) for k, each in enumerate(x)]
    terms += [(script.number(f"r_{name}{k}"), each) for k, each in enumerate(h)]
    biases = [script.number(f"b_w{name}"), script.number(f"b_r{name}")]
    script.sum(f"a_{name}", [*terms, *more], biases)
    return LARGEST["w"] * LARGEST["x"] * len(x) + LARGEST["r"] * LARGEST["h"] * len(h) + 2 * LARGEST["b"]


def rnn_script(inputs, hidden, fused):
    script, n = Script(fused), inputs + hidden + 5
    s = add_sum(script, "y", *vectors(script, inputs, hidden))
    script.function("y", "Tanh", "a_y")
    script.goals += [f"|a_y_ - a_y| <= {of_sum(n, s)!r}", f"|y_ - y| <= {rnn(n, lambda n: largest_gate('Tanh', n, s))['h']!r}"]
    return script.text()


def lstm_script(inputs, hidden, fused):
    script, n = Script(fused), inputs + hidden + 5
    x, h = vectors(script, inputs, hidden)
    c = script.number("c0")
    peephole = LARGEST["p"] * LARGEST["c"]
    for name in "if":
        s = add_sum(script, name, x, h, [(script.number(f"p_{name}"), c)]) + peephole
        script.function(name, "Sigmoid", f"a_{name}")
    bare = add_sum(script, "g", x, h)
    script.function("g", "Tanh", "a_g")
    (_, ei), (_, eg) = largest_gate("Sigmoid", n, s), largest_gate("Tanh", n, bare)
    honest = "rnd(f_ * c0 + rnd(i_ * g_))" if fused else "rnd(rnd(f_ * c0) + rnd(i_ * g_))"
    script.define("q", "f * c0 + i * g", honest)
    script.lines.append("qn = f_ * c0 + i_ * g_;")
    script.hints.append("q_ - q -> (q_ - qn) + ((f_ - f) * c0 + ((i_ - i) * g + i_ * (g_ - g)));")
    eC = lstm_cell(1, ei, LARGEST["c"], 1, ei, 1, eg)
    cell = LARGEST["c"] + 1  # |f C + i g| at most
    add_sum(script, "o", x, h, [(script.number("p_o"), "q")])
    script.function("o", "Sigmoid", "a_o")
    script.function("t", "Tanh", "q")
    so = bare + LARGEST["p"] * cell
    (_, eo), et = largest_gate("Sigmoid", n, so, LARGEST["p"] * eC), of_function(1, 1, eC)
    script.define("y", "o * t", "rnd(o_ * t_)")
    script.hints.append("y_ - y -> (y_ - o_ * t_) + ((o_ - o) * t + o_ * (t_ - t));")
    script.goals += [f"|q_ - q| <= {eC!r}", f"|y_ - y| <= {lstm_output(1, eo, 1, et)!r}"]
    return script.text()


def gru_script(inputs, hidden, fused):
    script, n = Script(fused), inputs + hidden + 5
    x, h = vectors(script, inputs, hidden)
    s = add_sum(script, "z", x, h)
    script.function("z", "Sigmoid", "a_z")
    _, ez = largest_gate("Sigmoid", n, s)
    for k, each in enumerate(h):
        add_sum(script, f"r{k}", x, h)
        script.function(f"g{k}", "Sigmoid", f"a_r{k}")
        script.define(f"q{k}", f"g{k} * {each}", f"rnd(g{k}_ * {each})")
        script.hints.append(f"q{k}_ - q{k} -> (q{k}_ - g{k}_ * {each}) + (g{k}_ - g{k}) * {each};")
    er = ez + of_operations(0, 1 + ez)
    add_sum(script, "y", x, [f"q{k}" for k in range(hidden)])
    script.function("y", "Tanh", "a_y")
    _, ec = largest_gate("Tanh", n, s, LARGEST["r"] * hidden * er)
    blend(script, fused)
    script.goals.append(f"|d_ - d| <= {gru_blend(1, ez, 1, ec, 1)[1]!r}")
    return script.text()


def blend(script, fused):
    """(1 - z) h~ + z h, or with a fused h~ + z (h - h~)."""
    honest = "rnd(y_ + z_ * rnd(h0 - y_))" if fused else "rnd(rnd(rnd(1 - z_) * y_) + rnd(z_ * h0))"
    script.define("d", "(1 - z) * y + z * h0", honest)
    script.lines.append("dn = (1 - z_) * y_ + z_ * h0;")
    script.hints.append("d_ - d -> (d_ - dn) + ((1 - z_) * (y_ - y) + (z_ - z) * (h0 - y));")
    if fused:
        script.hints.append("d_ - dn -> (d_ - (y_ + z_ * rnd(h0 - y_))) + z_ * (rnd(h0 - y_) - (h0 - y_));")


def gru_linear_script(inputs, hidden, fused):
    script, n = Script(fused), inputs + hidden + 5
    x, h = vectors(script, inputs, hidden)
    s = add_sum(script, "z", x, h)
    add_sum(script, "g", x, h)
    script.function("z", "Sigmoid", "a_z")
    script.function("g", "Sigmoid", "a_g")
    _, ez = largest_gate("Sigmoid", n, s)
    script.sum("a_x", [(script.number(f"w_y{k}"), each) for k, each in enumerate(x)], [script.number("b_wy")])
    script.sum("a_h", [(script.number(f"r_y{k}"), each) for k, each in enumerate(h)], [script.number("b_ry")])
    sx, sh = LARGEST["w"] * LARGEST["x"] * inputs + LARGEST["b"], LARGEST["r"] * LARGEST["h"] * hidden + LARGEST["b"]
    dx, dh = of_sum(n, sx), of_sum(n, sh)
    script.define("v", "a_x + g * a_h", "rnd(a_x_ + g_ * a_h_)" if fused else "rnd(a_x_ + rnd(g_ * a_h_))")
    script.lines.append("vn = a_x_ + g_ * a_h_;")
    script.hints.append("v_ - v -> (v_ - vn) + ((a_x_ - a_x) + ((g_ - g) * a_h + g_ * (a_h_ - a_h)));")
    part = of_product(1, ez, sh, dh)
    d = dx + part
    ea = d + of_operations(sx + dx + 3 * (sh + part), sx + sh + d)
    script.function("y", "Tanh", "v")
    blend(script, fused)
    script.goals += [f"|v_ - v| <= {ea!r}", f"|d_ - d| <= {gru_blend(1, ez, 1, of_function(1, 1, ea), 1)[1]!r}"]
    return script.text()


GAMMA_STEP = """# gamma_(n+1) holds where gamma_n does: (1 + gamma_n) (1 + u) <= 1 + gamma_(n+1), times (1 - n u) (1 - (n + 1) u). n is any number.
{ u in [0, 0x1p-8] /\\ n in [1, 126] -> (1 + u) * (1 - (n + 1) * u) - (1 - n * u) <= 0 }
(1 + u) * (1 - (n + 1) * u) - (1 - n * u) -> -((n + 1) * (u * u));
"""


def gamma_script(n):
    """The product of n factors 1 + d with |d| <= u is within gamma_n of 1."""
    product = " * ".join(f"(1 + d{k})" for k in range(n))
    given = " /\\ ".join(f"|d{k}| <= {U!r}" for k in range(n))
    return f"p = {product};\n{{ {given} -> |p - 1| <= {gamma(n) * (1 + 2**-50)!r} }}\n"


def scripts():
    yield "gamma-step", GAMMA_STEP
    for n in (2, 8, 32, 128):
        yield f"gamma-{n}", gamma_script(n)
    for name, make in (("rnn", rnn_script), ("gru", gru_script), ("gru-linear", gru_linear_script), ("lstm", lstm_script)):
        for inputs, hidden in SIZES:
            for fused in (False, True):
                yield f"{name}-{inputs}-{hidden}{'-fused' if fused else ''}", make(inputs, hidden, fused)


def proves(script):
    """Says if gappa proves all goals and finds every rewriting equal; otherwise what it prints."""
    done = subprocess.run(["gappa"], input=script, capture_output=True, text=True, check=False)
    said = done.stderr.strip()
    return done.returncode == 0 and "Warning" not in said, said


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("what", nargs="?", choices=["numbers"])
    arguments.add_argument("--print", metavar="NAME", dest="name")
    chosen = arguments.parse_args()
    if chosen.what == "numbers":
        for chapter, what, error in numbers():
            print(f"{chapter:5} {what:9} {error / U:6.2f} u")
        return 0
    if chosen.name:
        found = dict(scripts()).get(chosen.name)
        print(found or f"no script is called {chosen.name}", file=sys.stdout if found else sys.stderr)
        return 0 if found else 2
    failed = 0
    for name, script in scripts():
        proved, said = proves(script)
        failed += not proved
        print(f"{name:22} {'proved' if proved else 'NOT PROVED'}{'' if proved else ': ' + said}", flush=True)
    print(f"{failed} claims without a proof" if failed else "every claim is proved")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
