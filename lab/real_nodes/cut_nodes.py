"""Cuts the recurrent nodes out of the models in Python wheels, and lets each give its last states alone.

    python3 -m venv env && env/bin/pip install onnxruntime==1.32.0 onnx
    env/bin/python lab/real_nodes/cut_nodes.py WHEELS CASES     # WHEELS: what `pip download --no-deps` has brought
    ./cellproof check CASES

Each model runs as a whole on drawn inputs; what comes to a node there is what its cut gets. The outputs are ONNX Runtime's. A line for each node
says what was made of it. Nodes inside of If or Loop are not looked for.
"""

import argparse
import pathlib
import re
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper
from wheels import models_in

RECURRENT = {"LSTM", "GRU", "RNN", "DynamicQuantizeLSTM"}
WITH_CELLS = {"LSTM", "DynamicQuantizeLSTM"}
WEIGHTS = {1, 2, 3, 7, 8, 9, 10, 11}  # positions of what stays an initializer: W, R, B, P, scales and zero points


def session_of(model: onnx.ModelProto) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def drawn(session: onnxruntime.InferenceSession, steps: int, steps_first: bool, rng: np.random.Generator) -> dict:
    """Inputs of a model: a dimension without a size is one row, or `steps`."""
    values = {}
    for given in session.get_inputs():
        shape = [d if isinstance(d, int) and d > 0 else (1 if (k == 0) != steps_first else steps) for k, d in enumerate(given.shape)]
        if "int" in given.type:
            kind = np.int64 if "int64" in given.type else np.int32
            values[given.name] = rng.integers(1, 8, shape).astype(kind)
        else:
            values[given.name] = (rng.normal(size=shape) * 0.3).astype(np.float32)
    return values


def what_comes_to(model: onnx.ModelProto, nodes: list[onnx.NodeProto], known: dict, steps: int) -> dict:
    """Values of the tensors that nodes take, in the run of the whole model in which they have most steps."""
    tapped = onnx.ModelProto()
    tapped.CopyFrom(model)
    seen = known.keys() | {value.name for value in [*model.graph.input, *model.graph.output]}
    names = dict.fromkeys(name for node in nodes for name in node.input if name and name not in seen)
    tapped.graph.output.extend(helper.make_empty_tensor_value_info(name) for name in names)
    session, runs, failure = session_of(tapped), [], None
    # Nobody says which dimension counts the steps.
    for steps_first in [True, False]:
        values = drawn(session, steps, steps_first, np.random.default_rng(1))
        try:
            outputs = session.run(None, values)
        except Exception as error:  # ONNX Runtime's are of many types
            failure = error
            continue
        runs.append({**known, **values, **dict(zip([output.name for output in session.get_outputs()], outputs))})
    if not runs:
        raise failure
    return max(runs, key=lambda run: run[nodes[0].input[0]].shape[0])


def cut_of(model: onnx.ModelProto, node: onnx.NodeProto, values: dict) -> tuple[onnx.ModelProto, dict]:
    """A model of the node alone, which gives its last states and no Y, and its inputs."""
    alone = onnx.NodeProto()
    alone.CopyFrom(node)
    outputs = ["", "last_h"] + (["last_c"] if node.op_type in WITH_CELLS else [])
    del alone.output[:]
    alone.output.extend(outputs)
    weights = {name for position, name in enumerate(node.input) if name and position in WEIGHTS}
    inputs = {name: np.ascontiguousarray(values[name]) for name in dict.fromkeys(node.input) if name and name not in weights}
    graph = helper.make_graph(
        [alone],
        "cut",
        [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape) for name, value in inputs.items()],
        [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None) for name in outputs if name],
        [numpy_helper.from_array(np.ascontiguousarray(values[name]), name) for name in sorted(weights)],
    )
    cut = helper.make_model(graph, opset_imports=list(model.opset_import))
    cut.ir_version = min(model.ir_version, 10)
    return cut, inputs


def write_case(folder: pathlib.Path, cut: onnx.ModelProto, inputs: dict) -> None:
    """The cut as a backend test, with ONNX Runtime's outputs."""
    outputs = session_of(cut).run(None, inputs)
    data = folder / "test_data_set_0"
    data.mkdir(parents=True)
    onnx.save(cut, str(folder / "model.onnx"))
    for k, (name, value) in enumerate(inputs.items()):
        (data / f"input_{k}.pb").write_bytes(numpy_helper.from_array(value, name).SerializeToString())
    for k, (output, value) in enumerate(zip(cut.graph.output, outputs)):
        (data / f"output_{k}.pb").write_bytes(numpy_helper.from_array(value, output.name).SerializeToString())


def cut_model(name: str, data: bytes, cases: pathlib.Path, steps: int) -> None:
    model = onnx.load_from_string(data)
    nodes = [node for node in model.graph.node if node.op_type in RECURRENT]
    if not nodes:
        return
    known = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    try:
        known = what_comes_to(model, nodes, known, steps)
    except Exception as error:
        print(f"{name}: not run: {str(error).splitlines()[0][:120]}")
        return
    for k, node in enumerate(nodes):
        folder = cases / (re.sub(r"[^A-Za-z0-9.]+", "_", name) + f"_{k}")
        cut, inputs = cut_of(model, node, known)
        write_case(folder, cut, inputs)
        print(f"{folder.name}: {node.op_type}, X {list(known[node.input[0]].shape)}, R {list(known[node.input[2]].shape)}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("wheels", type=pathlib.Path)
    parser.add_argument("cases", type=pathlib.Path)
    parser.add_argument("--steps", type=int, default=40, help="size of a dimension that a model leaves open (default: 40)")
    arguments = parser.parse_args()
    wheels = sorted(arguments.wheels.glob("*.whl"))
    if not wheels:
        print(f"cut_nodes: {arguments.wheels}: expected wheels, found none", file=sys.stderr)
        return 2
    for wheel in wheels:
        for name, data in models_in(wheel):
            cut_model(wheel.name.split("-")[0] + "/" + pathlib.PurePath(name).name.removesuffix(".onnx"), data, arguments.cases, arguments.steps)
    return 0


if __name__ == "__main__":
    sys.exit(main())
