"""numpy's float32 with every operation rounded to bfloat16, up or down by chance: what any computation in bfloat16 may be off by.

Stochastic arithmetic in the manner of CESTAC (J. Vignes, 1993): the spread of a few such computations is the error that rounding makes. numpy_node.py computes on
these arrays as on any others.
"""

import contextlib

import numpy as np

_chance = np.random.default_rng(0)


@contextlib.contextmanager
def drawn_from(seed):
    """Draws the roundings inside from this seed."""
    global _chance
    before, _chance = _chance, np.random.default_rng(seed)
    try:
        yield
    finally:
        _chance = before


def from_bits(codes):
    """float32 of bfloat16's 16 bits."""
    return (np.ascontiguousarray(codes).view(np.uint16).astype(np.uint32) << 16).view(np.float32)


def _by_chance(values):
    """One of the two neighbours in bfloat16, where a value is none itself."""
    values = np.ascontiguousarray(values, np.float32)
    bits = values.view(np.uint32)
    down = bits & np.uint32(0xFFFF0000)
    inexact = (bits != down) & np.isfinite(values)
    up = inexact & (_chance.random(values.shape) < 0.5)
    chosen = (down + (up.astype(np.uint32) << np.uint32(16))).view(np.float32)
    return np.where(np.isnan(values), values, chosen)


class Rounded(np.ndarray):
    """float32 whose operations give bfloat16."""

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **options):
        plain = [np.asarray(i) if isinstance(i, Rounded) else i for i in inputs]
        if out is not None:
            options["out"] = tuple(np.asarray(o) for o in out)
        result = getattr(ufunc, method)(*plain, **options)
        return rounded(result) if isinstance(result, (np.ndarray, np.floating)) else result


def rounded(array):
    """The array, if it is of floats, with values of bfloat16; other arrays and None as they are."""
    if array is None or not (isinstance(array, (np.ndarray, np.floating))) or array.dtype.kind not in "fV":
        return array
    return _by_chance(np.asarray(array).astype(np.float32)).reshape(np.shape(array)).view(Rounded)
