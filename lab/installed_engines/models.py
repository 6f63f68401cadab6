"""Small LSTM, GRU and RNN models with what numpy computes for them: python models.py FOLDER. Needs numpy and onnx; knows nothing of Cellproof.

Beside each NAME.onnx lies NAME.npz: X, the outputs as ONNX's page defines them (right_*), and those of the node without its attributes and P (plain_*).
"""

import pathlib
import sys

import numpy as np
import onnx
from onnx import helper, numpy_helper

FUNCTIONS = {"Sigmoid": lambda x: 1 / (1 + np.exp(-x)), "Tanh": np.tanh, "Relu": lambda x: np.maximum(x, 0)}
GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}
DEFAULTS = {"LSTM": ["Sigmoid", "Tanh", "Tanh"], "GRU": ["Sigmoid", "Tanh"], "RNN": ["Tanh"]}


def lstm_step(x, h, c, W, R, p, clip, functions, coupled):
    f, g, hh = functions
    size = h.shape[1]
    i, o, ft, ct = np.split(x @ W.T + h @ R.T, 4, axis=1)
    i = f(clip(i + p[:size] * c))
    forget = 1 - i if coupled else f(clip(ft + p[2 * size :] * c))
    c = forget * c + i * g(clip(ct))
    return f(clip(o + p[size : 2 * size] * c)) * hh(c), c


def gru_step(x, h, W, R, clip, functions):
    f, g = functions
    size = h.shape[1]
    a, zr = x @ W.T, h @ R[: 2 * size].T
    z, r = f(clip(a[:, :size] + zr[:, :size])), f(clip(a[:, size : 2 * size] + zr[:, size:]))
    return (1 - z) * g(clip(a[:, 2 * size :] + (r * h) @ R[2 * size :].T)) + z * h


def computed(op, X, W, R, p, attributes):
    """All outputs in float64, by name."""
    limit = attributes.get("clip")
    clip = (lambda v: np.clip(v, -limit, limit)) if limit else lambda v: v
    functions = [FUNCTIONS[name] for name in attributes.get("activations", DEFAULTS[op])]
    steps, rows, size = len(X), X.shape[1], R.shape[2]
    h = c = np.zeros((rows, size))
    Y = np.zeros((steps, 1, rows, size))
    for t in reversed(range(steps)) if attributes.get("direction") == "reverse" else range(steps):
        if op == "LSTM":
            h, c = lstm_step(X[t], h, c, W[0], R[0], p, clip, functions, attributes.get("input_forget", 0))
        else:
            h = gru_step(X[t], h, W[0], R[0], clip, functions) if op == "GRU" else functions[0](clip(X[t] @ W[0].T + h @ R[0].T))
        Y[t, 0] = h
    return {"Y": Y, "Y_h": h[None], **({"Y_c": c[None]} if op == "LSTM" else {})}


def write(folder, name, op, steps=3, rows=1, peepholes=False, dtype=np.float32, **attributes):
    rng, features, size = np.random.default_rng(7), 4, 5
    X = rng.normal(size=(steps, rows, features)).astype(dtype)
    W = (rng.normal(size=(1, GATES[op] * size, features)) / 2).astype(dtype)
    R = (rng.normal(size=(1, GATES[op] * size, size)) / 2).astype(dtype)
    P = rng.normal(size=(1, 3 * size)).astype(dtype)
    wide = [a.astype(np.float64) for a in (X, W, R)]
    none = np.zeros(3 * size)
    right = computed(op, *wide, P[0].astype(np.float64) if peepholes else none, attributes)
    plain = computed(op, *wide, none, {})
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    inputs = ["X", "W", "R"] + (["", "", "", "", "P"] if peepholes else [])
    graph = helper.make_graph(
        [helper.make_node(op, inputs, list(right), hidden_size=size, **attributes)],
        name,
        [helper.make_tensor_value_info("X", kind, X.shape)],
        [helper.make_tensor_value_info(output, kind, value.shape) for output, value in right.items()],
        [numpy_helper.from_array(W, "W"), numpy_helper.from_array(R, "R")] + ([numpy_helper.from_array(P, "P")] if peepholes else []),
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)], ir_version=8)
    onnx.checker.check_model(model)
    onnx.save(model, folder / f"{name}.onnx")
    rows_of = {"right_" + k: v for k, v in right.items()} | {"plain_" + k: v for k, v in plain.items()}
    np.savez(folder / f"{name}.npz", X=X, **rows_of)


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for op in GATES:
        write(folder, f"{op}_plain", op)
        write(folder, f"{op}_two_rows", op, rows=2)
        write(folder, f"{op}_no_steps", op, steps=0)
        write(folder, f"{op}_no_rows", op, rows=0)
        write(folder, f"{op}_reverse", op, direction="reverse")
        write(folder, f"{op}_clip", op, clip=0.2)
        write(folder, f"{op}_relu", op, activations=["Relu" if name == "Tanh" else name for name in DEFAULTS[op]])
    write(folder, "LSTM_coupled", "LSTM", input_forget=1)
    write(folder, "LSTM_peepholes", "LSTM", peepholes=True)
    write(folder, "LSTM_double", "LSTM", dtype=np.float64)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
