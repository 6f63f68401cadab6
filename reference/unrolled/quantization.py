"""The dynamic quantisation of DynamicQuantizeLSTM in primitive operators on 32-bit floats."""

import numpy as np
from onnx import TensorProto


def single(g, value):
    return g.constant(np.array(value, dtype=np.float32))


def quantization_of(g, values):
    """(scale, zero point) from a 32-bit tensor: its range is widened to hold 0."""
    flat = g.node("Reshape", values, g.constant(np.array([-1], dtype=np.int64)))
    with_zero = g.node("Concat", flat, g.constant(np.zeros(1, dtype=np.float32)), axis=0)
    low, high = (g.node(op, with_zero, keepdims=0) for op in ("ReduceMin", "ReduceMax"))
    width = g.node("Sub", high, low)
    is_flat = g.node("Equal", width, single(g, 0))
    scale = g.node("Where", is_flat, single(g, 1), g.node("Div", width, single(g, 255)))
    zero_point = g.node("Sub", single(g, 0), g.node("Div", low, scale))
    return scale, g.node("Round", g.node("Clip", zero_point, single(g, 0), single(g, 255)))


def quantized(g, values, scale, zero_point):
    """Quantised values minus the zero point, as doubles."""
    low = g.node("Neg", zero_point)
    high = g.node("Sub", single(g, 255), zero_point)
    rounded = g.node("Round", g.node("Clip", g.node("Div", values, scale), low, high))
    return g.cast(rounded, TensorProto.DOUBLE)


def to_single(g, values):
    return g.cast(values, TensorProto.FLOAT)
