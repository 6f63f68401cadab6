"""The pytest plugin: pytest run in pytest."""

import json
import pathlib
import shutil
import sys

import pytest

import cellproof
from cellproof._pytest import name_of_engine

pytest_plugins = ["pytester"]
PACKAGE = str(pathlib.Path(cellproof.__file__).resolve().parents[1])


@pytest.mark.parametrize(
    "argument, name",
    [
        ("onnxruntime", "onnxruntime"),
        ("mine=python a=b", "mine"),
        ("backend:onnxruntime.backend", "onnxruntime.backend"),
        ("onnxruntime=/a=b/libonnxruntime.so.1.20.0", "onnxruntime@1.20.0"),
        ("onnxruntime=/opt/my build/libonnxruntime.so", "onnxruntime@my-build"),
        ("onnxruntime=libonnxruntime.so", "onnxruntime@library"),
        ("onnxruntime:ggml,device=cpu", "onnxruntime@ggml"),
    ],
)
def test_an_engine_is_called_as_in_reports(argument, name):
    """The same arguments as in engines/engine_argument_test.cpp."""
    assert name_of_engine(argument) == name


@pytest.fixture
def engine(pytester):
    """An engine that is wrong with B alone, and has a gap."""
    here = __file__.rpartition("/")[0]
    pytester.makepyfile(worker=f"""
        import sys
        sys.path.insert(0, {here!r})
        import cellproof
        from lstm import Lstm
        cellproof.worker(Lstm(mistake="the second half of B left out"), version="1")
    """)
    return f"mine={sys.executable} worker.py"


@pytest.fixture(autouse=True)
def package(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", PACKAGE)


def run(pytester, *arguments):
    return pytester.runpytest_subprocess("-p", "cellproof._pytest", "-p", "no:cacheprovider", *arguments)


def test_each_case_is_a_test_with_a_name_of_its_own(pytester, engine):
    names = []
    for _ in range(2):
        listed = run(pytester, "--cellproof-engine", engine, "--collect-only", "-q").outlines
        names.append([line for line in listed if line.startswith("cellproof::")])
    assert names[0] == names[1] and len(set(names[0])) == len(names[0]) > 500
    assert "cellproof::mine::smoke::LSTM-22/plain" in names[0]


def test_passes_gaps_and_failures_are_told_apart(pytester, engine):
    pytester.makepyfile(test_own="def test_own(): pass")
    result = run(pytester, "--cellproof-engine", engine, "-k", "own or LSTM-22/plain or LSTM-22/rich or GRU-22/plain", "-rA")
    result.stdout.fnmatch_lines_random(
        [
            "PASSED cellproof::mine::smoke::LSTM-22/plain",
            "FAILED cellproof::mine::smoke::LSTM-22/rich*",
            "SKIPPED * NOT_SUPPORTED: this is an LSTM, and no GRU",
            "PASSED test_own.py::test_own",
            "collected * items / * deselected / * selected",
            "DIVERGES: Y differs from step 0 of the forward direction on: *",
            "behaves like rb-ignored",
            "cellproof replay 'cellproof-case/1 op=LSTM-22 *' --engine 'mine=* worker.py'",
            "signature: v1:(mine, LSTM, DIVERGES, *",
        ]
    )
    assert result.ret == 1 and "/ -" not in result.stdout.str()


def test_waived_failures_are_xfailed_and_waivers_are_strict(pytester, engine):
    options = ["--cellproof-engine", engine, "--cellproof-output", "kept", "-q", "-rx", "--tb=short"]
    run(pytester, *options)
    findings = [json.loads(line) for line in (pytester.path / "kept/mine/findings.jsonl").read_text().splitlines()]
    failing = {f["signature"]: f["case"] for f in findings if not f["pass"]}
    assert failing

    def waive(signatures):
        rest = {"versions": "*", "url": "https://example.org/1", "expires": "2099-01-31", "why": "known"}
        rows = [{"signature": s, "case": c, **rest} for s, c in signatures.items()]
        (pytester.path / "waivers.json").write_text(json.dumps({"waivers": rows}))

    waive(failing)
    shutil.rmtree(pytester.path / "kept")
    result = run(pytester, *options, "--cellproof-waivers", "waivers.json")
    outcomes = result.parseoutcomes()
    assert outcomes["xfailed"] == sum(not f["pass"] for f in findings) and "failed" not in outcomes and result.ret == 0
    result.stdout.fnmatch_lines_random(["XFAIL cellproof::mine::smoke::LSTM-22/rich* waived until 2099-01-31: known*"])

    shutil.rmtree(pytester.path / "kept")
    waive({**failing, "v1:(mine, GRU, DIVERGES, Y, value, -, clip=biting)": "cellproof-case/1 op=GRU-22 type=float T=5 N=3 I=4 H=6"})
    result = run(pytester, *options, "--cellproof-waivers", "waivers.json", "-rf")
    assert result.parseoutcomes()["failed"] == 1
    result.stdout.fnmatch_lines_random(["FAILED cellproof::mine::waivers*"])


def test_waivers_that_cannot_be_read_are_no_waivers(pytester):
    (pytester.path / "junk").write_text("junk")
    for waivers in ("absent", "junk"):
        result = run(pytester, "--cellproof-engine", "reference", "--cellproof-suite", "onnx-backend", "--cellproof-waivers", waivers)
        assert "passed" not in result.parseoutcomes()
        result.stdout.fnmatch_lines_random([f"*{waivers}*", "the waivers were not asked (exit code 2)*"])


def test_an_engine_that_does_not_start_fails_every_test(pytester):
    result = run(pytester, "--cellproof-engine", f"broken={sys.executable} none.py", "-k", "LSTM-22/plain")
    assert result.parseoutcomes()["failed"] == 1
    result.stdout.fnmatch_lines_random(["the case was not run (exit code *", "*broken*"])


def test_a_wrong_suite_is_said_at_once_and_nothing_is_added_unasked(pytester):
    result = run(pytester, "--cellproof-engine", "reference", "--cellproof-suite", "nonsense")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*nonsense*"])
    assert run(pytester).ret == 5  # no tests
