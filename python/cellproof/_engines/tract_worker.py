"""Cellproof worker for tract, an inference engine in Rust: python tract_worker.py. Needs the package tract."""

from __future__ import annotations

import os
import pathlib
import re
import sys
from typing import Any, List

if __name__ == "__main__":
    sys.path[0] = str(pathlib.Path(__file__).resolve().parents[2])  # in place of this file's own folder, whose names are not for others

import cellproof  # before numpy: it sets the number of threads

# What tract says of what it lacks, in its own sentences. Everything else refuses this very model.
GAPS = re.compile(r"\bUnimplemented\(\w+\)|\bNon (?:constant|uniform) seq_len is not supported$|\bUnknown DatumType Bfloat16$", re.MULTILINE)


def main() -> None:
    # Its errors hold the stack, with names looked up for a second each, unless this is set before the library is loaded.
    os.environ["RUST_BACKTRACE"] = os.environ["RUST_LIB_BACKTRACE"] = "0"
    try:
        import tract
    except ImportError as error:
        cellproof.absent(f"tract: {error} (in {sys.executable})")
    onnx = tract.onnx()
    if not hasattr(onnx, "load"):
        cellproof.absent(f"tract {tract.version()} has an older interface: 0.23 is the first that this worker knows")

    def run(problem: cellproof.Problem) -> List[Any]:
        try:
            model = onnx.load(_path_of(problem.model))
            names = [model.input_name(k) for k in range(model.input_count())]
            runnable = model.into_model().into_runnable()
        except tract.TractError as error:
            raise refusal(error) from error
        problem.prepared()
        try:
            return [output.to_numpy() for output in runnable.run([problem.inputs[name] for name in names])]
        except tract.TractError as error:  # it has taken the model: nothing is lacking
            raise RuntimeError(_reason(error)) from error

    cellproof.worker(run, name="tract", version=tract.version(), fork=True)


_file = -1


def _path_of(model: bytes) -> str:
    """tract loads a file: one in memory, the same for all models."""
    global _file
    if _file < 0:
        _file = os.memfd_create("model.onnx")
    os.ftruncate(_file, 0)
    os.pwrite(_file, model, 0)
    return f"/proc/{os.getpid()}/fd/{_file}"


def refusal(error: Exception) -> Exception:
    """NotSupported where it names what it lacks; otherwise what refuses the model."""
    return (cellproof.NotSupported if GAPS.search(str(error)) else RuntimeError)(_reason(error))


def _reason(error: Exception) -> str:
    """All that it gives as causes, in one line, without the stack."""
    lines = str(error).split("Stack backtrace:")[0].splitlines()
    return ": ".join(line.strip() for line in lines if line.strip() and line.strip() != "Caused by:")


if __name__ == "__main__":
    main(*sys.argv[1:])
