"""A pytest plugin: one test for each vector and version.

pytest --cellproof-vectors onnxruntime.backend     (from a checkout: with -p cellproof_vectors._pytest)
"""

from __future__ import annotations

import importlib
from typing import Any, Dict, List

import pytest

import cellproof_vectors


def pytest_addoption(parser: "pytest.Parser") -> None:
    group = parser.getgroup("cellproof-vectors", "Vectors of ONNX's recurrent operators")
    group.addoption("--cellproof-vectors", action="append", default=[], metavar="BACKEND", help="Judge this module that has `prepare`, or a class in a module; repeatable")


def backend_of(name: str) -> Any:
    """The module of this name, or the class MODULE.CLASS."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        module, _, attribute = name.rpartition(".")
        if error.name != name or not module:
            raise pytest.UsageError(str(error)) from None
        found = getattr(importlib.import_module(module), attribute, None)
        if found is None:
            raise pytest.UsageError(str(error)) from None
        return found


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: "pytest.Session", config: "pytest.Config", items: "List[pytest.Item]") -> None:
    for name in config.getoption("--cellproof-vectors"):
        backend = backend_of(name)
        try:
            found = cellproof_vectors.vectors()
        except ValueError as error:
            raise pytest.UsageError(str(error)) from None
        for vector in found["vectors"]:
            for version in vector["versions"]:
                own = f"{vector['name']}-{version}"
                items.append(VectorItem.from_parent(session, name=own, nodeid=f"vectors::{name}::{own}", backend=backend, vector=vector, version=version))


class VectorItem(pytest.Item):
    """One vector in one version of its operator."""

    def __init__(self, *, backend: Any, vector: Dict[str, Any], version: int, **rest: Any) -> None:
        super().__init__(**rest)
        self.backend, self.vector, self.version = backend, vector, version

    def runtest(self) -> None:
        result = cellproof_vectors.result_of(self.backend, self.vector, self.version)
        if result.failed:
            pytest.fail(str(result), pytrace=False)
        if result.verdict == cellproof_vectors.REFUSED:
            pytest.skip(str(result))
