"""A pytest plugin: one test for each case of a suite and each engine.

pytest --cellproof-engine onnxruntime --cellproof-suite smoke     (from a checkout: with -p cellproof._pytest)

The first test that runs has `cellproof run` judge the whole suite on its engine; each test then tells its case's share: passed, failed, skipped for a gap,
xfailed for a failure that a waiver accepts. Names are those of the cases, the same from run to run.
"""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as xml
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple

import pytest

from cellproof import _program

if TYPE_CHECKING:
    from cellproof import _judging

WAIVED = "waived until"
FAILS = 1  # exit code of a run with failures, of waivers, too


def pytest_addoption(parser: "pytest.Parser") -> None:
    group = parser.getgroup("cellproof", "Cellproof: conformance of ONNX's recurrent operators")
    group.addoption("--cellproof-engine", action="append", default=[], metavar="ENGINE", help="Judge this engine, as `cellproof run --engine` takes it; repeatable")
    group.addoption("--cellproof-suite", action="append", default=[], metavar="SUITE", help="Run this suite or tier; repeatable (default: smoke)")
    group.addoption("--cellproof-waivers", metavar="FILE", help="Accept the failures that this file waives: they are xfailed")
    group.addoption("--cellproof-output", metavar="DIR", help="Keep the report below this folder (default: pytest's temporary folder)")
    group.addoption("--cellproof-option", action="append", default=[], metavar="OPTION", help="Hand this on to `cellproof run`, as --jobs=2; repeatable")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: "pytest.Session", config: "pytest.Config", items: "List[pytest.Item]") -> None:
    if not config.getoption("--cellproof-engine"):
        return
    from cellproof import _judging  # with numpy, which no other session of pytest has to wait for

    suites = config.getoption("--cellproof-suite") or ["smoke"]
    before = len(items)
    for engine in config.getoption("--cellproof-engine"):
        run = _Run(config, engine, suites)
        try:
            for case in (case for suite in suites for case in _judging.cases(suite)):
                items.append(CaseItem.from_parent(session, name=case.name, nodeid=f"cellproof::{run.name}::{case.suite}::{case.name}", run=run, case=case))
        except _program.ProgramError as error:
            raise pytest.UsageError(str(error)) from None
        if config.getoption("--cellproof-waivers"):
            items.append(WaiversItem.from_parent(session, name="waivers", nodeid=f"cellproof::{run.name}::waivers", run=run))
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if hasattr(reporter, "_numcollected"):  # it has counted what files gave
        reporter._numcollected += len(items) - before


def name_of_engine(argument: str) -> str:
    """An engine's name in reports, as the program gives it (engines/engine_argument.cpp)."""
    library, provider, backend = "onnxruntime=", "onnxruntime:", "backend:"
    if argument.startswith(library):
        path = pathlib.PurePath(argument[len(library) :])
        variant = path.name.rpartition(".so.")[2] if ".so." in path.name else path.parent.name
        return "onnxruntime@" + (re.sub("[^A-Za-z0-9._-]", "-", variant) or "library")
    if argument.startswith(provider):
        return "onnxruntime@" + argument[len(provider) :].split(",", 1)[0]
    if "=" not in argument and argument.startswith(backend):
        return argument[len(backend) :]
    return argument.split("=", 1)[0]


class _Run:
    """One engine's run of all suites, made when its first test asks for it."""

    def __init__(self, config: "pytest.Config", engine: str, suites: List[str]) -> None:
        self.config, self.engine, self.suites = config, engine, suites
        self.name = name_of_engine(engine)
        self.exit_code = 0
        self.said = ""
        self._told = False
        self._results: Optional[Dict[Tuple[str, str], Dict[str, Any]]] = None
        self.waived: Dict[Tuple[str, str], str] = {}

    def results(self) -> Dict[Tuple[str, str], Dict[str, Any]]:
        """The findings by suite and case name."""
        if self._results is None:
            self._results = self._judge()
        return self._results

    def take_said(self) -> str:
        """What the program said, for the first test that asks: the others would repeat it."""
        told, self._told = self._told, True
        return ", as the first one of this engine says" if told else f":\n{self.said}"

    def _judge(self) -> Dict[Tuple[str, str], Dict[str, Any]]:
        folder = self._folder()
        command = [_program.program_path(), "run", "--engine", self.engine, "-o", str(folder), "--explain", "0"]
        for suite in self.suites:
            command += ["--suite", suite]
        waivers = self.config.getoption("--cellproof-waivers")
        command += ["--waivers", waivers] if waivers else []
        environment = {"CELLPROOF_ENGINE_PYTHON": sys.executable, **_program.environment()}
        done = subprocess.run([*command, *self.config.getoption("--cellproof-option")], capture_output=True, text=True, env=environment, check=False)
        self.exit_code, self.said = done.returncode, (done.stderr + done.stdout).strip()
        findings = folder / "findings.jsonl"
        if not findings.exists():
            return {}
        rows = [json.loads(line) for line in findings.read_text(encoding="utf-8").splitlines()]
        if waivers:
            self.waived = _waived(folder / "junit.xml")
        return {(row["suite"], row["case_name"]): row for row in rows}

    def _folder(self) -> pathlib.Path:
        given = self.config.getoption("--cellproof-output")
        if given:
            return pathlib.Path(given) / self.name
        return self.config._tmp_path_factory.mktemp("cellproof") / self.name


def _waived(junit: pathlib.Path) -> Dict[Tuple[str, str], str]:
    """Why each waived failure is accepted."""
    found = {}
    for case in xml.parse(junit).getroot().iter("testcase"):
        skipped = case.find("skipped")
        if skipped is not None and skipped.get("message", "").startswith(WAIVED):
            found[(case.get("classname", "").rpartition(".")[2], case.get("name", "").rpartition(" ")[2])] = skipped.get("message", "")
    return found


class _Failed(Exception):
    """A failure told by its text alone."""


class _Item(pytest.Item):
    def __init__(self, *, run: _Run, **rest: Any) -> None:
        super().__init__(**rest)
        self.of_run = run

    def reportinfo(self) -> Tuple[str, Optional[int], str]:
        return "cellproof", None, self.nodeid

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        return str(excinfo.value) if isinstance(excinfo.value, _Failed) else super().repr_failure(excinfo, style)


class CaseItem(_Item):
    """One case on one engine."""

    def __init__(self, *, case: _judging.Case, **rest: Any) -> None:
        super().__init__(**rest)
        self.case = case

    def runtest(self) -> None:
        from cellproof import _judging

        row = self.of_run.results().get((self.case.suite, self.case.name))
        if row is None:
            raise _Failed(f"the case was not run (exit code {self.of_run.exit_code}){self.of_run.take_said()}")
        verdict = _judging.Verdict(row)
        why = self.of_run.waived.get((self.case.suite, self.case.name))
        if why is not None and not verdict.passed:
            pytest.xfail(why)
        if not verdict.passed:
            engine = self.of_run.engine.replace("'", "'\\''")
            replay = f"cellproof replay '{self.case.line}' --engine '{engine}'"
            fault = f"behaves like {verdict.faults[0]}\n" if verdict.faults else ""
            raise _Failed(f"{verdict}\n{fault}{replay}\nsignature: {row['signature']}")
        if verdict.outcome in ("NOT_SUPPORTED", "REJECTED", "ENGINE_ABSENT") and verdict.verdict is None:
            pytest.skip(str(verdict))


class WaiversItem(_Item):
    """The waivers themselves: none has expired, is unmatched or no longer needed."""

    def runtest(self) -> None:
        results = self.of_run.results()
        unexpected = any(not row["pass"] and key not in self.of_run.waived for key, row in results.items())
        if self.of_run.exit_code not in (0, FAILS):
            raise _Failed(f"the waivers were not asked (exit code {self.of_run.exit_code}){self.of_run.take_said()}")
        if self.of_run.exit_code == FAILS and not unexpected:
            complaints = [line for line in self.of_run.said.splitlines() if "waiver" in line]
            raise _Failed("\n".join(complaints) or self.of_run.said)
