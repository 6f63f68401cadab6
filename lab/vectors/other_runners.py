#!/usr/bin/env python3
"""Has ONNX's own backend-test runner and a C program judge ONNX Runtime by the vectors, and prints which known defects each finds.

    .deps/onnx-backend-runner/bin/python lab/vectors/other_runners.py PROGRAM [--compiler gcc]

PROGRAM is `cellproof`. It renders the vectors, and `cellproof replay` of their lines says what is known to be wrong. The backend-test directories
go through corpus/run_backend_tests.py. The float vectors are run in ONNX Runtime, twice each, and lab/vectors/judge.c judges the outputs by
cellproof_vectors.h. A runtime that ends the process gives a C program nothing to judge: that counts as crashed. Exit code: 0 where each runner
finds each defect that it has a vector of, and nothing else; otherwise 1.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "corpus")]

import cellproof_vectors  # noqa: E402
from run_backend_tests import Session  # noqa: E402

FOUND = ("wrong", "crashed")
NOT_PASSED = re.compile(r"^(wrong|error|crashed|skipped) test_test_(\w+)_(\d+)_cpu .*?\): (.*)$", re.MULTILINE)
MOST_OF_A_NAME = 32  # of judge.c


def defect_of(finding):
    """The group of a finding that fails the gate; empty where nothing is known to be wrong."""
    judgement = finding["judgement"]
    if finding["pass"] or finding["outcome"] not in ("RAN", "CRASHED"):
        return ""
    if finding["outcome"] == "CRASHED":
        return "ends the process"
    if judgement["kind"] == "memory":
        return "returns uninitialised memory"
    if judgement["verdict"] == "PRECISION":
        return "is less precise than float"
    return judgement["faults"][0] if judgement["faults"] else "another wrong value"


def known_defects(program, vectors):
    """Group of each vector by `cellproof replay`."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("".join(vector["case"] + "\n" for vector in vectors))
        file.flush()
        done = subprocess.run([program, "replay", file.name, "--json", "--engine", "onnxruntime"], capture_output=True, text=True, check=False)
    findings = [json.loads(line) for line in done.stdout.splitlines()]
    if len(findings) != len(vectors):
        sys.exit(f"other_runners: {len(findings)} answers for {len(vectors)} cases: {done.stderr.strip()}")
    return {vector["name"]: defect_of(finding) for vector, finding in zip(vectors, findings)}


def by_onnx_runner(directories):
    """Verdict of each directory, by vector."""
    script = ROOT / "corpus" / "run_backend_tests.py"
    done = subprocess.run([sys.executable, script, directories], capture_output=True, text=True, check=False)
    verdicts = {each.name.removeprefix("test_"): "passed" for each in sorted(directories.iterdir())}
    for kind, operator, number, _ in NOT_PASSED.findall(done.stdout):
        verdicts[f"{operator}-{number}"] = kind
    last = (done.stdout.splitlines() or [done.stderr.strip()])[-1]
    counts = collections.Counter(verdicts.values())
    failed = sum(counts[each] for each in ("wrong", "error", "crashed"))
    if last != f"{counts['passed']} passed, {failed} failed, {counts['skipped']} skipped":
        sys.exit(f"other_runners: the runner ended with: {last}")
    return verdicts


def record(vector, outputs):
    named = dict(zip((name for name in vector["outputs"] if name), outputs))
    arrays = [np.asarray(named.get(name, []), "<f4").ravel() for name in ("Y", "Y_h", "Y_c")]
    return vector["name"].encode().ljust(MOST_OF_A_NAME, b"\0") + b"".join(struct.pack("<I", each.size) + each.tobytes() for each in arrays)


def records_of(vector):
    """Verdict of running a vector (judged by nobody yet: passed), and the records of its two runs. A crash ends a process of its own."""
    ours, its = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            with os.fdopen(its, "wb") as pipe:
                pipe.write(b"".join(outputs_twice(vector)))
        except Exception:  # runtimes raise types of their own
            os._exit(1)
        os._exit(0)
    os.close(its)
    with os.fdopen(ours, "rb") as pipe:
        said = pipe.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return "crashed", b""
    return ("error", b"") if status else ("passed", said)


def outputs_twice(vector):
    session = Session(cellproof_vectors.model_of(vector, vector["versions"][-1]).SerializeToString())
    inputs = [
        cellproof_vectors.array(each["bits"], each["type"], each["shape"]) for each in vector["inputs"] if each["name"] and not each["initializer"]
    ]
    return [record(vector, session.run(inputs)) for _ in range(2)]


def by_c_program(folder, vectors, compiler):
    """Verdict of each float vector."""
    program = folder / "judge"
    subprocess.run([compiler, "-std=c99", "-O1", f"-I{folder}", ROOT / "lab/vectors/judge.c", "-o", program], check=True)
    ran = {vector["name"]: records_of(vector) for vector in vectors if vector["inputs"][0]["type"] == "float"}
    done = subprocess.run([program], input=b"".join(records for _, records in ran.values()), capture_output=True, check=False)
    lines = done.stdout.decode().splitlines()
    if done.returncode != 0 or len(lines) != 2 * sum(verdict == "passed" for verdict, _ in ran.values()):
        sys.exit(f"other_runners: the C program has judged {len(lines)} outputs: {done.stderr.decode().strip()}")
    verdicts = {name: verdict for name, (verdict, _) in ran.items()}
    for name, said in (line.split(": ", 1) for line in lines):
        if said != "right":
            verdicts[name] = "wrong"
    return verdicts


def print_counts(title, verdicts):
    counts = collections.Counter(verdicts.values())
    print(f"{title}: {len(verdicts)} vectors, " + ", ".join(f"{counts[each]} {each}" for each in ("passed", "wrong", "crashed", "error", "skipped") if counts[each]))
    for each in (*FOUND, "error", "skipped"):
        if counts[each]:
            print(f"  {each}: " + " ".join(name for name, verdict in verdicts.items() if verdict == each))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program")
    arguments.add_argument("--compiler", default="gcc")
    chosen = arguments.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made) / "vectors"
        subprocess.run([chosen.program, "vectors", "-o", folder], check=True, capture_output=True)
        vectors = cellproof_vectors.vectors(str(folder / "vectors.json"))["vectors"]
        known = known_defects(chosen.program, vectors)
        runners = {"ONNX's runner": by_onnx_runner(folder / "backend-tests"), "C program": by_c_program(folder, vectors, chosen.compiler)}
    for title, verdicts in runners.items():
        print_counts(title, verdicts)
    print(f"\n{'known defect':<32} {'vectors':>7} " + " ".join(f"{title:>14}" for title in runners))
    missed = 0
    for defect, count in collections.Counter(filter(None, known.values())).most_common():
        cells = []
        for verdicts in runners.values():
            has = [verdicts[name] in FOUND for name, group in known.items() if group == defect and name in verdicts]
            cells.append(f"{sum(has)} of {len(has)}")
            missed += bool(has) and not any(has)
        print(f"{defect:<32} {count:>7} " + " ".join(f"{cell:>14}" for cell in cells))
    beyond = {title: [name for name, verdict in verdicts.items() if verdict in FOUND and not known[name]] for title, verdicts in runners.items()}
    print("found beyond these: " + "; ".join(f"{title}: {' '.join(names) or 'none'}" for title, names in beyond.items()))
    return 1 if missed or any(beyond.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
