"""Cellproof worker for OpenVINO's CPU plugin: python openvino_worker.py f32|bf16. Needs the package openvino.

f32 asks it to compute float tensors in float. bf16 leaves it its default, which rounds to bfloat16 where the processor has instructions for it; elsewhere the
engine is absent.
"""

from __future__ import annotations

import pathlib
import re
import sys
from typing import Any, List

if __name__ == "__main__":
    sys.path[0] = str(pathlib.Path(__file__).resolve().parents[2])  # in place of this file's own folder, whose names are not for others

import cellproof  # before numpy: it sets the number of threads
import numpy as np
from cellproof._tensors import BFLOAT16, dtype_of

CONTRACTS = {"f32": None, "bf16": "f32-in-bf16"}
# What OpenVINO says of what it lacks, in its own sentences. Everything else refuses this very model, "unsupported reorder case" (it is lost inside) among it.
FUNCTIONS = "affine|elu|hardsigmoid|leakyrelu|scaledtanh|softplus|softsign|thresholdedrelu"
GAPS = re.compile(
    r"peephole input 'P' is not supported\.|Unsupported activation function$|Unknown activation function: (?:" + FUNCTIONS + r")$"
    r"|OpenVINO does not support the following ONNX operations",
    re.MULTILINE,
)
THROWN = re.compile(r"^(\[\w+\]) END: node: (\S+) .*CALLBACK HAS THROWN: ")


def main(precision: str) -> None:
    try:
        import openvino
    except ImportError as error:
        cellproof.absent(f"openvino: {error} (in {sys.executable})")
    core = openvino.Core()
    options = {"INFERENCE_NUM_THREADS": 1}
    if precision == "f32":
        options["INFERENCE_PRECISION_HINT"] = "f32"
    elif "BF16" not in core.get_property("CPU", "OPTIMIZATION_CAPABILITIES"):
        cellproof.absent("this processor has no instructions for bfloat16, so OpenVINO computes float tensors in float")

    def run(problem: cellproof.Problem) -> List[Any]:
        try:
            compiled = core.compile_model(core.read_model(problem.model), "CPU", options)
        except RuntimeError as error:
            raise refusal(error) from error
        problem.prepared()
        taken = {name for port in compiled.inputs for name in port.names}  # what its result does not rest on is no input any more
        try:
            results = compiled({name: array for name, array in problem.inputs.items() if name in taken})
        except RuntimeError as error:  # it has taken the model: nothing is lacking
            raise RuntimeError(_reason(error)) from error
        return [of_its_type(results[k], compiled.outputs[k].element_type.get_type_name()) for k in range(len(problem.outputs))]

    version = openvino.__version__.split("-")[0]
    cellproof.worker(run, name="openvino", version=version, contract=CONTRACTS[precision], fork=True)


def of_its_type(array: np.ndarray, type_name: str) -> np.ndarray:
    """OpenVINO hands out bfloat16 as numpy's float16, which has as many bits."""
    return array.view(dtype_of(BFLOAT16)) if type_name == "bf16" else array


def refusal(error: Exception) -> Exception:
    """NotSupported where it names what it lacks; otherwise what refuses the model."""
    return (cellproof.NotSupported if GAPS.search(str(error)) else RuntimeError)(_reason(error))


def _reason(error: Exception) -> str:
    """The last line with words, but for the summary of a failed conversion: those before it say in which source OpenVINO raised it. Of a failed
    transformation the node's number and shapes are left out, which differ from case to case."""
    lines = [line.strip() for line in str(error).split("\nSummary:")[0].splitlines() if line.strip()]
    return THROWN.sub(r"\1 of \2: ", lines[-1]) if lines else type(error).__name__


if __name__ == "__main__":
    main(*sys.argv[1:])
