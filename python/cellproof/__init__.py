"""Cellproof from Python: make a runtime an engine, judge arrays, judge a function, read causes. docs/python.md shows each."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cellproof._errors import NotSupported, ProgramError, absent
    from cellproof._judging import Case, Cause, Verdict, cases, causes, judge, judge_callable
    from cellproof._problem import Problem
    from cellproof._worker import worker

# A worker computes with one thread unless it is told otherwise: cases are small, and jobs run side by side. Libraries read this when they are imported.
if "CELLPROOF_HARNESS" in os.environ:
    for _variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(_variable, os.environ.get("CELLPROOF_THREADS", "1"))

# Where each name comes from; imported when it is first asked for, so that the program's start does not wait for numpy.
_HOME = {
    "Case": "cellproof._judging",
    "Cause": "cellproof._judging",
    "NotSupported": "cellproof._errors",
    "Problem": "cellproof._problem",
    "ProgramError": "cellproof._errors",
    "Verdict": "cellproof._judging",
    "absent": "cellproof._errors",
    "cases": "cellproof._judging",
    "causes": "cellproof._judging",
    "judge": "cellproof._judging",
    "judge_callable": "cellproof._judging",
    "worker": "cellproof._worker",
}
__all__ = list(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'cellproof' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOME[name]), name)
