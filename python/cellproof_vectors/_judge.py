"""Judges outputs by the vectors: every element lies in its interval, or it is wrong. numpy alone, and no tolerance to choose.

python _judge.py vectors.json outputs.npz     with arrays named "LSTM-01/Y"
"""

import hashlib
import json
import sys
import zipfile
import zlib

import numpy as np

FORMAT = "cellproof-vectors/1"
KINDS = {"float": "f4", "double": "f8", "float16": "f2", "bfloat16": "u2", "int8": "i1", "uint8": "u1", "int32": "i4"}


def load(text, name="vectors"):
    """The set in the text of a vectors.json. Raises ValueError, in one line, where it is damaged or of another format."""
    try:
        found = json.loads(text)
    except ValueError as error:
        raise ValueError(f"{name}: damaged or cut off: {error}") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        said = found.get("format") if isinstance(found, dict) else None
        raise ValueError(f"{name}: its format is {said!r}, expected {FORMAT!r}")
    rest = json.dumps({k: v for k, v in found.items() if k != "sha256"}, sort_keys=True, separators=(",", ":"))
    if hashlib.sha256(rest.encode()).hexdigest() != found.get("sha256"):
        raise ValueError(f"{name}: its numbers are not those of its sha256: damaged or changed")
    for vector in found["vectors"]:
        vector["tests"] = sorted({found["faults"][fault]["clause"] for fault in vector["kills"]})
    return found


def array(bits, kind, shape):
    """The tensor of these bit patterns; of bfloat16 the patterns themselves, as uint16."""
    width = np.dtype(KINDS[kind]).itemsize
    return np.array([int(word, 16) for word in bits.split()], f"u{width}").view(KINDS[kind]).reshape(shape)


def numbers(tensor, kind):
    """The values of a tensor, in double."""
    tensor = np.asarray(tensor)
    if kind == "bfloat16" and tensor.dtype.itemsize == 2:
        return (tensor.view("u2").astype("u4") << 16).view("f4").astype("f8")
    return tensor.astype("f8")


def type_of(vector):
    return vector["inputs"][0]["type"]


def mistakes(vector, way, outputs):
    """Sentences on the elements that are wrong under one way, the first of each output."""
    kind, batchwise = type_of(vector), vector["attributes"].get("layout", {}).get("value", 0) != 0
    for name, wanted in {**vector["ways"][0]["outputs"], **way["outputs"]}.items():
        actual = outputs.get(name)
        if actual is None or list(np.shape(actual)) != wanted["shape"]:
            yield f"{name} has the shape {None if actual is None else list(np.shape(actual))}, expected {wanted['shape']}"
            continue
        x, lo, hi = (numbers(t, kind) for t in (actual, *(array(wanted[k], kind, wanted["shape"]) for k in ("lo", "hi"))))
        may_be_nan = np.zeros(x.size, bool)
        may_be_nan[wanted.get("nan", [])] = True
        wrong = np.flatnonzero(~np.where(np.isnan(x), may_be_nan.reshape(x.shape), (lo <= x) & (x <= hi)))
        if wrong.size:
            at = np.unravel_index(wrong[0], x.shape)
            step = f", step {at[1 if batchwise else 0]}," if name == "Y" else ""
            right = "NaN" if lo[at] > hi[at] else f"{lo[at]:.9g} to {hi[at]:.9g}"
            yield f"{name}[{','.join(str(k) for k in at)}]{step} is {x[at]:.9g}, right is {right} ({wrong.size} of {x.size} are wrong)"


def judge(vector, outputs):
    """"" where the outputs, by name, are right under one of the readings; otherwise what is wrong: output, element, step, clauses."""
    found = [list(mistakes(vector, way, outputs)) for way in vector["ways"]]
    if not all(found):
        return ""
    tested = f"; among what it tests: {' '.join(vector['tests'][:3])}" if vector.get("tests") else ""
    open_clauses = f"; no reading of {', '.join(vector['clauses'])} helps" if vector["clauses"] else ""
    return f"{vector['name']}: {'; '.join(found[0])}{open_clauses}{tested} {vector['page']}"


def outputs_in(file):
    """The arrays of an .npz by name. Raises OSError or ValueError, in one line, where it is none or damaged."""
    if not zipfile.is_zipfile(file):
        open(file, "rb").close()  # says what is missing
        raise ValueError(f"{file}: no .npz, damaged or cut off")
    try:
        return dict(np.load(file))
    except (EOFError, ValueError, zipfile.BadZipFile, zlib.error) as error:
        raise ValueError(f"{file}: damaged: {error}".splitlines()[0]) from None


def main(vectors, outputs):
    try:
        with open(vectors, encoding="utf-8") as file:
            found = load(file.read(), vectors)
        given = outputs_in(outputs)
        said = [judge(v, {n: given[f"{v['name']}/{n}"] for n in v["outputs"] if f"{v['name']}/{n}" in given}) for v in found["vectors"]]
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    print("\n".join(filter(None, said)) or f"all {len(said)} vectors are right")
    return 1 if any(said) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]) if len(sys.argv) == 3 else (print(__doc__, file=sys.stderr), 2)[1])
