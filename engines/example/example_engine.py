"""A Cellproof worker around a few lines of numpy that know RNN: forward, one activation, float. Needs onnx and numpy."""

import json
import os
import struct
import sys
import zlib

import numpy as np
import onnx
from onnx import numpy_helper

HELLO, SUPPORTS, RUN, BYE = 1, 2, 3, 4
HELLO_REPLY, SUPPORTS_REPLY, RAN, NOT_SUPPORTED = 129, 130, 131, 132


# --- the engine: what you would replace by calls to your own -------------------------------------------------------
def why_not(model):
    """What the model asks for that this engine lacks, or None."""
    if len(model.graph.node) > 1:
        return "Constant nodes are not supported"
    node = model.graph.node[0]
    if node.op_type != "RNN":
        return f"this engine knows RNN, and not {node.op_type}"
    for attribute in node.attribute:
        value = onnx.helper.get_attribute_value(attribute)
        if (attribute.name, value) not in [("direction", b"forward"), ("layout", 0)] and attribute.name != "hidden_size":
            return f"attribute {attribute.name} is not supported"
    if any(node.input[4:5]):
        return "sequence_lens is not supported"
    if model.graph.initializer and model.graph.initializer[0].data_type != onnx.TensorProto.FLOAT:
        return "only float is supported"
    return None


def rnn(X, W, R, B=None, sequence_lens=None, initial_h=None):
    hidden = R.shape[-1]
    bias = np.zeros(hidden, X.dtype) if B is None else B[0, :hidden] + B[0, hidden:]
    H = np.zeros((X.shape[1], hidden), X.dtype) if initial_h is None else initial_h[0]
    Y = np.empty((X.shape[0], 1, X.shape[1], hidden), X.dtype)
    for t, x in enumerate(X):
        H = np.tanh(x @ W[0].T + H @ R[0].T + bias)
        Y[t, 0] = H
    return {"Y": Y, "Y_h": H[np.newaxis]}


# --- the protocol: the same for every engine --------------------------------------------------------------------------
def read_frame(pipe):
    head = pipe.read(4)
    if len(head) < 4:
        sys.exit(0)  # the harness has gone
    body = pipe.read(struct.unpack("<I", head)[0])
    kind, json_length = struct.unpack_from("<BI", body)
    position, parts = 5 + json_length, []
    while position < len(body):
        (size,) = struct.unpack_from("<I", body, position)
        parts.append(body[position + 4 : position + 4 + size])
        position += 4 + size
    return kind, json.loads(body[5 : 5 + json_length]), parts


def write_frame(pipe, kind, message, parts=()):
    text = json.dumps(message).encode()
    body = struct.pack("<BI", kind, len(text)) + text + b"".join(struct.pack("<I", len(p)) + p for p in parts)
    pipe.write(struct.pack("<I", len(body)) + body)
    pipe.flush()


def run(names, model, tensors):
    reason = why_not(model)
    if reason:
        return NOT_SUPPORTED, {"message": reason}, []
    inputs = {n: numpy_helper.to_array(onnx.TensorProto.FromString(t)) for n, t in zip(names["inputs"], tensors)}
    values = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer} | inputs
    outputs = rnn(*(values[name] if name else None for name in model.graph.node[0].input))
    unchanged = {"inputs_crc32": [zlib.crc32(array.tobytes()) for array in inputs.values()]}
    return RAN, unchanged, [numpy_helper.from_array(outputs[n], n).SerializeToString() for n in names["outputs"]]


def main():
    requests, replies = os.fdopen(3, "rb"), os.fdopen(4, "wb")
    while True:
        kind, message, parts = read_frame(requests)
        if kind == HELLO:
            write_frame(replies, HELLO_REPLY, {"protocol": 1, "name": "example", "version": "1.0"})
        elif kind == SUPPORTS:
            reason = why_not(onnx.ModelProto.FromString(parts[0]))
            write_frame(replies, SUPPORTS_REPLY, {"supported": reason is None, "reason": reason or ""})
        elif kind == RUN:
            write_frame(replies, *run(message, onnx.ModelProto.FromString(parts[0]), parts[1:]))
        elif kind == BYE:
            return


main()
