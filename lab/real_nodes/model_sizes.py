"""Measures time and memory of `cellproof check MODEL` over the model's size.

    python3 lab/real_nodes/model_sizes.py WORK --cellproof build/full/bin/cellproof [--megabytes 1,100,900]     # needs numpy and onnx

A model is a chain of bidirectional LSTMs, each with 25 MB of weights or, where that is too much, the size that is asked for. ONNX Runtime runs it.
"""

import argparse
import pathlib
import re
import subprocess
import time

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

STEPS = 4
LARGEST = 512  # units of a node


def chain(megabytes: float) -> onnx.ModelProto:
    """A model of about this size, every node with the same number of units and inputs."""
    floats = megabytes * 1e6 / 4
    units = min(LARGEST, int((floats / 24) ** 0.5))  # 2 directions, 4 gates, 2 * units inputs and units of its own state
    count = max(1, round(floats / (24 * units * units)))
    rng = np.random.default_rng(1)
    nodes, tensors = [], [numpy_helper.from_array(np.array([0, 0, -1], np.int64), "flat")]
    for k in range(count):
        for name, columns in (("W", 2 * units), ("R", units)):
            values = (rng.standard_normal((2, 4 * units, columns), np.float32) / np.float32(columns) ** np.float32(0.5)).astype(np.float32)
            tensors.append(numpy_helper.from_array(values, f"{name}{k}"))
        nodes.append(helper.make_node("LSTM", [f"x{k}", f"W{k}", f"R{k}"], [f"Y{k}"], f"layer{k}", direction="bidirectional", hidden_size=units))
        nodes.append(helper.make_node("Transpose", [f"Y{k}"], [f"turned{k}"], perm=[0, 2, 1, 3]))
        nodes.append(helper.make_node("Reshape", [f"turned{k}", "flat"], [f"x{k + 1}"]))
    given = helper.make_tensor_value_info("x0", TensorProto.FLOAT, [STEPS, 1, 2 * units])
    graph = helper.make_graph(nodes, "chain", [given], [helper.make_empty_tensor_value_info(f"x{count}")], tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)], ir_version=8)


def processes_of(first: int) -> list[int]:
    """A process and all below it."""
    below = []
    for file in pathlib.Path(f"/proc/{first}/task").glob("*/children"):
        try:
            below += [int(child) for child in file.read_text().split()]
        except OSError:  # it has ended
            pass
    return [first] + [process for child in below for process in processes_of(child)]


def peaks(command: list) -> tuple[str, float, int, int]:
    """Runs cellproof. Returns what it prints, its seconds, and the most MiB of its own process and of any below it (VmHWM, looked at all the time)."""
    begin = time.monotonic()
    own, below = 0, 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as run:
        while run.poll() is None:
            for process in processes_of(run.pid):
                try:
                    found = re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{process}/status").read_text())
                except OSError:
                    continue
                kib = int(found[1]) if found else 0
                own, below = (max(own, kib), below) if process == run.pid else (own, max(below, kib))
            time.sleep(0.005)
        return run.stdout.read(), time.monotonic() - begin, own // 1024, below // 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--cellproof", type=pathlib.Path, required=True)
    parser.add_argument("--megabytes", default="1,100,900")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    print("| MB | nodes that conform | s | MiB of cellproof | MiB of the engine |\n| --- | --- | --- | --- | --- |", flush=True)
    for megabytes in map(float, arguments.megabytes.split(",")):
        file = arguments.work / f"{megabytes:g}.onnx"
        if not file.exists():
            file.write_bytes(chain(megabytes).SerializeToString())
        printed, seconds, own, engine = peaks([arguments.cellproof, "check", file])
        print(f"| {file.stat().st_size / 1e6:.0f} | {printed.count('CONFORMS')} | {seconds:.1f} | {own} | {engine} |", flush=True)


if __name__ == "__main__":
    main()
