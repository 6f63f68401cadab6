"""A partial Cellproof engine in numpy: RNN and GRU in float, forward, reverse or both, default functions, no lengths."""

import functools

import cellproof
import numpy as np

KNOWN = {"direction", "hidden_size", "linear_before_reset"}


def supports(problem):
    """What the problem asks for that this engine lacks, or None."""
    if problem.operator not in ("RNN", "GRU"):
        return f"this engine knows RNN and GRU, and not {problem.operator}"
    for name, value in problem.attributes.items():
        if name not in KNOWN and (name, value) != ("layout", 0):
            return f"attribute {name} is not supported"
    return None


def rnn(x, h, W, R, Wb, Rb):
    return np.tanh(x @ W.T + h @ R.T + Wb + Rb)


def gru(x, h, W, R, Wb, Rb, before):
    def sigmoid(v):
        return (np.tanh(v / 2) + 1) / 2

    (Wz, Wr, Wh), (Rz, Rr, Rh), (bz, br, bh), (cz, cr, ch) = (np.split(m, 3) for m in (W, R, Wb, Rb))
    z, r = sigmoid(x @ Wz.T + h @ Rz.T + bz + cz), sigmoid(x @ Wr.T + h @ Rr.T + br + cr)
    n = np.tanh(x @ Wh.T + bh + (r * (h @ Rh.T + ch) if before else (r * h) @ Rh.T + ch))
    return (1 - z) * n + z * h


def run(problem):
    def node(X, W, R, B=None, sequence_lens=None, initial_h=None):
        if sequence_lens is not None:
            raise cellproof.NotSupported("sequence_lens is not supported")
        if X.dtype != np.float32:
            raise cellproof.NotSupported("only float is supported")
        directions, rows, hidden = R.shape
        before = problem.attributes.get("linear_before_reset", 0)
        cell = rnn if problem.operator == "RNN" else functools.partial(gru, before=before)
        Y = np.empty((X.shape[0], directions, X.shape[1], hidden), X.dtype)
        Y_h = np.empty(Y.shape[1:], X.dtype)
        for d in range(directions):
            h = np.zeros(Y_h.shape[1:], X.dtype) if initial_h is None else initial_h[d]
            Wb, Rb = (np.zeros((2, rows), X.dtype)) if B is None else np.split(B[d], 2)
            backwards = d == 1 or problem.attributes.get("direction") == "reverse"
            for t in range(X.shape[0])[:: -1 if backwards else 1]:
                h = Y[t, d] = cell(X[t], h, W[d], R[d], Wb, Rb)
            Y_h[d] = h
        return {"Y": Y, "Y_h": Y_h}

    return node(**problem.tensors)


cellproof.worker(run, supports, version="1.0")
