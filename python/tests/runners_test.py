"""ONNX's own runner and a C program on the vectors: they find ONNX Runtime's known defects, and a crash ends one test alone."""

import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("made") / "vectors"
    subprocess.run([os.environ["CELLPROOF_PROGRAM"], "vectors", "-o", made], check=True, capture_output=True)
    return made


def test_a_crash_is_one_failure_in_onnx_runner(folder, tmp_path):
    for name in ("LSTM-01", "GRU-03", "RNN-20", "RNN-12"):  # the first has no row; the third takes ThresholdedRelu's default; the last has layout=1
        shutil.copytree(folder / f"backend-tests/test_{name}", tmp_path / name)
    done = subprocess.run([sys.executable, ROOT / "corpus/run_backend_tests.py", tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stdout.endswith("\n1 passed, 2 failed, 1 skipped\n"), done.stdout + done.stderr
    assert re.search(r"^crashed test_LSTM_01_cpu .*: SIGABRT$", done.stdout, re.MULTILINE), done.stdout
    assert re.search(r"^wrong test_RNN_20_cpu .*Mismatched elements", done.stdout, re.MULTILINE), done.stdout


def test_both_find_the_known_defects_and_nothing_else():
    script = ROOT / "lab/vectors/other_runners.py"
    done = subprocess.run([sys.executable, script, os.environ["CELLPROOF_PROGRAM"]], capture_output=True, text=True, check=False)
    assert done.stdout.endswith("found beyond these: ONNX's runner: none; C program: none\n"), done.stdout + done.stderr
    for defect in ("ends the process", "thresholded-relu-default-zero", "softplus-overflows", "nan-clipped-with-bias"):
        row = re.search(rf"^{defect} +\d+ +(\d+) of (\d+) +(\d+) of (\d+)$", done.stdout, re.MULTILINE)
        assert row and row[1] == row[2] != "0" and row[3] == row[4] != "0", done.stdout


@pytest.fixture(scope="module", params=["gcc", "clang"])
def judge(folder, tmp_path_factory, request):
    program = tmp_path_factory.mktemp("judge") / "judge"
    strict = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"]
    subprocess.run([request.param, *strict, f"-I{folder}", ROOT / "lab/vectors/judge.c", "-o", program], check=True)
    return lambda records: subprocess.run([program], input=records, capture_output=True, check=False)


def record(name, *outputs):
    return name.encode().ljust(32, b"\0") + b"".join(struct.pack(f"<I{len(each)}f", len(each), *each) for each in outputs)


def test_the_c_program_names_the_element(judge):
    right, wrong = record("RNN-01", [100.0], [100.0], []), record("RNN-01", [float("inf")], [100.0], [])
    said = judge(right + wrong + record("RNN-01", [100.0], [], []) + record("RNN-00", [], [], []))
    assert said.returncode == 0
    assert said.stdout.decode().splitlines() == ["RNN-01: right", "RNN-01: Y[0], step 0", "RNN-01: Y_h has another count of elements", "RNN-00: no such vector"]


def test_a_record_that_is_cut_off_is_one_line_and_two(judge):
    said = judge(record("RNN-01", [100.0], [100.0], [])[:-6])
    assert said.returncode == 2 and said.stderr.decode() == "RNN-01: its record is cut off or too long\n"
