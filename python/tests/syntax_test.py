"""The package's sources are Python 3.9, the oldest that the wheel takes."""

import ast
import pathlib

import pytest

SOURCES = sorted(pathlib.Path(__file__).resolve().parents[1].glob("cellproof*/*.py"))


@pytest.mark.parametrize("source", SOURCES, ids=lambda p: p.name)
def test_is_python_3_9(source):
    ast.parse(source.read_text(encoding="utf-8"), feature_version=(3, 9))


def test_every_name_of_the_package_can_be_had():
    import cellproof

    assert all(getattr(cellproof, name) is not None for name in cellproof.__all__)
    with pytest.raises(AttributeError):
        cellproof.nothing
