"""WebNN's lstm and gru from WebNN's own formulas in float64, on the conformance tests that `cellproof vectors` writes."""

import dataclasses
import json
import re

import numpy as np

FUNCTIONS = {"relu": lambda x: np.maximum(x, 0), "tanh": np.tanh, "sigmoid": lambda x: 1 / (1 + np.exp(-x))}
GATES = {"lstm": "iofc", "gru": "zrh"}
DEFAULTS = {"lstm": ["sigmoid", "tanh", "tanh"], "gru": ["sigmoid", "tanh"]}


def read_tests(folder, operation):
    """The file's tests and tolerances: the arrays in it are JSON, but for the last comma."""
    text = (folder / "webnn" / f"{operation}.https.any.js").read_text(encoding="utf-8")
    tests = re.search(rf"^const {operation}Tests = (\[\n.*?)^\];$", text, re.MULTILINE | re.DOTALL)[1]
    tolerances = re.search(rf"^const {operation}Tolerances = (.*);$", text, re.MULTILINE)[1]
    return json.loads(tests.rstrip().rstrip(",") + "]"), json.loads(tolerances)


@dataclasses.dataclass
class Node:
    """One operation with all its arrays; those that the test leaves out are zero."""

    operation: str
    x: np.ndarray
    w: np.ndarray
    r: np.ndarray
    wb: np.ndarray
    rb: np.ndarray
    h: np.ndarray
    c: np.ndarray
    p: np.ndarray
    functions: list
    backward: list  # for each direction
    reset_after: bool
    outputs: list

    @property
    def hidden(self):
        return self.r.shape[2]


def node_of(operation, graph):
    (node,) = graph["operators"]
    tensors = {name: np.array(each["data"], "f8").reshape(each["descriptor"]["shape"]) for name, each in graph["inputs"].items()}
    arguments = {key: value for each in node["arguments"] for key, value in each.items()}
    options = arguments.get("options", {})
    x, w, r = (tensors[arguments[name]] for name in ("input", "weight", "recurrentWeight"))
    directions, rows, _ = w.shape
    state = (directions, x.shape[1], arguments["hiddenSize"])
    given = lambda option, shape: tensors[options[option]] if option in options else np.zeros(shape)
    return Node(
        operation, x, w, r, given("bias", (directions, rows)), given("recurrentBias", (directions, rows)), given("initialHiddenState", state),
        given("initialCellState", state), given("peepholeWeight", (directions, 3 * state[2])),
        [FUNCTIONS[name] for name in options.get("activations", DEFAULTS[operation])],
        [options.get("direction") == "backward" or d == 1 for d in range(directions)], options.get("resetAfter", False), node["outputs"],
    )


def lstm_step(x, h, c, w, r, b, p, functions):
    f, g, out = functions
    i, o, forget, cell = np.split(x @ w.T + h @ r.T + b, 4, axis=1)
    pi, po, pf = np.split(p, 3)
    i, forget = f(i + pi * c), f(forget + pf * c)
    c = forget * c + i * g(cell)
    return f(o + po * c) * out(c), c


def gru_step(x, h, w, r, bw, br, reset_after, functions):
    f, g = functions
    wz, wr, wn = np.split(x @ w.T + bw, 3, axis=1)
    rz, rr, rn = np.split(r, 3)
    bz, b_r, bn = np.split(br, 3)
    z, reset = f(wz + h @ rz.T + bz), f(wr + h @ rr.T + b_r)
    n = g(wn + reset * (h @ rn.T + bn)) if reset_after else g(wn + (reset * h) @ rn.T + bn)
    return z * h + (1 - z) * n


def run(node):
    """The operation's outputs by name."""
    h, c = node.h.copy(), node.c.copy()
    steps = node.x.shape[0]
    sequence = np.zeros((steps, *h.shape))
    for d, backward in enumerate(node.backward):
        for t in range(steps)[:: -1 if backward else 1]:
            if node.operation == "lstm":
                h[d], c[d] = lstm_step(node.x[t], h[d], c[d], node.w[d], node.r[d], node.wb[d] + node.rb[d], node.p[d], node.functions)
            else:
                h[d] = gru_step(node.x[t], h[d], node.w[d], node.r[d], node.wb[d], node.rb[d], node.reset_after, node.functions)
            sequence[t, d] = h[d]
    return dict(zip(node.outputs, [h, *([c] if node.operation == "lstm" else []), sequence]))


def fails(test, tolerance, outputs):
    """Does a conformance test with this tolerance fail on these outputs?"""
    wanted = test["graph"]["expectedOutputs"]
    distances = [np.abs(np.asarray(outputs[name], "f8").ravel() - each["data"]) for name, each in wanted.items()]
    return not all((each <= tolerance).all() for each in distances)
