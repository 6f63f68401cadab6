"""What ONNX Runtime makes of a small model for each cause that a run of suite ci names: python onnxruntime_causes.py. Needs onnx and onnxruntime; knows nothing of Cellproof.

Each model runs in two processes, whose fresh memory glibc fills otherwise (MALLOC_PERTURB_). Prints what the page gives, computed here, and what both processes answer.
"""

import os
import subprocess
import sys

import numpy as np
from onnx import TensorProto, helper

NAN, INF = float("nan"), float("inf")
TYPES = {np.dtype(np.float32): TensorProto.FLOAT, np.dtype(np.uint8): TensorProto.UINT8, np.dtype(np.int32): TensorProto.INT32}


def model(op, inputs, outputs, domain="", fixed=(), **attributes):
    """A node of the given arrays (None: absent); those at the positions `fixed` are initializers."""
    names = [f"i{k}" if array is not None else "" for k, array in enumerate(inputs)]
    given = {f"i{k}": array for k, array in enumerate(inputs) if array is not None}
    kept = {f"i{k}" for k in fixed}
    values = [helper.make_tensor_value_info(name, TYPES[array.dtype], array.shape) for name, array in given.items() if name not in kept]
    tensors = [helper.make_tensor(name, TYPES[given[name].dtype], given[name].shape, given[name].tobytes(), raw=True) for name in sorted(kept)]
    returned = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs if name]
    graph = helper.make_graph([helper.make_node(op, names, outputs, domain=domain, **attributes)], "g", values, returned, tensors)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22), helper.make_opsetid("com.microsoft", 1)], ir_version=10)
    return made.SerializeToString(), {name: array for name, array in given.items() if name not in kept}


def full(shape, value=0.0, dtype=np.float32):
    return np.full(shape, value, dtype)


def plain(op, x, w=1.0, bias=None, steps=1, rows=1, outputs=("Y",), lengths=None, fixed=(), **attributes):
    """One input and one unit; every weight is `w`, and R is 0."""
    gates = {"LSTM": 4, "GRU": 3, "RNN": 1}[op]
    B = None if bias is None else full((1, 2 * gates), bias)
    X = full((steps, rows, 1), x)
    inputs = [X, full((1, gates, 1), w), full((1, gates, 1)), B, lengths]
    return model(op, inputs, list(outputs), fixed=fixed, hidden_size=1, **attributes)


def quantised(steps=1, rows=1, outputs=("Y",), lengths=None, by_column=False, state=None):
    """Weights (100 - 90) * 0.01 = 0.1 for X, and 0.1 for the state; with `by_column` both directions, and scales by column."""
    both = 2 if by_column else 1
    scale = full((2, 4) if by_column else (both,), 0.01)
    weights, zero = full((both, 1, 4), 100, np.uint8), full((both,), 90, np.uint8)
    h = None if state is None else full((both, rows, 1), state)
    inputs = [full((steps, rows, 1), 1.0), weights, weights, None, lengths, h, None, None, scale, zero, scale, zero]
    more = {"direction": "bidirectional"} if by_column else {}
    return model("DynamicQuantizeLSTM", inputs, list(outputs), "com.microsoft", (1, 2, 8, 9, 10, 11), hidden_size=1, **more)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def lstm_of(a):
    """Y of one step from no state where every gate's argument is `a`."""
    return sigmoid(a) * np.tanh(sigmoid(a) * np.tanh(a))


NO_ROWS = full((0,), 0, np.int32)
AFFINE_AS_G = ["Sigmoid", "Affine", "Tanh"]
# cause, what the page gives, model
CASES = [
    ("thresholded-relu-default-zero", "Y = 0, as 0.5 is not above ThresholdedRelu's default alpha of 1", lambda: plain("RNN", 0.5, activations=["ThresholdedRelu"])),
    ("softplus-overflows", "Y = log(1 + e^100) = 100", lambda: plain("RNN", 100.0, activations=["Softplus"])),
    ("nan-clipped-with-bias", "Y = nan", lambda: plain("LSTM", NAN, bias=0.0)),
    ("the same without B", "Y = nan", lambda: plain("LSTM", NAN)),
    ("the same with Affine as g", "Y = nan", lambda: plain("LSTM", NAN, bias=0.0, activations=AFFINE_AS_G)),
    ("infinity without B, Relu as g", "Y_c = inf", lambda: plain("LSTM", INF, activations=["Sigmoid", "Relu", "Tanh"], outputs=("", "", "Y_c"))),
    ("Affine of -inf without alpha", "Y = nan", lambda: plain("LSTM", -INF, activations=["Affine", "Tanh", "Tanh"])),
    ("subnormal numbers", "Y = 1e-40", lambda: plain("RNN", 1e-40, activations=["Relu"])),
    ("memory, LSTM without steps", "Y_c = 0", lambda: plain("LSTM", 1.0, steps=0, outputs=("", "", "Y_c"))),
    ("memory, DynamicQuantizeLSTM without steps", "Y_c = 0", lambda: quantised(steps=0, outputs=("", "", "Y_c"))),
    ("memory, DynamicQuantizeLSTM, lengths 2 and 0", "the same of both, and 0 of the second row", lambda: quantised(2, 2, ("", "Y_h", "Y_c"), np.array([2, 0], np.int32))),
    ("zero-point-behind-the-last", f"Y = {lstm_of(0.1 + 0.1 * 0.5):.4f} for both directions", lambda: quantised(by_column=True, state=0.5)),
    ("crash, LSTM without rows", "an empty Y", lambda: plain("LSTM", 1.0, rows=0)),
    ("crash, GRU without rows", "an empty Y", lambda: plain("GRU", 1.0, rows=0)),
    ("crash, DynamicQuantizeLSTM without rows", "an empty Y", lambda: quantised(rows=0)),
    ("crash, LSTM without rows, lengths fixed", "an empty Y", lambda: plain("LSTM", 1.0, rows=0, lengths=NO_ROWS, fixed=(4,))),
    ("crash, GRU without steps", "an empty Y", lambda: plain("GRU", 1.0, steps=0)),
    ("runs what must be refused: clip=-1", "a refusal", lambda: plain("RNN", 1.0, clip=-1.0)),
    ("runs what must be refused: clip=nan", "a refusal", lambda: plain("RNN", 1.0, clip=NAN)),
    ("runs what must be refused: two functions", "a refusal", lambda: plain("RNN", 1.0, activations=["Tanh", "Relu"])),
]


def answer(number):
    import onnxruntime

    onnxruntime.set_default_logger_severity(4)
    made, inputs = CASES[number][2]()
    try:
        outputs = onnxruntime.InferenceSession(made, providers=["CPUExecutionProvider"]).run(None, inputs)
    except Exception as error:  # a refusal of any kind
        print("refused:", str(error).splitlines()[0][:60])
        return
    print("; ".join(" ".join(f"{value:.4g}" for value in output.ravel()) or "empty" for output in outputs))


def asked(number, fill):
    done = subprocess.run([sys.executable, __file__, str(number)], env={**os.environ, "MALLOC_PERTURB_": str(fill)}, capture_output=True, text=True)
    return f"dies of signal {-done.returncode}" if done.returncode < 0 else done.stdout.strip()


if __name__ == "__main__" and len(sys.argv) > 1:
    answer(int(sys.argv[1]))
elif __name__ == "__main__":
    print("| cause | by the page | ONNX Runtime, memory filled with 0xc0 | with 0xbf |\n| --- | --- | --- | --- |")
    for k, (cause, right, _) in enumerate(CASES):
        print(f"| {cause} | {right} | {asked(k, 0x3F)} | {asked(k, 0x40)} |", flush=True)
