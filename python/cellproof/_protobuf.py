"""Reads and writes the few protobuf messages of ONNX that cross a pipe: no package of protobuf has to fit the engine's own."""

from __future__ import annotations

import struct
from typing import Iterator, Tuple, Union

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
Value = Union[int, bytes]


def _varint(data: bytes, place: int) -> Tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[place]
        place += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, place
        shift += 7


def signed(value: int) -> int:
    """An int64 as the wire's unsigned number holds it."""
    return value - (1 << 64) if value >= 1 << 63 else value


def fields(data: bytes) -> Iterator[Tuple[int, Value]]:
    """The fields of a message in their order: number, and the varint or the bytes. Raises ValueError for what is no message."""
    place, end = 0, len(data)
    try:
        while place < end:
            key, place = _varint(data, place)
            kind = key & 7
            if kind == VARINT:
                value, place = _varint(data, place)
                yield key >> 3, value
                continue
            if kind == BYTES:
                size, place = _varint(data, place)
            elif kind in (FIXED32, FIXED64):
                size = 4 if kind == FIXED32 else 8
            else:
                raise ValueError(f"a protobuf field of wire type {kind}")
            if place + size > end:
                raise IndexError
            yield key >> 3, data[place : place + size]
            place += size
    except IndexError:
        raise ValueError("a protobuf message that ends too early") from None


def integers(value: Value) -> Iterator[int]:
    """The int64 of a repeated field, packed or not."""
    if isinstance(value, int):
        yield signed(value)
        return
    place = 0
    while place < len(value):
        number, place = _varint(value, place)
        yield signed(number)


def floats(value: bytes) -> Tuple[float, ...]:
    """The floats of a repeated field, packed or not."""
    return struct.unpack(f"<{len(value) // 4}f", value)


def _number(value: int) -> bytes:
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number: int, value: Value) -> bytes:
    """A field with its key: an int that is not negative as a varint, bytes with their length."""
    if isinstance(value, int):
        return _number(number << 3 | VARINT) + _number(value)
    return _number(number << 3 | BYTES) + _number(len(value)) + value
