"""An LSTM in numpy as somebody writes it, in four honest styles, and with twelve mistakes that people make."""

from __future__ import annotations

import numpy as np

from cellproof import NotSupported, Problem

MISTAKES = (
    "gates in the order i f c o",
    "the second half of B left out",
    "peepholes left out",
    "the output gate peeps at the cell before",
    "clip left out",
    "input_forget left out",
    "sequence_lens left out",
    "reverse from the last step of the longest sequence",
    "initial_c left out",
    "Y_h of the last step of all",
    "h without the function of the cell",
    "the weights of the first direction for both",
)
STYLES = ("plain", "in float64", "one product", "sums from the end")


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def sigmoid_by_tanh(x):
    half = x.dtype.type(0.5)
    return half * np.tanh(half * x) + half


def from_the_end(a, b):
    """a @ b.T, each sum from its last term to its first."""
    total = np.zeros((a.shape[0], b.shape[0]), a.dtype)
    for k in reversed(range(a.shape[1])):
        total = total + a[:, k : k + 1] * b[:, k]
    return total


class Lstm:
    """Callable as an engine's run. `calls` counts."""

    def __init__(self, style: str = "plain", mistake: str = "") -> None:
        assert style in STYLES and (not mistake or mistake in MISTAKES)
        self.style, self.mistake, self.calls = style, mistake, 0
        self.__name__ = style if not mistake else "mistaken"

    def has(self, mistake: str) -> bool:
        return self.mistake == mistake

    def __call__(self, problem: Problem):
        self.calls += 1
        if problem.operator != "LSTM":
            raise NotSupported(f"this is an LSTM, and no {problem.operator}")
        attributes = {"direction": "forward", "layout": 0, "input_forget": 0, "clip": None, "output_sequence": 1, **problem.attributes}
        unknown = set(attributes) - {"direction", "layout", "input_forget", "clip", "hidden_size", "output_sequence"}
        if unknown:
            raise NotSupported(f"attributes {sorted(unknown)}")
        return self.run(attributes, **problem.tensors)

    def run(self, attributes, X, W, R, B=None, sequence_lens=None, initial_h=None, initial_c=None, P=None):
        stored = X.dtype
        if stored not in (np.float32, np.float64):
            raise NotSupported(f"{stored}")
        if self.style == "in float64":
            X, W, R, B, initial_h, initial_c, P = (None if a is None else a.astype(np.float64) for a in (X, W, R, B, initial_h, initial_c, P))
        batch_first = attributes["layout"] == 1
        if batch_first:
            X = X.swapaxes(0, 1)
            initial_h, initial_c = (None if a is None else a.swapaxes(0, 1) for a in (initial_h, initial_c))
        steps, batch, _ = X.shape
        directions, hidden = R.shape[0], R.shape[2]
        lengths = np.full(batch, steps) if sequence_lens is None or self.has("sequence_lens left out") else sequence_lens
        Y = np.zeros((steps, directions, batch, hidden), X.dtype)
        Y_h = np.zeros((directions, batch, hidden), X.dtype)
        Y_c = np.zeros((directions, batch, hidden), X.dtype)
        for d in range(directions):
            own = 0 if self.has("the weights of the first direction for both") else d
            cell = Cell(self, attributes, W[own], R[own], None if B is None else B[own], None if P is None else P[own])
            backward = attributes["direction"] == "reverse" or d == 1
            for n in range(batch):
                h = np.zeros((1, hidden), X.dtype) if initial_h is None else initial_h[d, n : n + 1]
                c = np.zeros((1, hidden), X.dtype)
                if initial_c is not None and not self.has("initial_c left out"):
                    c = initial_c[d, n : n + 1]
                order = list(range(lengths[n]))
                if backward:
                    order.reverse()
                    if self.has("reverse from the last step of the longest sequence"):
                        order = [steps - 1 - k for k in range(lengths[n])]
                for t in order:
                    h, c = cell.step(X[t, n : n + 1], h, c)
                    Y[t, d, n] = h
                Y_h[d, n], Y_c[d, n] = h, c
                if self.has("Y_h of the last step of all") and steps and not backward:
                    Y_h[d, n] = Y[steps - 1, d, n]
        Y, Y_h, Y_c = (a.astype(stored) for a in (Y, Y_h, Y_c))
        if batch_first:
            Y, Y_h, Y_c = Y.transpose(2, 0, 1, 3), Y_h.swapaxes(0, 1), Y_c.swapaxes(0, 1)
        return {"Y": Y, "Y_h": Y_h, "Y_c": Y_c}


class Cell:
    """The weights of one direction."""

    def __init__(self, lstm: Lstm, attributes, W, R, B, P) -> None:
        self.lstm, self.W, self.R = lstm, W, R
        self.clip, self.coupled = attributes["clip"], attributes["input_forget"] == 1
        half = R.shape[0]
        self.B = np.zeros((2, half), W.dtype) if B is None else B.reshape(2, half)
        self.P = np.zeros((3, R.shape[1]), W.dtype) if P is None or lstm.has("peepholes left out") else P.reshape(3, -1)

    def gates(self, x, h):
        second = 0 if self.lstm.has("the second half of B left out") else self.B[1]
        if self.lstm.style == "one product":
            return np.concatenate([x, h], 1) @ np.concatenate([self.W, self.R], 1).T + (self.B[0] + second)
        product = from_the_end if self.lstm.style == "sums from the end" else lambda a, b: a @ b.T
        return product(x, self.W) + product(h, self.R) + self.B[0] + second

    def clipped(self, a):
        if self.clip is None or self.lstm.has("clip left out"):
            return a
        return np.clip(a, -a.dtype.type(self.clip), a.dtype.type(self.clip))

    def step(self, x, h, c):
        has = self.lstm.has
        f = sigmoid_by_tanh if self.lstm.style == "one product" else sigmoid
        parts = np.split(self.gates(x, h), 4, 1)
        i, o, forget, g = parts if not has("gates in the order i f c o") else (parts[0], parts[3], parts[1], parts[2])
        i = f(self.clipped(i + self.P[0] * c))
        forget = 1 - i if self.coupled and not has("input_forget left out") else f(self.clipped(forget + self.P[2] * c))
        new = forget * c + i * np.tanh(self.clipped(g))
        o = f(self.clipped(o + self.P[1] * (c if has("the output gate peeps at the cell before") else new)))
        return (o * new if has("h without the function of the cell") else o * np.tanh(new)), new
