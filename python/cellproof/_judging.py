"""Cases, verdicts and causes."""

from __future__ import annotations

import json
import os
import pathlib
import tempfile
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Union

from cellproof import _frames, _program, _tensors
from cellproof._problem import Problem
from cellproof._worker import answer

Arrays = Union[Mapping[str, Any], Sequence[Any]]


@dataclass(frozen=True)
class Case:
    """One case: `line` is all of it, the rest says what it is."""

    line: str
    name: str = ""
    suite: str = ""
    operator: str = ""  # with its version: "LSTM-22"
    hash: str = ""
    law: str = ""  # that is tried on it; "": its outputs are judged

    def problem(self) -> Problem:
        """The case made concrete: its model and its inputs."""
        _, message, parts = _program.judge().ask(_program.MAKE, {"case": self.line})
        return Problem(parts[0], dict(map(_tensors.decode, parts[1:])), message["outputs"])

    def __str__(self) -> str:
        return self.line


@dataclass(frozen=True)
class Verdict:
    """What is proved about one answer. `record` is all of it, as docs/reports.md describes a finding."""

    record: Dict[str, Any] = field(repr=False)

    @property
    def passed(self) -> bool:
        """As `cellproof run` would count it: a gap passes, a crash never does."""
        return self.record["pass"]

    @property
    def verdict(self) -> Optional[str]:
        """ "CONFORMS", "READING", "PRECISION", "SUSPECT", "DIVERGES", "UNDECIDED", "REFUSED_AS_EXPECTED", "ACCEPTED_INVALID"; None for what did not run."""
        return self.record["judgement"]["verdict"]

    @property
    def outcome(self) -> str:
        """ "RAN", "NOT_SUPPORTED", "REJECTED", ...: what became of the call."""
        return self.record["outcome"]

    @property
    def faults(self) -> List[str]:
        """Ids of the faults under which every element is explained (`cellproof list faults`)."""
        return self.record["judgement"]["faults"]

    @property
    def readings(self) -> List[str]:
        """The readings that differ from the default, as CLAUSE=READING."""
        return self.record["judgement"]["readings"]

    @property
    def contract(self) -> str:
        """The contract that the verdict is about."""
        return self.record["judgement"]["contract"]

    @property
    def first(self) -> Optional[Dict[str, Any]]:
        """The first wrong element: output, index, step, direction, expected, actual, error, bound, gates."""
        return self.record["judgement"]["first"]

    @property
    def message(self) -> str:
        """The verdict in a sentence."""
        return self.record["judgement"]["message"]

    def __str__(self) -> str:
        what = self.verdict or self.outcome
        return f"{what}: {self.message}" if self.message else what


def cases(suite: str) -> List[Case]:
    """The cases of a suite or a tier (`cellproof list suites`), in their order."""
    _, _, parts = _program.judge().ask(_program.LIST, {"suite": suite})
    found = []
    for line in parts[0].splitlines():
        row = json.loads(line)
        found.append(Case(row["case"], row["name"], row["suite"], row["operator"], row["hash"], row["law"]))
    return found


def judge(model: Any, inputs: Arrays, outputs: Arrays, contract: Optional[str] = None) -> Verdict:
    """Judges outputs that somebody computed.

    model     a ModelProto, its bytes, or the path of its file: one recurrent node, with initializers or Constant nodes
    inputs    the arrays fed, by name or in the graph's order
    outputs   the arrays returned, by name or in the graph's order
    contract  the arithmetic that was promised (`cellproof list contracts`); None: the default of the type
    """
    given, returned = _named(inputs), _named(outputs)
    message = {
        "engine": "arrays",
        "contract": contract or "",
        "inputs": [name for name, _ in given],
        "outputs": [name for name, _ in returned],
    }
    tensors = [_tensors.encode(name, value) for name, value in given + returned]
    return Verdict(_program.judge().ask(_program.JUDGE, message, [_model_bytes(model), *tensors])[1])


def judge_callable(
    fn: Callable[[Problem], Any], case: Union[Case, str], contract: Optional[str] = None, *, repeat: bool = False, law: str = ""
) -> Verdict:
    """Judges a function on a case. `fn(problem)` returns what an engine's `run` returns, and may raise what that may raise (`cellproof.worker`).

    It is called as often as the verdict needs: most passing cases once, a failing one again; `repeat` calls it twice for each case.
    """
    law = law or (case.law if isinstance(case, Case) else "")
    message = {"case": str(case), "contract": contract or "", "repeat": repeat, "law": law, "engine": getattr(fn, "__name__", "callable")}
    program = _program.judge()
    with program.lock:
        program.begin(_program.TRY, message)
        while True:
            kind, request, parts = program.receive()
            if kind != _frames.RUN:
                return Verdict(request)
            try:
                reply, said, returned = answer(fn, None, request, parts)
            except BaseException:  # KeyboardInterrupt, SystemExit: not the function's answer
                program.give_up()
                raise
            program.send(reply, said, returned)


@dataclass(frozen=True)
class Cause:
    """One thing that an engine does otherwise. `record` is all of it, as docs/reports.md describes a cause."""

    engine: str
    id: str
    title: str
    status: str
    cases: int
    case: str
    record: Dict[str, Any] = field(repr=False)


def causes(store: Union[str, "os.PathLike[str]"]) -> List[Cause]:
    """The causes that a run found: of its folder, its causes.json or its store run.sqlite."""
    path = pathlib.Path(store)
    if path.is_dir():
        path = path / "causes.json" if (path / "causes.json").exists() else path / "run.sqlite"
    if path.suffix == ".json":
        text = path.read_text(encoding="utf-8")
    else:
        with tempfile.TemporaryDirectory() as folder:
            _program.write_report(str(path), folder, "causes")
            text = (pathlib.Path(folder) / "causes.json").read_text(encoding="utf-8")
    return [Cause(c["engine"], c["id"], c["title"], c["status"], c["cases"], c["case"], c) for c in json.loads(text)]


def _named(arrays: Arrays) -> List["tuple[str, Any]"]:
    if isinstance(arrays, Mapping):
        return list(arrays.items())
    return [("", value) for value in arrays]


def _model_bytes(model: Any) -> bytes:
    if isinstance(model, (bytes, bytearray)):
        return bytes(model)
    if hasattr(model, "SerializeToString"):
        return model.SerializeToString()
    return pathlib.Path(model).read_bytes()
