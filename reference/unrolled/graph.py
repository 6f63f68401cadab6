"""A graph of primitive ONNX operators under construction, and its value by ONNX's reference evaluator."""

import numpy as np
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

OPSET = 22


class Graph:
    """Every method adds a node and returns the name of its output."""

    def __init__(self):
        self.nodes = []
        self.initializers = []

    def constant(self, array):
        name = f"constant_{len(self.initializers)}"
        self.initializers.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def number(self, value):
        return self.constant(np.array(value, dtype=np.float64))

    def node(self, op_type, *inputs, outputs=1, **attributes):
        names = [f"{op_type}_{len(self.nodes)}_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(op_type, inputs, names, **attributes))
        return names[0] if outputs == 1 else names

    def sum(self, *terms):
        total = terms[0]
        for term in terms[1:]:
            total = self.node("Add", total, term)
        return total

    def take(self, tensor, index, axis):
        """One slice of a tensor; the axis disappears."""
        return self.node("Gather", tensor, self.constant(np.array(index, dtype=np.int64)), axis=axis)

    def split(self, tensor, parts, axis):
        if parts == 1:
            return [tensor]
        return self.node("Split", tensor, outputs=parts, axis=axis, num_outputs=parts)

    def stack(self, tensors, axis):
        axes = self.constant(np.array([axis], dtype=np.int64))
        return self.node("Concat", *[self.node("Unsqueeze", t, axes) for t in tensors], axis=axis)

    def transpose(self, tensor, *perm):
        return self.node("Transpose", tensor, perm=list(perm))

    def cast(self, tensor, to):
        return self.node("Cast", tensor, to=to)

    def values(self, outputs):
        """The tensors of these names, as arrays."""
        anything = [helper.make_tensor_value_info(name, TensorProto.DOUBLE, None) for name in outputs]
        graph = helper.make_graph(self.nodes, "unrolled", [], anything, self.initializers)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
        return ReferenceEvaluator(model).run(None, {})
