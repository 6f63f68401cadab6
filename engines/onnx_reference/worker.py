"""Cellproof worker for ONNX's own reference evaluator. Needs the package onnx."""

import pathlib
import sys
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))

import cellproof
import onnx
from onnx.reference import ReferenceEvaluator

# What the evaluator says of operators and versions that it does not have; everything else is a refusal of this very model.
GAPS = ("No implementation for operator", "No registered implementation")


def run(problem):
    try:
        evaluator = ReferenceEvaluator(onnx.ModelProto.FromString(problem.model))
        problem.prepared()
        return evaluator.run(problem.outputs, problem.inputs)
    except Exception as error:
        if any(sign in str(error) for sign in GAPS):
            raise cellproof.NotSupported(f"{type(error).__name__}: {error}") from error
        raise


warnings.simplefilter("once")  # numpy's overflow warnings go to the log, each once
cellproof.worker(run, name="onnx-reference", version=onnx.__version__)
