#!/usr/bin/env python3
"""Builds the wheel `cellproof-vectors` around a vectors.json: pure Python, at most 2 MB, the same bytes each time.

    setup/vectors_wheel.py vectors.json FOLDER
"""

import base64
import gzip
import hashlib
import json
import pathlib
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
MOST_BYTES = 2_000_000


def files_of(data: bytes, version: str) -> dict[str, bytes]:
    """What the wheel holds, by name, but for its record."""
    info = f"cellproof_vectors-{version}.dist-info"
    metadata = ["Metadata-Version: 2.1", "Name: cellproof-vectors", f"Version: {version}", "Requires-Python: >=3.9", "Requires-Dist: numpy>=1.22"]
    metadata += ["Summary: Vectors of ONNX's recurrent operators, with an interval for each output element", "Provides-Extra: onnx", 'Requires-Dist: onnx; extra == "onnx"']
    files = {f"cellproof_vectors/{p.name}": p.read_bytes() for p in (ROOT / "python/cellproof_vectors").glob("*.py")}
    files["cellproof_vectors/vectors.json.gz"] = gzip.compress(data, 9, mtime=0)
    files[f"{info}/METADATA"] = ("\n".join(metadata) + "\n").encode()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: setup/vectors_wheel.py\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[f"{info}/entry_points.txt"] = b"[pytest11]\ncellproof_vectors = cellproof_vectors._pytest\n"
    files[f"{info}/licenses/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    return files


def write(wheel: pathlib.Path, files: dict[str, bytes], version: str) -> None:
    record = f"cellproof_vectors-{version}.dist-info/RECORD"
    rows = [f"{n},sha256={base64.urlsafe_b64encode(hashlib.sha256(d).digest()).rstrip(b'=').decode()},{len(d)}" for n, d in sorted(files.items())]
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in [*sorted(files.items()), (record, "\n".join([*rows, f"{record},,"]).encode() + b"\n")]:
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, data)


def main(arguments: list[str]) -> int:
    if len(arguments) != 2:
        print("usage: setup/vectors_wheel.py VECTORS.JSON FOLDER", file=sys.stderr)
        return 2
    try:
        data = pathlib.Path(arguments[0]).read_bytes()
        version = json.loads(data)["version"]  # the package itself looks at the rest each time it reads the file
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f"{arguments[0]}: no vectors.json of `cellproof vectors`: {error!r}", file=sys.stderr)
        return 2
    folder = pathlib.Path(arguments[1])
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"cellproof_vectors-{version}-py3-none-any.whl"
    write(wheel, files_of(data, version), version)
    size = wheel.stat().st_size
    if size > MOST_BYTES:
        wheel.unlink()
        print(f"setup/vectors_wheel.py: the wheel has {size} bytes, and {MOST_BYTES} is the most", file=sys.stderr)
        return 1
    print(f"{wheel} {size} bytes, sha256 {hashlib.sha256(wheel.read_bytes()).hexdigest()}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
