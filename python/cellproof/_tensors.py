"""ONNX's TensorProto to numpy arrays and back, all types; bfloat16 by ml_dtypes."""

from __future__ import annotations

from typing import Any, Dict, List, Tuple

import numpy as np

from cellproof import _protobuf
from cellproof._errors import NotSupported

BFLOAT16 = 16
TYPES: Dict[int, str] = {
    1: "float32",
    2: "uint8",
    3: "int8",
    4: "uint16",
    5: "int16",
    6: "int32",
    7: "int64",
    9: "bool",
    10: "float16",
    11: "float64",
    12: "uint32",
    13: "uint64",
    14: "complex64",
    15: "complex128",
    BFLOAT16: "bfloat16",
}
NUMBERS = {name: number for number, name in TYPES.items()}


def dtype_of(data_type: int) -> np.dtype:
    """The numpy type of a TensorProto.DataType. Raises NotSupported for one that numpy does not have."""
    name = TYPES.get(data_type)
    if name is None:
        raise NotSupported(f"tensors of ONNX's data type {data_type}")
    if data_type == BFLOAT16:
        try:
            import ml_dtypes
        except ImportError:
            raise NotSupported("bfloat16 needs the Python package ml_dtypes") from None
        return np.dtype(ml_dtypes.bfloat16)
    return np.dtype(name)


def decode(data: bytes) -> Tuple[str, np.ndarray]:
    """Name and value of a serialised TensorProto; the array is its own and may be written to."""
    shape: List[int] = []
    data_type, name, raw = 0, "", b""
    for number, value in _protobuf.fields(data):
        if number == 1:
            shape.extend(_protobuf.integers(value))
        elif number == 2:
            data_type = int(value)
        elif number == 8:
            name = bytes(value).decode()
        elif number == 9:
            raw = bytes(value)
        elif number in (4, 5, 6, 7, 10, 11, 13, 14):
            raise NotSupported("a tensor whose elements do not lie in raw_data")
    return name, np.frombuffer(raw, dtype_of(data_type)).reshape(shape).copy()


def encode(name: str, value: Any) -> bytes:
    """The serialised TensorProto of what an engine returned: an array, anything with DLPack, or what numpy makes an array of."""
    array = as_array(value)
    number = NUMBERS.get(array.dtype.name)
    if number is None:
        raise TypeError(f"{name} is an array of {array.dtype}, which ONNX does not have")
    dims = b"".join(_protobuf.field(1, int(size)) for size in array.shape)
    raw = array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
    return dims + _protobuf.field(2, number) + _protobuf.field(8, name.encode()) + _protobuf.field(9, raw)


def as_array(value: Any) -> np.ndarray:
    """The value as a numpy array, without a copy where it can be had so."""
    if isinstance(value, (np.ndarray, np.generic)):
        return np.asarray(value)
    if hasattr(value, "__dlpack__"):
        try:
            return np.from_dlpack(value)
        except (AttributeError, BufferError, RuntimeError, TypeError, ValueError):
            pass  # an older numpy, a device, a type that DLPack or numpy lacks: numpy's own way may do
    return np.asarray(value)
