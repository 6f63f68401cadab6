"""Computes exported nodes with onnxruntime, once with their lengths and once without, and compares with the outputs beside them.

    python3 lab/real_nodes/confirm_lengths.py FOLDER     # needs onnx and onnxruntime; FOLDER is one that `check --export` wrote for an engine

Cellproof takes no part. A node that ignores lengths differs from the first answer and equals the second, but for rounding.
"""

import argparse
import pathlib

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper

LENGTHS = 4  # the node's input


def tensors(folder: pathlib.Path, kind: str) -> list[np.ndarray]:
    """The tensors of a data set, in the graph's order."""
    count = len(list(folder.glob(f"{kind}_*.pb")))
    return [numpy_helper.to_array(onnx.load_tensor(str(folder / f"{kind}_{k}.pb"))) for k in range(count)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    arguments = parser.parse_args()
    print("| node | elements | largest difference from onnxruntime | from onnxruntime without lengths |\n| --- | --- | --- | --- |")
    for case in sorted(path.parent for path in arguments.folder.glob("*/model.onnx")):
        model = onnx.load(case / "model.onnx")
        name = model.graph.node[-1].input[LENGTHS]
        steps = model.graph.node[-1].input[0]
        given = dict(zip((value.name for value in model.graph.input), tensors(case / "test_data_set_0", "input"), strict=True))
        seen = tensors(case / "test_data_set_0", "output")
        session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
        apart = []
        for lengths in (given[name], np.full_like(given[name], given[steps].shape[0])):
            computed = session.run(None, {**given, name: lengths})
            apart.append(max(float(np.abs(a - b).max()) for a, b in zip(computed, seen, strict=True)))
        print(f"| {case.name} | {sum(output.size for output in seen)} | {apart[0]:.3g} | {apart[1]:.3g} |", flush=True)


if __name__ == "__main__":
    main()
