"""Tensors and models as ONNX's own package writes and reads them."""

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import numpy_helper

from cellproof import NotSupported, Problem, _protobuf, _tensors

TYPES = ["float32", "float64", "float16", "int8", "uint8", "int16", "uint16", "int32", "int64", "uint32", "uint64", "bool", "complex64", "complex128"]


@pytest.mark.parametrize("dtype", [np.dtype(name) for name in TYPES] + [np.dtype(ml_dtypes.bfloat16)], ids=str)
@pytest.mark.parametrize("shape", [(), (0, 3), (3, 1, 2)], ids=str)
def test_every_type_goes_there_and_back(dtype, shape):
    value = (np.arange(np.prod(shape, dtype=int)).reshape(shape) % 3 - (0 if dtype.kind in "ub" else 1)).astype(dtype)
    theirs = numpy_helper.from_array(value, "x").SerializeToString()
    name, ours = _tensors.decode(theirs)
    assert name == "x" and ours.dtype == value.dtype and ours.shape == shape and ours.tobytes() == value.tobytes()
    ours.fill(0)  # it is nobody else's
    back = numpy_helper.to_array(onnx.TensorProto.FromString(_tensors.encode("y", value)))
    assert back.dtype == value.dtype and back.shape == shape and back.tobytes() == value.tobytes()


def test_long_dimensions_and_strided_arrays_keep_their_elements():
    value = np.arange(40000, dtype=np.float32).reshape(200, 200).T[::2]
    assert np.array_equal(_tensors.decode(_tensors.encode("x", value))[1], value)
    assert np.array_equal(_tensors.decode(_tensors.encode("x", value.astype(">f4")))[1], value)


def test_what_is_no_tensor_is_refused_by_name():
    with pytest.raises(NotSupported, match="data type 8"):
        _tensors.decode(_protobuf.field(2, onnx.TensorProto.STRING))
    with pytest.raises(NotSupported, match="raw_data"):
        _tensors.decode(onnx.helper.make_tensor("f", onnx.TensorProto.FLOAT, [1], [1.0]).SerializeToString())
    with pytest.raises(TypeError, match="Y is an array of object"):
        _tensors.encode("Y", [None, "a"])
    whole = numpy_helper.from_array(np.ones(300, np.float32)).SerializeToString()
    for end in range(1, len(whole), 7):
        with pytest.raises((ValueError, NotSupported)):
            _tensors.decode(whole[:end])


class OnlyDLPack:
    """An array of a framework: all it has is DLPack."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_anything_with_dlpack_is_an_array():
    value = np.arange(6, dtype=np.float16).reshape(2, 3)
    assert np.array_equal(_tensors.decode(_tensors.encode("x", OnlyDLPack(value)))[1], value)


def test_integers_of_both_forms():
    node = onnx.helper.make_node("LSTM", ["X"], ["Y"], many=[-1, 1 << 40], one=-7, text="a", texts=["b", "c"], number=0.5, numbers=[1.5, -2.0])
    packed = _protobuf.field(8, bytes([1, 2, 0xFF, 1]))
    assert [n for _, value in _protobuf.fields(packed) for n in _protobuf.integers(value)] == [1, 2, 255]
    problem = Problem(onnx.helper.make_model(onnx.helper.make_graph([node], "g", [], [])).SerializeToString(), {}, [])
    wanted = {"many": [-1, 1 << 40], "one": -7, "text": "a", "texts": ["b", "c"], "number": 0.5, "numbers": [1.5, -2.0]}
    assert problem.attributes == wanted


def test_weights_may_be_made_of_initializers_and_states_be_one_tensor():
    parts = [numpy_helper.from_array(np.full((4, 2), k, np.float32), f"W_{k}") for k in range(2)]
    axes = numpy_helper.from_array(np.zeros(1, np.int64), "axes")
    made = [onnx.helper.make_node("Unsqueeze", [f"W_{k}", "axes"], [f"part_{k}"]) for k in range(2)]
    joined = onnx.helper.make_node("Concat", ["part_0", "part_1"], ["W"], axis=0)
    node = onnx.helper.make_node("LSTM", ["X", "W", "R", "", "", "initial_h", "initial_h"], ["Y"])
    graph = onnx.helper.make_graph([*made, joined, node], "g", [], [], [*parts, axes])
    h = np.ones((2, 1, 1), np.float32)
    problem = Problem(onnx.helper.make_model(graph).SerializeToString(), {"initial_h": h}, ["Y"])
    assert problem.tensors["W"].shape == (2, 4, 2) and [row[0, 0] for row in problem.tensors["W"]] == [0, 1]
    assert problem.tensors["initial_h"] is h and problem.tensors["initial_c"] is h


def test_a_problem_says_what_its_node_is():
    weights = numpy_helper.from_array(np.ones((1, 4, 2), np.float32), "W")
    constant = onnx.helper.make_node("Constant", [], ["R"], value=numpy_helper.from_array(np.zeros((1, 4, 1), np.float32)))
    node = onnx.helper.make_node("DynamicQuantizeLSTM", ["X", "W", "R", "", "lens"], ["Y", "", "Y_c"], domain="com.microsoft")
    graph = onnx.helper.make_graph([constant, node], "g", [], [], [weights])
    opsets = [onnx.helper.make_opsetid("", 13), onnx.helper.make_opsetid("com.microsoft", 1)]
    x = np.ones((3, 2, 2), np.float32)
    problem = Problem(onnx.helper.make_model(graph, opset_imports=opsets).SerializeToString(), {"X": x}, ["Y", "Y_c"])
    assert (problem.operator, problem.domain, problem.version) == ("DynamicQuantizeLSTM", "com.microsoft", 1)
    assert list(problem.tensors) == ["X", "W", "R"]
    assert problem.tensors["X"] is x and problem.tensors["W"].shape == (1, 4, 2) and not problem.tensors["R"].any()
