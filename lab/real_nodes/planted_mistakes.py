"""Has an engine with one mistake answer for the nodes of a model of a real one's size, and shows what `check` says.

    python3 lab/real_nodes/planted_mistakes.py WORK --cellproof build/full/bin/cellproof     # needs numpy and onnx

The model has two bidirectional LSTMs of 128 units over 40 steps of three rows that end at different steps. The second has peepholes.
The engines are those of python/tests/lstm.py, one for each mistake; ONNX Runtime records what comes to each node.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import time

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "python/tests")]
from lstm import MISTAKES  # noqa: E402

STEPS, ROWS, UNITS = 40, 3, 128


def weights(rng: np.random.Generator, name: str, columns: int, peepholes: bool) -> list[onnx.TensorProto]:
    """Tensors as a trained layer has them, by size."""
    shapes = {"W": (2, 4 * UNITS, columns), "R": (2, 4 * UNITS, UNITS), "B": (2, 8 * UNITS)}
    if peepholes:
        shapes["P"] = (2, 3 * UNITS)
    return [numpy_helper.from_array((rng.standard_normal(shape) * 1.5 / UNITS**0.5).astype(np.float32), name + key) for key, shape in shapes.items()]


def two_layers() -> onnx.ModelProto:
    rng = np.random.default_rng(1)
    states = [numpy_helper.from_array(rng.standard_normal((2, ROWS, UNITS)).astype(np.float32), name) for name in ("h", "c")]
    first = helper.make_node("LSTM", ["x", "1W", "1R", "1B", "lens", "h", "c"], ["Y1"], "first", direction="bidirectional", hidden_size=UNITS)
    options = {"direction": "bidirectional", "hidden_size": UNITS}
    second = helper.make_node("LSTM", ["x2", "2W", "2R", "2B", "lens", "h", "c", "2P"], ["Y2", "Y_h", "Y_c"], "second", **options)
    joined = [
        helper.make_node("Transpose", ["Y1"], ["turned"], perm=[0, 2, 1, 3]),
        helper.make_node("Reshape", ["turned", "flat"], ["x2"]),
    ]
    flat = numpy_helper.from_array(np.array([0, 0, -1], np.int64), "flat")
    inputs = [
        helper.make_tensor_value_info("x", TensorProto.FLOAT, ["T", ROWS, UNITS]),
        helper.make_tensor_value_info("lens", TensorProto.INT32, [ROWS]),
    ]
    outputs = [helper.make_empty_tensor_value_info(name) for name in ("Y2", "Y_h", "Y_c")]
    tensors = [*weights(rng, "1", UNITS, False), *weights(rng, "2", 2 * UNITS, True), *states, flat]
    graph = helper.make_graph([first, *joined, second], "two_layers", inputs, outputs, tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)], ir_version=8)


def worker(mistake: str, folder: pathlib.Path) -> str:
    """A command that runs the engine."""
    file = folder / "worker.py"
    paths = [str(ROOT / "python"), str(ROOT / "python/tests")]
    file.write_text(f"import sys\nsys.path[:0] = {paths!r}\nimport cellproof\nfrom lstm import Lstm\ncellproof.worker(Lstm(mistake={mistake!r}))\n")
    return f"wrong={sys.executable} {file}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--cellproof", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    model = arguments.work / "model.onnx"
    model.write_bytes(two_layers().SerializeToString())
    x = np.random.default_rng(2).standard_normal((STEPS, ROWS, UNITS)).astype(np.float32)
    np.savez(arguments.work / "inputs.npz", x=x, lens=np.array([STEPS, 30, 11], np.int32))
    print("| mistake | node | verdict | first step | named | s |\n| --- | --- | --- | --- | --- | --- |")
    for mistake in ("", *(m for m in MISTAKES if not m.startswith(("clip", "input_forget")))):  # of attributes that it does not have
        command = [arguments.cellproof, "check", model, "--inputs", arguments.work / "inputs.npz", "--engine", worker(mistake, arguments.work), "--json", "-"]
        begin = time.monotonic()
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
        seconds = time.monotonic() - begin
        for line in done.stdout.splitlines():
            node = json.loads(line)
            if node["node"] is None or (node["verdict"] == "CONFORMS" and mistake):
                continue
            first = node["first"] or {}
            print(f"| {mistake or 'none'} | {node['node']} | `{node['verdict']}` | {first.get('step', '')} | {' '.join(node['fault'][:2])} | {seconds:.1f} |")


if __name__ == "__main__":
    main()
