"""LSTM, GRU, RNN and DynamicQuantizeLSTM as ONNX's pages have them, in numpy. Knows nothing of Cellproof.

Where a page can be read in two ways, `variants` gives each: what is computed is one node per way.
"""

import itertools

import numpy as np

GATES = {"LSTM": 4, "DynamicQuantizeLSTM": 4, "GRU": 3, "RNN": 1}
DEFAULTS = {4: ["Sigmoid", "Tanh", "Tanh"], 3: ["Sigmoid", "Tanh"], 1: ["Tanh"]}
CONSTANTS = {  # default alpha and beta; None: takes none
    "affine": (1.0, 0.0), "leakyrelu": (0.01, None), "thresholdedrelu": (1.0, None), "scaledtanh": (1.0, 1.0), "hardsigmoid": (0.2, 0.5), "elu": (1.0, None),
}  # fmt: skip
FUNCTIONS = {
    "relu": lambda x, a, b: np.maximum(x, 0),
    "tanh": lambda x, a, b: np.tanh(x),
    "sigmoid": lambda x, a, b: 1 / (1 + np.exp(-x)),
    "affine": lambda x, a, b: a * x + b,
    "leakyrelu": lambda x, a, b: np.where(x >= 0, x, a * x),
    "thresholdedrelu": lambda x, a, b: np.where(x > a, x, 0 * x),
    "scaledtanh": lambda x, a, b: a * np.tanh(b * x),
    "hardsigmoid": lambda x, a, b: np.clip(a * x + b, 0, 1),
    "elu": lambda x, a, b: np.where(x >= 0, x, a * np.expm1(np.minimum(x, 0))),
    "softsign": lambda x, a, b: x / (1 + np.abs(x)),
    "softplus": lambda x, a, b: np.logaddexp(0, x),
}

# Ways to read the pages: the state of an empty row; who takes a value of activation_alpha; is the argument of LSTM's h clipped; which gate leads the other;
# does a clip of 0 leave nothing, or all.
READINGS = {"empty_row": ["initial", "zero"], "alphas": ["by_need", "by_place"], "clips_h": [True, False], "leads": ["i", "f"], "clips_at_0": [True, False]}


def variants(op, attributes, lengths):
    """The readings that can matter to a node."""
    matters = {
        "empty_row": lengths is not None and 0 in lengths,
        "alphas": bool(attributes.get("activation_alpha") or attributes.get("activation_beta")),
        "clips_h": GATES[op] == 4 and "clip" in attributes,
        "leads": bool(attributes.get("input_forget", 0)),
        "clips_at_0": attributes.get("clip") == 0,
    }
    choices = [READINGS[name] if matters[name] else READINGS[name][:1] for name in READINGS]
    return [dict(zip(READINGS, chosen)) for chosen in itertools.product(*choices)]


def functions_of(op, directions, attributes, how):
    names = [name.lower() for name in attributes.get("activations", DEFAULTS[GATES[op]] * directions)]
    alphas, betas = (list(attributes.get(name, [])) for name in ("activation_alpha", "activation_beta"))
    result = []
    for place, name in enumerate(names):
        values = []
        for given, default in zip((alphas, betas), CONSTANTS.get(name, (None, None))):
            if how == "by_place":
                values.append(given[place] if place < len(given) else default)
            else:
                values.append(given.pop(0) if default is not None and given else default)
        result.append(lambda x, f=FUNCTIONS[name], a=values[0], b=values[1]: f(x, a, b))
    each = len(DEFAULTS[GATES[op]])
    return [result[d * each : (d + 1) * each] for d in range(directions)]


def lstm(x, h, c, weights, functions, clip, attributes, reading):
    f, g, hh = functions
    n = h.shape[1]
    p = weights["P"]
    i, o, forget, new = np.split(weights["from_x"](x) + weights["from_h"](h) + weights["b"], 4, axis=1)
    i, forget = f(clip(i + p[:n] * c)), f(clip(forget + p[2 * n :] * c))
    if attributes.get("input_forget", 0):
        i, forget = (i, 1 - i) if reading["leads"] == "i" else (1 - forget, forget)
    c = forget * c + i * g(clip(new))
    o = f(clip(o + p[n : 2 * n] * c))
    return o * hh(clip(c) if reading["clips_h"] else c), c


def gru(x, h, weights, functions, clip, attributes):
    f, g = functions
    n = h.shape[1]
    R, (Wb, Rb) = weights["R"], weights["halves"]
    a = weights["from_x"](x) + Wb
    z = f(clip(a[:, :n] + h @ R[:n].T + Rb[:n]))
    r = f(clip(a[:, n : 2 * n] + h @ R[n : 2 * n].T + Rb[n : 2 * n]))
    if attributes.get("linear_before_reset", 0):
        inner = r * (h @ R[2 * n :].T + Rb[2 * n :])
    else:
        inner = (r * h) @ R[2 * n :].T + Rb[2 * n :]
    return (1 - z) * g(clip(a[:, 2 * n :] + inner)) + z * h


def quantised(values, over):
    """The values as their 8-bit codes stand for them; the range holds 0."""
    low, high = np.float32(min(over.min(initial=0), 0)), np.float32(max(over.max(initial=0), 0))
    scale = np.float32((high - low) / np.float32(255)) if high > low else np.float32(1)
    zero = np.clip(np.rint(-low / scale), 0, 255)
    return (np.clip(np.rint(values.astype(np.float32) / scale) + zero, 0, 255) - zero).astype(np.float64) * float(scale)


def matrix_of(codes, scale, zero, d):
    """[rows][columns] of a direction's quantised matrix, which is stored [D][columns][rows]."""
    scale, zero = (np.atleast_1d(v.astype(np.float64)).reshape(len(codes), -1)[d] if v.size >= len(codes) else v.astype(np.float64).reshape(-1) for v in (scale, zero))
    return ((codes[d].astype(np.float64) - zero) * scale).T


def computed(op, inputs, attributes, reading, dtype=np.float64):
    """All outputs; `inputs` by their names on the page, absent ones None."""
    gates, attributes = GATES[op], dict(attributes)
    get = lambda name: None if inputs.get(name) is None else inputs[name].astype(dtype)  # noqa: E731
    X, batch_first = get("X"), attributes.get("layout", 0) == 1
    if batch_first:
        X = X.transpose(1, 0, 2)
    T, N, _ = X.shape
    direction = attributes.get("direction", "forward")
    D = 2 if direction == "bidirectional" else 1
    quantises = op == "DynamicQuantizeLSTM"
    R = inputs["R"]
    H = R.shape[1] if quantises else R.shape[2]
    lengths = np.full(N, T) if inputs.get("sequence_lens") is None else inputs["sequence_lens"]
    state = {}
    for name in ("initial_h", "initial_c"):
        value = get(name)
        state[name] = np.zeros((D, N, H), dtype) if value is None else value.transpose(1, 0, 2) if batch_first else value
    B = np.zeros((D, 2 * gates * H), dtype) if inputs.get("B") is None else get("B")
    P = np.zeros((D, 3 * H), dtype) if inputs.get("P") is None else get("P")
    limit = attributes.get("clip")
    clips = limit is not None and (limit != 0 or reading["clips_at_0"])
    clip = (lambda v: np.clip(v, -limit, limit)) if clips else lambda v: v
    functions = functions_of(op, D, attributes, reading["alphas"])
    Y, Y_h, Y_c = np.zeros((T, D, N, H), dtype), np.zeros((D, N, H), dtype), np.zeros((D, N, H), dtype)
    codes_of_x = quantised(X, X[: lengths.max(initial=0)]) if quantises else X
    for d in range(D):
        weights = {"P": P[d], "halves": (B[d][: gates * H], B[d][gates * H :]), "b": B[d][: gates * H] + B[d][gates * H :]}
        if quantises:
            W = matrix_of(inputs["W"], inputs["W_scale"], inputs["W_zero_point"], d)
            weights["R"] = matrix_of(R, inputs["R_scale"], inputs["R_zero_point"], d)
        else:
            W, weights["R"] = get("W")[d], get("R")[d]
        weights["from_x"] = lambda x, W=W: x @ W.T
        h, c = state["initial_h"][d].copy(), state["initial_c"][d].copy()
        backward = direction == "reverse" or d == 1
        for rank in range(T):
            rows = np.flatnonzero(lengths > rank)
            if not len(rows):
                break
            times = lengths[rows] - 1 - rank if backward else np.full(len(rows), rank)
            x, before = codes_of_x[times, rows], h[rows]
            weights["from_h"] = lambda v, R=weights["R"], all_rows=h.copy(): (quantised(v, all_rows) if quantises else v) @ R.T
            if gates == 4:
                h[rows], c[rows] = lstm(x, before, c[rows], weights, functions[d], clip, attributes, reading)
            elif gates == 3:
                h[rows] = gru(x, before, weights, functions[d], clip, attributes)
            else:
                h[rows] = functions[d][0](clip(x @ W.T + before @ weights["R"].T + weights["b"]))
            Y[times, d, rows] = h[rows]
        if reading["empty_row"] == "zero":
            h[lengths == 0] = c[lengths == 0] = 0
        Y_h[d], Y_c[d] = h, c
    if batch_first:
        Y, Y_h, Y_c = Y.transpose(2, 0, 1, 3), Y_h.transpose(1, 0, 2), Y_c.transpose(1, 0, 2)
    return {"Y": Y, "Y_h": Y_h, "Y_c": Y_c} if gates == 4 else {"Y": Y, "Y_h": Y_h}
