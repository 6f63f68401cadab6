"""`--engine backend:PACKAGE.MODULE`: its worker's parts, and the program with ONNX Runtime's backend and one of our own."""

import json
import os
import subprocess
import sys
import textwrap
import unittest

import numpy as np
import onnx.backend.base
import pytest
from lstm import Lstm

import cellproof
from cellproof import _backend, _program


class Prepared(onnx.backend.base.BackendRep):
    def __init__(self, model):
        self.model = model

    def run(self, inputs, **options):
        names = [i.name for i in self.model.graph.input]
        problem = cellproof.Problem(self.model.SerializeToString(), dict(zip(names, inputs)), [o.name for o in self.model.graph.output])
        outputs = Lstm()(problem)
        return tuple(outputs[name] for name in problem.outputs)


class Numpy(onnx.backend.base.Backend):
    """A backend of a class."""

    @classmethod
    def is_compatible(cls, model, device="CPU", **options):
        return model.graph.node[-1].op_type == "LSTM"

    @classmethod
    def prepare(cls, model, device="CPU", **options):
        if any(a.name == "layout" for a in model.graph.node[-1].attribute):
            raise unittest.SkipTest("no layout")
        return Prepared(model)

    @classmethod
    def supports_device(cls, device):
        return device == "CPU"


def test_finds_modules_and_classes():
    import onnxruntime.backend

    assert _backend.backend_of("onnxruntime.backend") is onnxruntime.backend
    assert _backend.backend_of(__name__) is Numpy and _backend.backend_of(__name__ + ".Numpy") is Numpy
    for name in ("no.such", "json", __name__ + ".Missing", "onnx.nothing"):
        with pytest.raises(ImportError):
            _backend.backend_of(name)


def test_runs_and_tells_gaps_from_refusals():
    run = _backend.run_of(Numpy, "CPU")
    plain = "cellproof-case/1 op=LSTM-22 type=float T=2 N=1 I=2 H=3"
    assert cellproof.judge_callable(run, plain).verdict == "CONFORMS"
    for line, why in {plain + " layout=1": "no layout", plain.replace("LSTM", "GRU"): "not compatible"}.items():
        gap = cellproof.judge_callable(run, line)
        assert gap.outcome == "NOT_SUPPORTED" and why in str(gap)
    refused = cellproof.judge_callable(_backend.run_of(_backend.backend_of("onnxruntime.backend"), "CPU"), plain + " hidden_size=4")
    assert refused.outcome in ("REJECTED", "NOT_SUPPORTED")


def run_program(tmp_path, *arguments):
    environment = {**os.environ, "CELLPROOF_ENGINE_PYTHON": sys.executable}
    command = [_program.program_path(), "run", *arguments, "-o", str(tmp_path / "run"), "--explain", "0"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    store = tmp_path / "run/findings.jsonl"
    findings = [json.loads(line) for line in store.read_text().splitlines()] if store.exists() else []
    return done, findings


def test_the_program_takes_onnxruntime_through_its_backend(tmp_path):
    _, findings = run_program(tmp_path, "--suite", "onnx-backend", "--engine", "backend:onnxruntime.backend")
    assert {f["engine"] for f in findings} == {"onnxruntime.backend"} and len(findings) >= 18
    assert [f["case_name"] for f in findings if not f["pass"]] == []
    assert sum(f["judgement"]["verdict"] == "CONFORMS" for f in findings) >= 15


def test_a_mistake_behind_a_backend_is_found(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(
        textwrap.dedent(
            """
            import onnxruntime.backend

            __version__ = "0.1"

            class Wrong:
                def __init__(self, inner):
                    self.inner = inner
                def run(self, inputs):
                    return [y * 1.001 for y in self.inner.run(inputs)]

            def prepare(model, device="CPU"):
                return Wrong(onnxruntime.backend.prepare(model, device))
            """
        )
    )
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    done, findings = run_program(tmp_path, "--suite", "onnx-backend", "--engine", "backend:mine")
    assert done.returncode == 1 and "mine 0.1" in done.stdout
    assert sum(f["judgement"]["verdict"] in ("DIVERGES", "PRECISION", "SUSPECT") for f in findings) >= 15


def test_what_is_no_backend_is_absent(tmp_path):
    done, _ = run_program(tmp_path, "--suite", "onnx-backend", "--engine", "backend:json")
    assert done.returncode == 77 and "it is no ONNX backend" in done.stderr + done.stdout


def test_a_missing_numpy_is_named(tmp_path):
    """An engine's Python may have nothing: `-S` leaves out its packages."""
    (tmp_path / "bare").mkdir()
    (tmp_path / "bare/mine.py").write_text("def prepare(model, device): ...\n")
    worker = [sys.executable, "-S", _backend.__file__, "mine"]
    done = subprocess.run(worker, capture_output=True, text=True, env={"PYTHONPATH": str(tmp_path / "bare")}, check=False)
    assert done.returncode == 77 and "No module named" in done.stderr and len(done.stderr.splitlines()) == 1, done.stderr
