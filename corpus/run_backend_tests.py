"""Runs exported directories through ONNX's own backend-test runner with ONNX Runtime as the backend.

    run_backend_tests.py DIRECTORY...

Needs onnx and onnxruntime (set-up puts both into .deps/onnx-backend-runner). Every directory below the given ones that holds a
model.onnx is one test. Tolerances are those of its data.json; a directory whose data.json says {"cellproof": {"expect": "refuse"}}
passes when ONNX Runtime refuses the model or its inputs. What ONNX Runtime does not claim to support is skipped, with the reason.
Each test has a process of its own, so that a crash is one failure. A line for each that did not pass: wrong, error, crashed or skipped,
its name, the reason. Last line: N passed, N failed, N skipped. Exit code: 0 all passed, 1 some failed, 2 nothing to run.
"""

import itertools
import json
import os
import pathlib
import re
import signal
import sys
import tempfile
import traceback
import unittest
from typing import Iterator

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # read when onnxruntime is imported

import onnx  # noqa: E402
import onnx.backend.test.runner as onnx_runner  # noqa: E402
import onnxruntime
from onnx import numpy_helper
from onnx.backend.base import Backend, BackendRep
from onnx.backend.test.loader import load_model_tests

OLDEST_OPSET = 7


def unsupported(model: onnx.ModelProto) -> str:
    """Why ONNX Runtime's CPU provider does not claim the model; empty when it does."""
    opset = next((o.version for o in model.opset_import if o.domain in ("", "ai.onnx")), 1)
    if opset < OLDEST_OPSET:
        return f"opset {opset}; ONNX Runtime begins with {OLDEST_OPSET}"
    types = {v.type.tensor_type.elem_type for v in model.graph.output}
    if types - {onnx.TensorProto.FLOAT}:
        return "another element type than float"
    for node in model.graph.node:
        for attribute in node.attribute:
            if attribute.name == "layout" and attribute.i != 0:
                return f"layout {attribute.i}"
    return ""


class Session(BackendRep):
    def __init__(self, model: bytes) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 4
        self._session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    def run(self, inputs, **_):
        names = [value.name for value in self._session.get_inputs()]
        if len(names) != len(inputs):
            raise ValueError(f"{len(inputs)} input files for {len(names)} graph inputs")
        return self._session.run(None, dict(zip(names, inputs)))


class OnnxRuntimeBackend(Backend):
    @classmethod
    def is_compatible(cls, model, device="CPU", **_):
        reason = unsupported(model)
        if reason:
            raise unittest.SkipTest(reason)
        return True

    @classmethod
    def prepare(cls, model, device="CPU", **_):
        return Session(model.SerializeToString())

    @classmethod
    def supports_device(cls, device):
        return device == "CPU"


def must_be_refused(directory: pathlib.Path) -> bool:
    data = directory / "data.json"
    return data.exists() and json.loads(data.read_text()).get("cellproof", {}).get("expect") == "refuse"


def refusal_test(directory: pathlib.Path):
    def test(self: unittest.TestCase) -> None:
        model = (directory / "model.onnx").read_bytes()
        files = sorted((directory / "test_data_set_0").glob("input_*.pb"), key=lambda f: int(re.findall(r"\d+", f.name)[0]))
        inputs = [numpy_helper.to_array(onnx.load_tensor(f)) for f in files]
        with self.assertRaises(Exception, msg=f"{directory} was accepted"):  # noqa: B017 (any refusal will do)
            Session(model).run(inputs)

    return test


def find(roots: list[str]) -> dict[str, pathlib.Path]:
    """Test name -> directory."""
    found = {}
    for root in roots:
        for model in sorted(pathlib.Path(root).rglob("model.onnx")):
            if any(part.startswith(".") for part in model.relative_to(root).parts):
                continue
            below = model.parent.relative_to(root)
            stem = "test_" + re.sub(r"\W+", "_", str(below) if below.parts else model.parent.resolve().name)
            name = stem
            for number in itertools.count(2):
                if name not in found:
                    break
                name = f"{stem}_{number}"
            found[name] = model.parent.resolve()
    return found


def accepted_tests(directories: dict[str, pathlib.Path], workspace: pathlib.Path) -> unittest.TestSuite:
    """ONNX's loader and runner, given our directories in place of the models that its wheel holds."""
    kind = workspace / "simple"
    kind.mkdir()
    for name, directory in directories.items():
        (kind / name).symlink_to(directory, target_is_directory=True)
    onnx_runner.load_model_tests = lambda kind: load_model_tests(str(workspace), kind) if kind == "simple" else []
    suite = unittest.TestSuite()
    for case in onnx_runner.Runner(OnnxRuntimeBackend, __name__).test_cases.values():
        # The runner makes a test for each device it knows; ours is the CPU.
        suite.addTests(case(name) for name in unittest.defaultTestLoader.getTestCaseNames(case) if name.endswith("_cpu"))
    return suite


class Verdict(unittest.TestResult):
    """One test's: passed, skipped, wrong (an assertion failed) or error (anything else was raised), with the reason."""

    kind, reason = "passed", ""

    def addSkip(self, test, reason):
        self.kind, self.reason = "skipped", reason

    def addFailure(self, test, err):
        self._failed("wrong", err)

    def addError(self, test, err):
        self._failed("error", err)

    def _failed(self, kind, err):
        traceback.print_exception(*err)
        self.kind, self.reason = kind, " ".join(str(err[1]).split())[:200]


def run_apart(test: unittest.TestCase) -> tuple[str, str]:
    """Kind and reason of a test's verdict, run in a process of its own."""
    ours, its = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            verdict = Verdict()
            test.run(verdict)
            with os.fdopen(its, "w") as pipe:
                json.dump([verdict.kind, verdict.reason], pipe)
        finally:
            os._exit(0)
    os.close(its)
    with os.fdopen(ours) as pipe:
        said = pipe.read()
    _, status = os.waitpid(child, 0)
    if said and status == 0:
        return tuple(json.loads(said))
    return "crashed", signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else f"it exited with {os.WEXITSTATUS(status)}"


def each_test(suite: unittest.TestSuite) -> Iterator[unittest.TestCase]:
    for test in suite:
        yield from each_test(test) if isinstance(test, unittest.TestSuite) else [test]


def main(roots: list[str]) -> int:
    directories = find(roots)
    if not directories:
        print("no directory with a model.onnx in it, expected at least one below: " + " ".join(roots or ["(none given)"]), file=sys.stderr)
        return 2
    refused = {name: d for name, d in directories.items() if must_be_refused(d)}
    with tempfile.TemporaryDirectory() as workspace:
        suite = accepted_tests({n: d for n, d in directories.items() if n not in refused}, pathlib.Path(workspace))
        refusals = type("Refusals", (unittest.TestCase,), {name: refusal_test(d) for name, d in refused.items()})
        suite.addTests(unittest.defaultTestLoader.loadTestsFromTestCase(refusals))
        verdicts = [(test, *run_apart(test)) for test in each_test(suite)]
    for test, kind, reason in verdicts:
        if kind != "passed":
            print(f"{kind} {test}: {reason}")
    passed, skipped = (sum(kind == each for _, kind, _ in verdicts) for each in ("passed", "skipped"))
    failed = len(verdicts) - passed - skipped
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
