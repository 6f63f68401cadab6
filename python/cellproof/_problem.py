"""One node with its inputs, as an engine is asked to run it."""

from __future__ import annotations

import struct
import time
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

import numpy as np

from cellproof import _protobuf, _tensors
from cellproof._errors import NotSupported

# Last nodes of a model in which the recurrent one stands in another graph: an If, what takes apart the results of a Loop, the call of a function.
AROUND, FUNCTIONS = ("If", "Squeeze"), "cellproof.nesting"
Attribute = Union[int, float, str, List[int], List[float], List[str]]


class _Node:
    """All that the model says: its recurrent node is the last one, the others are Constant nodes, or make weights of initializers."""

    def __init__(self, model: bytes) -> None:
        graph, self.opsets = b"", {}
        for number, value in _protobuf.fields(model):
            if number == 7:
                graph = value
            elif number == 8:
                opset = dict(_protobuf.fields(value))
                self.opsets[bytes(opset.get(1, b"")).decode()] = int(opset.get(2, 0))
        parts = list(_protobuf.fields(graph))
        nodes = [value for number, value in parts if number == 1]
        self._read(nodes[-1])
        if self.operator in AROUND or self.domain == FUNCTIONS:
            raise NotSupported("the node stands in an If, a Loop or a function, where `operator`, `attributes` and `tensors` do not look")
        self.constants: Dict[str, np.ndarray] = dict(_tensors.decode(value) for number, value in parts if number == 5)
        for node in nodes[:-1]:
            self._add_constant(node)

    def _add_constant(self, node: bytes) -> None:
        found = dict(_protobuf.fields(node))
        inputs = [bytes(value).decode() for number, value in _protobuf.fields(node) if number == 1]
        output, operator = bytes(found[2]).decode(), bytes(found[4]).decode()
        if operator == "Unsqueeze":  # of a weight: a first axis for the direction
            self.constants[output] = self.constants[inputs[0]][None]
        elif operator == "Concat":
            self.constants[output] = np.concatenate([self.constants[name] for name in inputs])
        else:
            attribute = dict(_protobuf.fields(found[5]))
            self.constants[output] = _tensors.decode(attribute[5])[1]

    def _read(self, node: bytes) -> None:
        self.inputs: List[str] = []
        self.operator = self.domain = ""
        self.attributes: Dict[str, Attribute] = {}
        for number, value in _protobuf.fields(node):
            if number == 1:
                self.inputs.append(bytes(value).decode())
            elif number == 4:
                self.operator = bytes(value).decode()
            elif number == 5:
                name, attribute = _attribute(value)
                self.attributes[name] = attribute
            elif number == 7:
                self.domain = bytes(value).decode()


def _attribute(data: bytes) -> "tuple[str, Any]":
    name, kind = "", 0
    lists: Dict[int, list] = {6: [], 7: [], 8: []}  # FLOATS, INTS and STRINGS by their AttributeProto.type
    single: Any = None
    for number, value in _protobuf.fields(data):
        if number == 1:
            name = bytes(value).decode()
        elif number == 2:
            single = struct.unpack("<f", value)[0]
        elif number == 3:
            single = _protobuf.signed(value)
        elif number == 4:
            single = bytes(value).decode(errors="replace")
        elif number == 7:
            lists[6].extend(_protobuf.floats(value))
        elif number == 8:
            lists[7].extend(_protobuf.integers(value))
        elif number == 9:
            lists[8].append(bytes(value).decode(errors="replace"))
        elif number == 20:
            kind = int(value)
    return name, lists[kind] if kind in lists else single


class Problem:
    """What an engine is asked.

    model    the serialised ModelProto: hand it to a runtime as it is
    inputs   the graph's inputs by name, each an array of its own
    outputs  the names of the graph's outputs, in the order in which they are to be returned

    An engine that is a function and no runtime reads the node itself: operator, version, attributes, and `tensors`, all inputs by their names in the
    specification (X, W, R, B, ...), whether the model holds them or the caller feeds them.
    """

    def __init__(self, model: bytes, inputs: Dict[str, np.ndarray], outputs: List[str]) -> None:
        self.model = model
        self.inputs = inputs
        self.outputs = outputs
        self._parsed: Optional[_Node] = None
        self._begin = time.perf_counter()
        self._prepared: Optional[float] = None

    @property
    def _node(self) -> _Node:
        if self._parsed is None:
            self._parsed = _Node(self.model)
        return self._parsed

    @property
    def operator(self) -> str:
        """ "LSTM", "GRU", "RNN", "DynamicQuantizeLSTM"."""
        return self._node.operator

    @property
    def domain(self) -> str:
        """The operator's domain, "" for ONNX's own."""
        return self._node.domain

    @property
    def version(self) -> int:
        """The opset that the model imports for the operator's domain, which is the version that the operator has since then."""
        return self._node.opsets.get(self._node.domain, 0)

    @property
    def attributes(self) -> Dict[str, Attribute]:
        """The attributes that the node gives; those left out have their defaults."""
        return self._node.attributes

    @property
    def tensors(self) -> Dict[str, np.ndarray]:
        """All inputs that are there, by their names in the specification. Where a model alone is asked about, what the caller would feed is missing."""
        node = self._node
        values = {**node.constants, **self.inputs}
        named = {name: values[name] for name in node.inputs if name in values}
        if node.inputs[5:7] == ["initial_h", "initial_h"] and "initial_h" in named:  # one tensor for both states
            named["initial_c"] = named["initial_h"]
        return named

    def prepared(self) -> None:
        """Ends the preparation (a session is made): what follows counts as the run."""
        self._prepared = time.perf_counter()

    def _timings(self, end: float) -> Dict[str, float]:
        middle = self._begin if self._prepared is None else self._prepared
        return {"prepare": middle - self._begin, "run": end - middle}


def encoded_outputs(problem: Problem, returned: Any) -> List[bytes]:
    """The outputs as TensorProtos: of a sequence in the order of `problem.outputs`, a mapping by name, or a single array."""
    if isinstance(returned, Mapping):
        returned = [returned[name] for name in problem.outputs]
    elif not isinstance(returned, Sequence):
        returned = [returned]
    names = list(problem.outputs) + [f"output_{k}" for k in range(len(problem.outputs), len(returned))]
    return [_tensors.encode(name, value) for name, value in zip(names, returned)]
