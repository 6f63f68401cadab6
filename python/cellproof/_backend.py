"""Any runtime with ONNX's Backend interface as an engine: `cellproof run --engine backend:PACKAGE.MODULE`.

python _backend.py PACKAGE.MODULE [DEVICE] is its worker. The module has `prepare` (as onnxruntime.backend), or a class that has it (a subclass of
onnx.backend.base.Backend). DEVICE is "CPU" where nothing else is said.
"""

from __future__ import annotations

import pathlib
import sys

if __name__ == "__main__":
    sys.path[0] = str(pathlib.Path(__file__).resolve().parents[1])  # in place of this file's own folder, whose names are not for others

import cellproof  # before numpy: it sets the number of threads

import importlib
import unittest
from typing import Any, Callable

# What runtimes say of what they lack, in exceptions of no type of its own; everything else is a refusal of this very model.
GAPS = ("NOT_IMPLEMENTED", "not implemented", "No implementation for operator")


def backend_of(name: str) -> Any:
    """The module of this name, or a class in it or by it, that has `prepare`. Raises ImportError where there is none."""
    try:
        found = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name or "." not in name:
            raise
        module, _, attribute = name.rpartition(".")
        found = getattr(importlib.import_module(module), attribute, None)
        if found is None:
            raise
    if hasattr(found, "prepare"):
        return found
    own = [c for c in vars(found).values() if isinstance(c, type) and hasattr(c, "prepare") and c.__module__.startswith(found.__name__)]
    if len(own) != 1:
        raise ImportError(f"{name} has no function prepare and {len(own) or 'no'} classes with one: it is no ONNX backend")
    return own[0]


def run_of(backend: Any, device: str) -> Callable[[cellproof.Problem], Any]:
    """An engine's run by `prepare` and the prepared model's `run`."""
    import onnx

    def run(problem: cellproof.Problem) -> Any:
        model = onnx.load_from_string(problem.model)
        try:
            if not getattr(backend, "is_compatible", lambda *_: True)(model, device):
                raise cellproof.NotSupported("the backend says that the model is not compatible")
            prepared = backend.prepare(model, device)
            if prepared is None:
                raise cellproof.NotSupported("the backend prepares nothing for the model")
            problem.prepared()
            return list(prepared.run(list(problem.inputs.values())))
        except unittest.SkipTest as error:  # how ONNX's own runner is told of a gap
            raise cellproof.NotSupported(str(error)) from error
        except Exception as error:
            if any(sign in str(error) for sign in GAPS):
                raise cellproof.NotSupported(str(error)) from error
            raise

    return run


def main(name: str, device: str = "CPU") -> None:
    try:
        backend = backend_of(name)
        run = run_of(backend, device)
    except ImportError as error:
        cellproof.absent(f"{name}: {error} (in {sys.executable}; CELLPROOF_ENGINE_PYTHON names another Python)")
    if hasattr(backend, "supports_device") and not backend.supports_device(device):
        cellproof.absent(f"{name} does not support the device {device}")
    package = sys.modules[name.partition(".")[0]]
    cellproof.worker(run, name=name, version=str(getattr(package, "__version__", "")))


if __name__ == "__main__":
    main(*sys.argv[1:])
