"""Unrolls recurrent nodes into primitive ONNX operators and computes them in 64 bits with ONNX's reference evaluator.

    unroll.py CASES RESULTS

CASES is a JSON array of {name, op, attributes, inputs: {formal name: {shape, values}}}; RESULTS becomes a JSON array of
{name, Y, Y_h, Y_c} with {shape, values} each (Y_c for LSTM only), in the same order.

Written from the operators' pages alone: it is the second opinion on the C++ reference, whose code it must not follow.
"""

import json
import sys

import numpy as np
from onnx import TensorProto

from activations import resolve
from cells import Gru, Lstm, Rnn
from graph import Graph
from quantization import quantization_of, quantized, to_single

CELLS = {"RNN": Rnn, "GRU": Gru, "LSTM": Lstm, "DynamicQuantizeLSTM": Lstm}
GATES = {"RNN": 1, "GRU": 3, "LSTM": 4, "DynamicQuantizeLSTM": 4}
DEFAULT_FUNCTIONS = {"RNN": ["Tanh"], "GRU": ["Sigmoid", "Tanh"], "LSTM": ["Sigmoid", "Tanh", "Tanh"]}
DEFAULT_FUNCTIONS["DynamicQuantizeLSTM"] = DEFAULT_FUNCTIONS["LSTM"]


class Node:
    """A node with its inputs as arrays in layout 0, absent ones as zeros, and its sizes."""

    def __init__(self, case):
        self.op, self.attributes = case["op"], case["attributes"]
        given = {name: np.array(t["values"], dtype=np.float64).reshape(t["shape"]) for name, t in case["inputs"].items()}
        self.batch_first = self.attributes.get("layout", 0) != 0
        if self.batch_first:
            for name in ("X", "initial_h", "initial_c"):
                if name in given:
                    given[name] = np.swapaxes(given[name], 0, 1)
        self.directions = {"forward": ["forward"], "reverse": ["reverse"], "bidirectional": ["forward", "reverse"]}[
            self.attributes.get("direction", "forward")
        ]
        self.X, self.W, self.R = given["X"], given["W"], given["R"]
        self.T, self.N, _ = self.X.shape
        self.D = len(self.directions)
        self.gates = GATES[self.op]
        self.quantised = self.op == "DynamicQuantizeLSTM"
        self.H = self.R.shape[1] if self.quantised else self.R.shape[2]
        self.B = given.get("B", np.zeros((self.D, 2 * self.gates * self.H)))
        self.P = given.get("P", np.zeros((self.D, 3 * self.H)))
        self.lengths = given.get("sequence_lens", np.full(self.N, self.T)).astype(np.int64)
        self.h = given.get("initial_h", np.zeros((self.D, self.N, self.H)))
        self.c = given.get("initial_c", np.zeros((self.D, self.N, self.H)))
        self.given = given
        count = len(DEFAULT_FUNCTIONS[self.op])
        names = self.attributes.get("activations") or DEFAULT_FUNCTIONS[self.op] * self.D
        functions = resolve(names, self.attributes.get("activation_alpha", []), self.attributes.get("activation_beta", []))
        self.functions = [functions[d * count : (d + 1) * count] for d in range(self.D)]


def make_cell(g, node, d, products):
    halves = [g.split(half, node.gates, 0) for half in g.split(g.take(g.constant(node.B), d, 0), 2, 0)]
    cell = CELLS[node.op](g, products, *halves, node.functions[d], node.attributes.get("clip"))
    if isinstance(cell, Gru):
        cell.linear_before_reset = node.attributes.get("linear_before_reset", 0) != 0
    if isinstance(cell, Lstm):
        cell.peepholes = g.split(g.take(g.constant(node.P), d, 0), 3, 0)
        cell.coupled = node.attributes.get("input_forget", 0) != 0
    return cell


def float_direction(g, node, d):
    """All sequences of one direction side by side; a step beyond a sequence's length leaves its state as it is."""
    Ws, Rs = (g.split(g.take(g.constant(w), d, 0), node.gates, 0) for w in (node.W, node.R))

    def products(gate, x, h):
        return tuple(g.node("MatMul", v, g.transpose(w[gate], 1, 0)) for v, w in ((x, Ws), (h, Rs)))

    cell = make_cell(g, node, d, products)
    X, lengths = g.constant(node.X), g.constant(node.lengths.reshape(-1, 1))
    h, c = g.constant(node.h[d]), g.constant(node.c[d])
    steps = range(node.T)
    Y = [None] * node.T
    for t in steps if node.directions[d] == "forward" else reversed(steps):
        within = g.node("Less", g.constant(np.array(t, dtype=np.int64)), lengths)
        h_next, c_next = cell.step(g.take(X, t, 0), h, c)
        Y[t] = g.node("Where", within, h_next, g.number(0))
        h, c = g.node("Where", within, h_next, h), g.node("Where", within, c_next, c)
    return g.stack(Y, 0), h, c


def quantised_direction(g, node, d):
    """DynamicQuantizeLSTM: each sequence turned round within its length where the direction is reverse, so that all take
    the same step at the same time, as the range of H needs it; Y turned back."""
    lengths = g.constant(node.lengths)
    longest = int(node.lengths.max(initial=0))

    def turned(tensor):
        return g.node("ReverseSequence", tensor, lengths, time_axis=0, batch_axis=1)

    reverse = node.directions[d] == "reverse"
    X = turned(g.constant(node.X)) if reverse else g.constant(node.X)
    x_range = quantization_of(g, g.constant(node.X[:longest].astype(np.float32)))

    def weights(name):
        columns = 4 * node.H
        scale, zero_point = (
            np.broadcast_to(node.given[f"{name}_{what}"].reshape(node.D, -1)[d], (columns,)) for what in ("scale", "zero_point")
        )
        integers = g.node("Sub", g.take(g.constant(node.given[name]), d, 0), g.constant(zero_point.copy()))
        return g.split(integers, 4, 1), g.split(g.constant(scale.copy()), 4, 0)

    (W, W_scale), (R, R_scale) = weights("W"), weights("R")
    h_range = [None]

    def product(vectors, value_range, integers, scale):
        q = quantized(g, to_single(g, vectors), *value_range)
        exact = g.node("MatMul", q, integers)
        return g.node("Mul", exact, g.node("Mul", g.cast(value_range[0], TensorProto.DOUBLE), scale))

    def products(gate, x, h):
        return product(x, x_range, W[gate], W_scale[gate]), product(h, h_range[0], R[gate], R_scale[gate])

    cell = make_cell(g, node, d, products)
    h, c = g.constant(node.h[d]), g.constant(node.c[d])
    Y = []
    for step in range(node.T):
        # What stands in Y at the step before: a sequence that ended earlier is 0 there.
        alive = g.constant((node.lengths >= step).reshape(-1, 1))
        h_range[0] = quantization_of(g, to_single(g, g.node("Where", alive, h, g.number(0))))
        within = g.constant((node.lengths > step).reshape(-1, 1))
        h_next, c_next = cell.step(g.take(X, step, 0), h, c)
        Y.append(g.node("Where", within, h_next, g.number(0)))
        h, c = g.node("Where", within, h_next, h), g.node("Where", within, c_next, c)
    Y = g.stack(Y, 0)
    return turned(Y) if reverse else Y, h, c


def evaluate(case):
    node = Node(case)
    if node.T == 0:
        outputs = [np.zeros((0, node.D, node.N, node.H)), node.h, node.c]
    else:
        g = Graph()
        one_direction = quantised_direction if node.quantised else float_direction
        parts = zip(*[one_direction(g, node, d) for d in range(node.D)])
        outputs = g.values([g.stack(list(tensors), axis) for tensors, axis in zip(parts, (1, 0, 0))])
    if node.batch_first:
        Y, Y_h, Y_c = outputs
        outputs = [np.transpose(Y, (2, 0, 1, 3)), np.swapaxes(Y_h, 0, 1), np.swapaxes(Y_c, 0, 1)]
    result = {"name": case["name"]}
    for name, tensor in zip(("Y", "Y_h", "Y_c"), outputs):
        if name != "Y_c" or CELLS[node.op] is Lstm:
            result[name] = {"shape": tensor.shape, "values": tensor.ravel().tolist()}
    return result


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        cases = json.load(file)
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump([evaluate(case) for case in cases], file)


if __name__ == "__main__":
    main()
