"""Frames of the worker protocol (docs/worker-protocol.md): u32 length, u8 kind, u32 JSON length, JSON, parts with u32 lengths."""

from __future__ import annotations

import json
import os
import struct
from typing import Any, Dict, List, Optional, Sequence, Tuple

HELLO, SUPPORTS, RUN, BYE = 1, 2, 3, 4
HELLO_REPLY, SUPPORTS_REPLY, RAN, NOT_SUPPORTED, REJECTED, OUT_OF_MEMORY, DIED = range(129, 136)

Message = Dict[str, Any]
Frame = Tuple[int, Message, List[bytes]]


def _read_exactly(descriptor: int, count: int) -> Optional[bytes]:
    """Not a byte more: the next request may be in the pipe already and belong to whoever serves then. None at the end of the pipe."""
    data = os.read(descriptor, min(count, 1 << 20))
    if len(data) == count:
        return data
    pieces = [data]
    count -= len(data)
    while count:
        if not pieces[-1]:
            return None
        pieces.append(os.read(descriptor, min(count, 1 << 20)))
        count -= len(pieces[-1])
    return b"".join(pieces)


def read_frame(descriptor: int) -> Optional[Frame]:
    """The next frame, or None where the pipe ends before it does."""
    head = _read_exactly(descriptor, 4)
    body = _read_exactly(descriptor, struct.unpack("<I", head)[0]) if head else None
    if not body:
        return None
    kind, json_length = struct.unpack_from("<BI", body)
    place = 5 + json_length
    message, parts = json.loads(body[5:place]), []
    while place < len(body):
        (size,) = struct.unpack_from("<I", body, place)
        parts.append(body[place + 4 : place + 4 + size])
        place += 4 + size
    return kind, message, parts


def write_frame(descriptor: int, kind: int, message: Message, parts: Sequence[bytes] = ()) -> None:
    """Raises BrokenPipeError where nobody reads any more."""
    text = json.dumps(message).encode()
    pieces = [struct.pack("<BI", kind, len(text)), text]
    for part in parts:
        pieces += [struct.pack("<I", len(part)), part]
    body = b"".join(pieces)
    rest = memoryview(struct.pack("<I", len(body)) + body)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
