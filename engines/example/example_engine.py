"""A Cellproof engine in a few lines of numpy that know RNN: forward, one activation, float. Needs numpy and the package cellproof."""

import cellproof
import numpy as np


def supports(problem):
    """What the problem asks for that this engine lacks, or None."""
    if problem.operator != "RNN":
        return f"this engine knows RNN, and not {problem.operator}"
    for name, value in problem.attributes.items():
        if (name, value) not in [("direction", "forward"), ("layout", 0)] and name != "hidden_size":
            return f"attribute {name} is not supported"
    return None


def rnn(X, W, R, B=None, sequence_lens=None, initial_h=None):
    if sequence_lens is not None:
        raise cellproof.NotSupported("sequence_lens is not supported")
    if X.dtype != np.float32:
        raise cellproof.NotSupported("only float is supported")
    hidden = R.shape[-1]
    bias = np.zeros(hidden, X.dtype) if B is None else B[0, :hidden] + B[0, hidden:]
    H = np.zeros((X.shape[1], hidden), X.dtype) if initial_h is None else initial_h[0]
    Y = np.empty((X.shape[0], 1, X.shape[1], hidden), X.dtype)
    for t, x in enumerate(X):
        H = np.tanh(x @ W[0].T + H @ R[0].T + bias)
        Y[t, 0] = H
    return {"Y": Y, "Y_h": H[np.newaxis]}


cellproof.worker(lambda problem: rnn(**problem.tensors), supports, version="1.0")
