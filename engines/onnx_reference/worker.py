"""Cellproof worker for ONNX's own reference evaluator (docs/worker-protocol.md). Needs nothing but the onnx package."""

import json
import os
import struct
import sys
import time
import warnings
import zlib

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one engine, one core: cases are small, and jobs run side by side

import numpy
import onnx
from onnx import numpy_helper
from onnx.reference import ReferenceEvaluator

HELLO, SUPPORTS, RUN, BYE = 1, 2, 3, 4
HELLO_REPLY, SUPPORTS_REPLY, RAN, NOT_SUPPORTED, REJECTED, OUT_OF_MEMORY = 129, 130, 131, 132, 133, 134

# What the evaluator says of operators and versions that it does not have; everything else is a refusal of this very model.
GAPS = ("No implementation for operator", "No registered implementation")


def read_exactly(pipe, count):
    data = pipe.read(count)
    if len(data) < count:
        sys.exit(0)  # the harness has gone
    return data


def read_frame(pipe):
    (length,) = struct.unpack("<I", read_exactly(pipe, 4))
    body = read_exactly(pipe, length)
    kind, json_length = struct.unpack_from("<BI", body)
    position = 5 + json_length
    message, parts = json.loads(body[5:position]), []
    while position < length:
        (size,) = struct.unpack_from("<I", body, position)
        parts.append(body[position + 4 : position + 4 + size])
        position += 4 + size
    return kind, message, parts


def write_frame(pipe, kind, message, parts=()):
    text = json.dumps(message).encode()
    body = struct.pack("<BI", kind, len(text)) + text + b"".join(struct.pack("<I", len(part)) + part for part in parts)
    pipe.write(struct.pack("<I", len(body)) + body)
    pipe.flush()


def printed_so_far():
    """Where the log ends: what is printed from now on belongs to the next request."""
    sys.stdout.flush()
    sys.stderr.flush()
    return os.fstat(2).st_size


def one_line(error):
    return f"{type(error).__name__}: {error}".split("\n", 1)[0][:400]


def run(names, model, tensors):
    """Kind, JSON and tensors of the answer."""
    inputs = dict(zip(names["inputs"], map(numpy_helper.to_array, map(onnx.TensorProto.FromString, tensors))))
    inputs = {name: value.copy() for name, value in inputs.items()}  # to_array may give read-only views
    begin = time.perf_counter()
    evaluator = ReferenceEvaluator(onnx.ModelProto.FromString(model))
    prepared = time.perf_counter()
    outputs = evaluator.run(names["outputs"], inputs)
    done = time.perf_counter()
    answer = {
        "timings": {"prepare": prepared - begin, "run": done - prepared},
        "inputs_crc32": [zlib.crc32(value.tobytes()) for value in inputs.values()],
    }
    named = zip(names["outputs"], outputs)
    return RAN, answer, [numpy_helper.from_array(numpy.asarray(y), n).SerializeToString() for n, y in named]


def answer_run(message, parts):
    try:
        return run(message, parts[0], parts[1:])
    except MemoryError as error:
        return OUT_OF_MEMORY, {"message": one_line(error)}, []
    except Exception as error:  # whatever the evaluator raises is its answer
        gap = isinstance(error, NotImplementedError) or any(sign in str(error) for sign in GAPS)
        return (NOT_SUPPORTED if gap else REJECTED), {"message": one_line(error)}, []


def main():
    warnings.simplefilter("once")  # numpy's overflow warnings go to the log, each once
    requests, replies = os.fdopen(3, "rb"), os.fdopen(4, "wb")
    while True:
        kind, message, parts = read_frame(requests)
        if kind == HELLO:
            write_frame(replies, HELLO_REPLY, {"protocol": 1, "name": "onnx-reference", "version": onnx.__version__, "numbered": True})
        elif kind == SUPPORTS:
            write_frame(replies, SUPPORTS_REPLY, {"supported": True})
        elif kind == RUN:
            answer_kind, answer, outputs = answer_run(message, parts)
            write_frame(replies, answer_kind, {**answer, "number": message.get("number"), "printed": printed_so_far()}, outputs)
        elif kind == BYE:
            return


main()
