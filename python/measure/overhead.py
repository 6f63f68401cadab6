"""Measures what a call of cellproof.judge_callable costs beside the function and the judging.

    PYTHONPATH=python CELLPROOF_PROGRAM=build/launcher/bin/cellproof .deps/onnx-backend-runner/bin/python python/measure/overhead.py

The function returns what it returned before. Of a call's time, what passes while Python waits for the program is judging; the rest is the package's own. The
pipe, measured by empty requests, is on both sides of that line: twice a call it is added to the package's own time.
"""

import pathlib
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests"))

from lstm import Lstm

import cellproof
from cellproof import _frames, _program

CASES = (
    "cellproof-case/1 op=LSTM-22 type=float T=1 N=1 I=1 H=1",
    "cellproof-case/1 op=LSTM-22 type=float T=5 N=3 I=4 H=6 B=given sequence_lens=given",
    "cellproof-case/1 op=LSTM-22 type=float T=32 N=4 I=16 H=32",
)
ROUNDS, CALLS = 7, 100


waited = 0.0
read_frame = _frames.read_frame


def timed_read(descriptor):
    global waited
    begin = time.perf_counter()
    frame = read_frame(descriptor)
    waited += time.perf_counter() - begin
    return frame


def microseconds(what) -> "tuple[float, float]":
    """Of a call, and of it waiting for the program: medians of the rounds' means."""
    global waited
    what()
    calls, waits = [], []
    for _ in range(ROUNDS):
        begin, waited = time.perf_counter(), 0.0
        for _ in range(CALLS):
            what()
        calls.append((time.perf_counter() - begin) / CALLS * 1e6)
        waits.append(waited / CALLS * 1e6)
    return statistics.median(calls), statistics.median(waits)


def main() -> None:
    _frames.read_frame = timed_read
    pipe, _ = microseconds(lambda: _program.judge().ask(_frames.HELLO, {}))
    print(f"an empty request and its reply: {pipe:.0f} us\n")
    print("| case | call, us | of it the program, us | the package and two exchanges, us |\n| --- | --- | --- | --- |")
    for line in CASES:
        known = Lstm()(cellproof.Case(line).problem())

        def kept(problem):
            problem.tensors  # as a function reads them
            return known

        call, program = microseconds(lambda: cellproof.judge_callable(kept, line))
        print(f"| {line.split(' type=float ')[1]} | {call:.0f} | {program:.0f} | {call - program + 2 * pipe:.0f} |")


if __name__ == "__main__":
    main()
