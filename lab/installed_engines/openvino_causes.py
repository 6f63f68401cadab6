"""What OpenVINO makes of a small model for each cause that a run of suite ci names: python openvino_causes.py. Needs onnx and openvino; knows nothing of Cellproof.

Each model runs in a process of its own, in float (INFERENCE_PRECISION_HINT f32). Prints what the page gives, computed here, and what OpenVINO answers.
"""

import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto
from onnxruntime_causes import NO_ROWS, full, lstm_of, model, plain, quantised, sigmoid

BFLOAT16_ONE = 0x3F80
WEIGHTS = (1, 2)  # W and R are initializers


def symbolic(made, sizes):
    """The same model with these names for the first sizes of its first input."""
    graph = onnx.load_from_string(made[0])
    for place, size in zip(graph.graph.input[0].type.tensor_type.shape.dim, sizes):
        place.dim_param = size
    return graph.SerializeToString(), made[1]


def both_ways(backward, **more):
    """An RNN with W = 1 and R = 0 in both directions, Tanh forward."""
    X = full((1, 1, 1), 2.0)
    inputs = [X, full((2, 1, 1), 1.0), full((2, 1, 1))]
    return model("RNN", inputs, ["Y"], hidden_size=1, direction="bidirectional", activations=["Tanh", backward], **more)


def peepholes():
    """All weights 0 but P's of the output gate, 1, and a bias of 1 in every gate."""
    B = np.concatenate([full((1, 4), 1.0), full((1, 4))], axis=1)
    P = np.array([[0, 1, 0]], np.float32)
    return model("LSTM", [full((1, 1, 1)), full((1, 4, 1)), full((1, 4, 1)), B, None, None, None, P], ["Y"], fixed=(3, 7), hidden_size=1)


def of_ones(op, lengths, rows=2, steps=3, **more):
    """Every row is ones."""
    return plain(op, 1.0, steps=steps, rows=rows, lengths=np.array(lengths, np.int32), fixed=WEIGHTS, **more)


TURNED = np.arange(1, 7, dtype=np.float32).reshape(2, 3, 1) / 10


def turned(op, **more):
    """X of [2,3,1]. Every weight of X is 1, every one of the state 0.5."""
    gates = {"LSTM": 4, "GRU": 3, "RNN": 1}[op]
    return model(op, [TURNED, full((1, gates, 1), 1.0), full((1, gates, 1), 0.5)], ["Y", "Y_h"], fixed=WEIGHTS, hidden_size=1, **more)


def last_states(X):
    """Y_h of an RNN over the second axis of X."""
    h = np.zeros(X.shape[0])
    for t in range(X.shape[1]):
        h = np.tanh(X[:, t, 0] + h / 2)
    return " ".join(f"{value:.4g}" for value in h)


def typed(kind, value_bytes):
    """An RNN of one number in another type."""
    graph = onnx.load_from_string(plain("RNN", 1.0)[0])
    tensors = []
    for place in graph.graph.input:
        place.type.tensor_type.elem_type = kind
        tensors.append(onnx.helper.make_tensor(place.name, kind, [d.dim_value for d in place.type.tensor_type.shape.dim], value_bytes, raw=True))
    del graph.graph.input[:]
    graph.graph.initializer.extend(tensors)
    graph.graph.output[0].type.tensor_type.elem_type = kind
    return graph.SerializeToString(), {}


a = sigmoid(1) * np.tanh(1)  # the cell of an LSTM whose gates' arguments are all 1, after a step from none
COUPLED = f"Y of step 1 = {sigmoid(1) * np.tanh((1 - sigmoid(1)) * a + a):.4f}; each gate by itself: {sigmoid(1) * np.tanh(sigmoid(1) * a + a):.4f}"
PEEPHOLES = f"Y = {sigmoid(1 + a) * np.tanh(a):.4f}; without P: {lstm_of(1):.4f}"
RAGGED = "0 in steps 1 and 2 of the second row"
BACKWARD = "Y = {:.4g} forward, {:.4g} backward; the forward one in both: {:.4g}"

# cause, what the page gives, model
CASES = [
    ("lengths-ignored@symbolic-sizes, RNN, numbers", RAGGED, lambda: of_ones("RNN", [3, 1])),
    *(
        (f"lengths-ignored@symbolic-sizes, {op}, {' '.join(sizes)}", RAGGED, lambda op=op, sizes=sizes: symbolic(of_ones(op, [3, 1]), sizes))
        for op in ("RNN", "GRU", "LSTM")
        for sizes in (["T"], ["T", "N"])
    ),
    (
        "the same with W and R as graph inputs, RNN, T N",
        RAGGED,
        lambda: symbolic(plain("RNN", 1.0, steps=3, rows=2, lengths=np.array([3, 1], np.int32)), ["T", "N"]),
    ),
    (
        "backward-takes-forward-functions",
        BACKWARD.format(np.tanh(2), 2, np.tanh(2)),
        lambda: both_ways("Relu"),
    ),
    ("input-forget-ignored", COUPLED, lambda: plain("LSTM", 1.0, steps=2, input_forget=1)),
    ("peepholes-ignored", PEEPHOLES, peepholes),
    (
        "layout-1-taken-for-0, RNN",
        f"Y [2, 3, 1, 1], Y_h [2, 1, 1] {last_states(TURNED)}; in layout 0: Y [2, 1, 3, 1], Y_h [1, 3, 1] {last_states(TURNED.swapaxes(0, 1))}",
        lambda: turned("RNN", layout=1),
    ),
    *((f"the same, {op}", "Y [2, 3, 1, 1], Y_h [2, 1, 1]", lambda op=op: turned(op, layout=1)) for op in ("GRU", "LSTM")),
    *((f"{op} without steps", "Y [0, 1, 1, 1]", lambda op=op: plain(op, 1.0, steps=0, fixed=WEIGHTS)) for op in ("RNN", "GRU", "LSTM")),
    (
        "lengths-ignored@symbolic-sizes, DynamicQuantizeLSTM, T",
        RAGGED,
        lambda: symbolic(quantised(steps=3, rows=2, lengths=np.array([3, 1], np.int32)), ["T"]),
    ),
    ("the same, numbers", RAGGED, lambda: quantised(steps=3, rows=2, lengths=np.array([3, 1], np.int32))),
    ("crash, RNN without rows", "an empty Y", lambda: plain("RNN", 1.0, steps=2, rows=0, fixed=WEIGHTS)),
    ("crash, LSTM without rows", "an empty Y", lambda: plain("LSTM", 1.0, steps=2, rows=0, fixed=WEIGHTS)),
    ("crash, GRU without rows, with lengths", "an empty Y", lambda: plain("GRU", 1.0, steps=2, rows=0, lengths=NO_ROWS, fixed=WEIGHTS)),
    ("type, bfloat16", f"Y = {np.tanh(1):.4f} in bfloat16", lambda: typed(TensorProto.BFLOAT16, BFLOAT16_ONE.to_bytes(2, "little"))),
    ("f32-ftz, subnormal X of the graph", "Y = 1e-40", lambda: plain("RNN", 1e-40)),
    ("f32-ftz, subnormal X of an initializer", "Y = 1e-40", lambda: plain("RNN", 1e-40, fixed=(0,))),
    ("f64-via-f32, double", f"Y = {np.tanh(1.0):.17g}", lambda: typed(TensorProto.DOUBLE, np.float64(1).tobytes())),
    ("dq-granularity=none, DynamicQuantizeLSTM", f"Y = {lstm_of(0.1):.6f}", lambda: quantised()),
    ("runs what must be refused: clip=-1", "a refusal", lambda: plain("RNN", 1.0, clip=-1.0)),
    ("runs what must be refused: two functions", "a refusal", lambda: plain("RNN", 1.0, activations=["Tanh", "Relu"])),
    ("runs what must be refused: an unknown function", "a refusal", lambda: plain("RNN", 1.0, activations=["Nonsense"])),
]


def of_its_type(array, type_name):
    """bfloat16 comes as numpy's float16; its bits are the upper half of a float's."""
    return (array.view(np.uint16).astype(np.uint32) << 16).view(np.float32) if type_name == "bf16" else array


def answer(number):
    import openvino

    made, inputs = CASES[number][2]()
    core = openvino.Core()
    try:
        compiled = core.compile_model(core.read_model(made), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
        results = compiled(inputs)
        outputs = [of_its_type(results[k], port.element_type.get_type_name()) for k, port in enumerate(compiled.outputs)]
    except Exception as error:  # a refusal of any kind
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        print("refused:", lines[-1][:80])
        return
    digits = ".17g" if "double" in CASES[number][0] else ".4g"
    print("; ".join(f"{list(output.shape)} " + (" ".join(format(value, digits) for value in output.ravel()) or "empty") for output in outputs))


def asked(number):
    done = subprocess.run([sys.executable, __file__, str(number)], capture_output=True, text=True)
    return f"dies of signal {-done.returncode}" if done.returncode < 0 else (done.stdout.strip() or done.stderr.strip().splitlines()[-1])


if __name__ == "__main__" and len(sys.argv) > 1:
    answer(int(sys.argv[1]))
elif __name__ == "__main__":
    print("| cause | by the page | OpenVINO |\n| --- | --- | --- |")
    for k, (cause, right, _) in enumerate(CASES):
        print(f"| {cause} | {right} | {asked(k)} |", flush=True)
