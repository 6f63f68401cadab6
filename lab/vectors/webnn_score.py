#!/usr/bin/env python3
"""Counts the faults that WebNN's conformance tests find, and the honest outputs that they call wrong.

    .deps/onnx-backend-runner/bin/python lab/vectors/webnn_score.py VECTORS [--zoo DIR]

VECTORS is the folder of `cellproof vectors -o`, DIR that of `cellproof lab vectors zoo -o`. A fault is one of the catalogue that is a change of a
node's arrays, functions or outputs (webnn_faults.py), computed from WebNN's formulas in float64. Names the survivors. Exit code: 1 where an honest
output fails, otherwise 0.
"""

import argparse
import json
import pathlib
import sys

import numpy as np

from webnn import fails, node_of, read_tests
from webnn_faults import faults


def print_faults(operation, tests, tolerances, catalogue):
    nodes = [(test, tolerances[test["name"]], node_of(operation, test["graph"])) for test in tests]
    planted = faults(operation, catalogue)
    survivors = [name for name, fault in planted.items() if not any(fails(test, tolerance, fault(node)) for test, tolerance, node in nodes)]
    print(f"{operation}: {len(tests)} tests kill {len(planted) - len(survivors)} of {len(planted)} faults; these survive:")
    print("  " + " ".join(survivors))


def outputs_of(operation, test, arrays):
    """What a style gave for a test's vector, by WebNN's names."""
    onnx = {f"{operation}Output": "Y_h", f"{operation}Cell": "Y_c", f"{operation}Sequence": "Y"}
    return {name: arrays[f"{test['name']}/{onnx[name]}"] for name in test["graph"]["expectedOutputs"]}


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("vectors", type=pathlib.Path)
    arguments.add_argument("--zoo", type=pathlib.Path)
    chosen = arguments.parse_args()
    catalogue = json.loads((chosen.vectors / "vectors.json").read_text(encoding="utf-8"))["faults"]
    files = {operation: read_tests(chosen.vectors, operation) for operation in ("lstm", "gru")}
    for operation, (tests, tolerances) in files.items():
        print_faults(operation, tests, tolerances, catalogue)
    if not chosen.zoo:
        return 0
    judged = [
        fails(test, tolerances[test["name"]], outputs_of(operation, test, arrays))
        for arrays in map(np.load, sorted(chosen.zoo.glob("*.npz")))
        for operation, (tests, tolerances) in files.items()
        for test in tests
    ]
    print(f"honest styles: {len(judged)} tests run, {sum(judged)} failed")
    return 1 if any(judged) or not judged else 0


if __name__ == "__main__":
    sys.exit(main())
