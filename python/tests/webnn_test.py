"""WebNN's conformance tests among the vectors: what they expect is what WebNN's own formulas give, computed here in float64."""

import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "lab/vectors"
sys.path.insert(0, str(SCRIPTS))

from webnn import FUNCTIONS, node_of, read_tests, run  # noqa: E402
from webnn_faults import faults  # noqa: E402


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("made") / "vectors"
    subprocess.run([os.environ["CELLPROOF_PROGRAM"], "vectors", "-o", made], check=True, capture_output=True)
    return made


def computed(operation, graph):
    """The operation's outputs by name, from WebNN's description of it."""
    return run(node_of(operation, graph))


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


@pytest.mark.parametrize("operation", ["lstm", "gru"])
def test_a_planted_fault_is_another_function(folder, operation):
    """On a node whose arrays are all given: one that changes nothing there would never be found."""
    catalogue = json.loads((folder / "vectors.json").read_text())["faults"]
    planted = faults(operation, catalogue)
    assert len(planted) > 60 and set(planted) <= set(catalogue)
    rng = np.random.default_rng(1)
    node = node_of(operation, next(each["graph"] for each in read_tests(folder, operation)[0] if "direction" not in str(each["graph"])))
    gates, hidden, inputs = (4 if operation == "lstm" else 3), 3, 2
    unchanged = set(planted)
    settings = [([True], ["sigmoid", "relu", "tanh"], False), ([False, True], ["sigmoid", "tanh", "relu"], True), ([False, True], ["sigmoid", "tanh", "tanh"], False)]
    array = lambda *shape: rng.uniform(-1, 1, size=shape)
    for backward, functions, reset_after in settings:
        d = len(backward)
        node.x, node.w, node.r = array(4, 2, inputs), array(d, gates * hidden, inputs), array(d, gates * hidden, hidden)
        node.wb, node.rb = array(2, d, gates * hidden)
        node.h, node.c = array(2, d, 2, hidden)
        node.p, node.backward, node.reset_after = array(d, 3 * hidden), backward, reset_after
        node.functions = [FUNCTIONS[name] for name in functions][: len(node.functions)]
        right = run(node)
        unchanged -= {name for name in unchanged if any(not np.array_equal(right[each], value) for each, value in planted[name](node).items())}
    assert unchanged == set()


def test_the_score_fails_on_an_honest_output_that_a_test_calls_wrong(folder, tmp_path):
    arrays = {}
    for operation in ("lstm", "gru"):
        for test in read_tests(folder, operation)[0]:
            for name, each in test["graph"]["expectedOutputs"].items():
                onnx = {"Output": "Y_h", "Cell": "Y_c", "Sequence": "Y"}[name.removeprefix(operation)]
                arrays[f"{test['name']}/{onnx}"] = np.array(each["data"])
    score = lambda: subprocess.run([sys.executable, SCRIPTS / "webnn_score.py", folder, "--zoo", tmp_path], capture_output=True, text=True, check=False)
    np.savez(tmp_path / "style.npz", **arrays)
    done = score()
    assert done.returncode == 0 and "tests run, 0 failed" in done.stdout, done.stdout + done.stderr
    arrays["GRU-24/Y_h"][0] += 1e-4
    np.savez(tmp_path / "style.npz", **arrays)
    done = score()
    assert done.returncode == 1 and "tests run, 1 failed" in done.stdout, done.stdout + done.stderr
