"""WebNN's conformance tests among the vectors: what they expect is what WebNN's own formulas give, computed here in float64."""

import json
import os
import pathlib
import re
import subprocess

import numpy as np
import pytest

FUNCTIONS = {"relu": lambda x: np.maximum(x, 0), "tanh": np.tanh, "sigmoid": lambda x: 1 / (1 + np.exp(-x))}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("made") / "vectors"
    subprocess.run([os.environ["CELLPROOF_PROGRAM"], "vectors", "-o", made], check=True, capture_output=True)
    return made


def read_tests(folder, operation):
    """The file's tests and tolerances: the arrays in it are JSON, but for the last comma."""
    text = (folder / "webnn" / f"{operation}.https.any.js").read_text(encoding="utf-8")
    tests = re.search(rf"^const {operation}Tests = (\[\n.*?)^\];$", text, re.MULTILINE | re.DOTALL)[1]
    tolerances = re.search(rf"^const {operation}Tolerances = (.*);$", text, re.MULTILINE)[1]
    return json.loads(tests.rstrip().rstrip(",") + "]"), json.loads(tolerances)


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


def computed(operation, graph):
    """The operation's outputs by name, from WebNN's description of it."""
    (node,) = graph["operators"]
    tensors = {name: np.array(each["data"], "f8").reshape(each["descriptor"]["shape"]) for name, each in graph["inputs"].items()}
    arguments = {key: value for each in node["arguments"] for key, value in each.items()}
    options = arguments.get("options", {})
    x, w, r = (tensors[arguments[name]] for name in ("input", "weight", "recurrentWeight"))
    given = lambda option, shape: tensors[options[option]] if option in options else np.zeros(shape)
    directions, rows, _ = w.shape
    hidden, batch = arguments["hiddenSize"], x.shape[1]
    default = ["sigmoid", "tanh", "tanh"] if operation == "lstm" else ["sigmoid", "tanh"]
    functions = [FUNCTIONS[name] for name in options.get("activations", default)]
    bias, recurrent = given("bias", (directions, rows)), given("recurrentBias", (directions, rows))
    h = given("initialHiddenState", (directions, batch, hidden)).copy()
    c = given("initialCellState", (directions, batch, hidden)).copy()
    peephole = given("peepholeWeight", (directions, 3 * hidden))
    sequence = np.zeros((x.shape[0], directions, batch, hidden))
    for d in range(directions):
        backward = options.get("direction") == "backward" or d == 1
        for t in range(arguments["steps"])[:: -1 if backward else 1]:
            if operation == "lstm":
                h[d], c[d] = lstm_step(x[t], h[d], c[d], w[d], r[d], bias[d] + recurrent[d], peephole[d], functions)
            else:
                h[d] = gru_step(x[t], h[d], w[d], r[d], bias[d], recurrent[d], options["resetAfter"], functions)
            sequence[t, d] = h[d]
    results = [h, *([c] if operation == "lstm" else []), *([sequence] if options.get("returnSequence") else [])]
    return dict(zip(node["outputs"], results, strict=True))


@pytest.mark.parametrize("operation", ["lstm", "gru"])
def test_each_expects_what_webnn_describes(folder, operation):
    tests, tolerances = read_tests(folder, operation)
    assert len(tests) > 4 and [each["name"] for each in tests] == list(tolerances)
    for test in tests:
        outputs = computed(operation, test["graph"])
        assert test["graph"]["expectedOutputs"]
        for name, wanted in test["graph"]["expectedOutputs"].items():
            assert list(outputs[name].shape) == wanted["descriptor"]["shape"]
            assert np.abs(outputs[name].ravel() - wanted["data"]).max() <= tolerances[test["name"]], f"{test['name']}: {name}"


def test_the_tests_notice_what_is_wrong(folder):
    """Gates in another order, for instance: a test that any numbers pass would be none."""
    for test in read_tests(folder, "gru")[0]:
        weights = np.array(test["graph"]["inputs"]["gruWeight"]["data"])
        test["graph"]["inputs"]["gruWeight"]["data"] = list(np.roll(weights, len(weights) // 3))
        outputs = computed("gru", test["graph"])
        name, wanted = next(iter(test["graph"]["expectedOutputs"].items()))
        if np.abs(outputs[name].ravel() - wanted["data"]).max() > 1e-3:
            return
    pytest.fail("no vector tells the gates apart")
