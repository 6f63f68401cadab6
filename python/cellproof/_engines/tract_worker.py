"""Cellproof worker for tract, an inference engine in Rust: python tract_worker.py. Needs the package tract."""

from __future__ import annotations

import os
import pathlib
import sys
from typing import Any, List

if __name__ == "__main__":
    sys.path[0] = str(pathlib.Path(__file__).resolve().parents[2])  # in place of this file's own folder, whose names are not for others

import cellproof  # before numpy: it sets the number of threads

# What tract says of what it lacks. Everything else refuses this very model.
GAPS = ("nimplemented", "not supported", "nsupported", "not implemented", "No translation found", "UnimplementedOp")


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
            problem.prepared()
            return [output.to_numpy() for output in runnable.run([problem.inputs[name] for name in names])]
        except tract.TractError as error:
            if any(sign in str(error) for sign in GAPS):
                raise cellproof.NotSupported(_reason(error)) from error
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


def _reason(error: Exception) -> str:
    """All that it gives as causes, in one line, without the stack."""
    lines = str(error).split("Stack backtrace:")[0].splitlines()
    return ": ".join(line.strip() for line in lines if line.strip() and line.strip() != "Caused by:")


if __name__ == "__main__":
    main(*sys.argv[1:])
