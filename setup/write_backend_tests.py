"""Writes ONNX's own node tests for LSTM, GRU and RNN as backend-test directories: write_backend_tests.py DIRECTORY.

ONNX keeps these tests as code that makes models and data in memory; its wheel holds no files of them. Each becomes
DIRECTORY/test_NAME/ with model.onnx, data.json (rtol and atol) and test_data_set_0/{input,output}_N.pb.
"""

import json
import pathlib
import sys

import numpy as np
import onnx
from onnx import numpy_helper

# Importing one of these modules is what registers its tests. The loader of all node tests would do, too, but takes twenty times as long.
from onnx.backend.test.case.node import _NodeTestCases, gru, lstm, rnn  # noqa: F401

EXPECTED = 18
RECURRENT = {"LSTM", "GRU", "RNN"}


def write_tensor(path: pathlib.Path, value: np.ndarray | onnx.TensorProto, name: str) -> None:
    tensor = value if isinstance(value, onnx.TensorProto) else numpy_helper.from_array(np.asarray(value), name)
    path.write_bytes(tensor.SerializeToString(deterministic=True))


def write_test(directory: pathlib.Path, test) -> None:
    directory.mkdir(parents=True)
    (directory / "model.onnx").write_bytes(test.model.SerializeToString(deterministic=True))
    (directory / "data.json").write_text(json.dumps({"rtol": test.rtol, "atol": test.atol}) + "\n")
    for number, (inputs, outputs) in enumerate(test.data_sets):
        data_set = directory / f"test_data_set_{number}"
        data_set.mkdir()
        for kind, values, infos in (("input", inputs, test.model.graph.input), ("output", outputs, test.model.graph.output)):
            if len(values) != len(infos):
                sys.exit(f"{test.name}: {len(values)} {kind} tensors for {len(infos)} graph {kind}s")
            for position, (value, info) in enumerate(zip(values, infos)):
                write_tensor(data_set / f"{kind}_{position}.pb", value, info.name)


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__.splitlines()[0])
    root = pathlib.Path(sys.argv[1])
    tests = [t for t in _NodeTestCases if {n.op_type for n in t.model.graph.node} <= RECURRENT]
    if len(tests) != EXPECTED or len({t.name for t in tests}) != EXPECTED:
        sys.exit(f"ONNX {onnx.__version__} has {len(tests)} recurrent node tests; {EXPECTED} were expected")
    for test in tests:
        write_test(root / test.name, test)
    written = len(list(root.glob("test_*/model.onnx")))
    if written != EXPECTED:
        sys.exit(f"{written} tests were written; {EXPECTED} were expected")
    print(f"{written} tests written")


if __name__ == "__main__":
    main()
