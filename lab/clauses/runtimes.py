#!/usr/bin/env python3
"""Asks runtimes the cases of docs/clauses/, and prints or checks the pages' tables of who follows which reading.

    python3 lab/clauses/runtimes.py PROGRAM [--engine NAME]... [--check]

PROGRAM is `cellproof`. Each case line of a page goes to `cellproof replay`. The answer is a reading of the case's clause, or
refuses, other (no listed reading explains it), or crashes. --check compares with what the pages say, and exits with 1 where they differ. A page
says nothing of an engine where "-" stands, or no column.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs" / "clauses"
CASE = re.compile(r"^`([a-z0-9-]+)`:\n\n    (cellproof-case/1 [^\n]+)$", re.MULTILINE)
RUNTIMES = re.compile(r"^## Runtimes\n\n(\|[^\n]+)\n\|[- |]+\n((?:\|[^\n]+\n)+)", re.MULTILINE)
READING = re.compile(r"^\| `([a-z0-9-]+)` \| `([^`]+)` \| ", re.MULTILINE)


def cells(row):
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


class Page:
    """A draft: its cases by clause, its readings by clause (the default first), and what it says of runtimes."""

    def __init__(self, path):
        text = path.read_text(encoding="utf-8")
        self.name = path.name
        self.cases = dict(CASE.findall(text))
        self.readings = {}
        for clause, reading in READING.findall(text.partition("## Runtimes")[0]):
            self.readings.setdefault(clause, []).append(reading)
        self.said = {}
        for header, rows in RUNTIMES.findall(text):
            engines = [cell.split()[0] for cell in cells(header)[1:]]
            for row in rows.splitlines():
                clause, *answers = cells(row)
                self.said[clause.strip("`")] = dict(zip(engines, (answer.strip("`") for answer in answers)))


def pages():
    return [Page(path) for path in sorted(PAGES.glob("*.md")) if path.name != "README.md"]


def answer_of(finding, clause, default):
    """What an engine's finding says of the clause."""
    if finding["outcome"] == "NOT_SUPPORTED" or finding["outcome"] == "REJECTED":
        return "refuses"
    if finding["outcome"] != "RAN":
        return "crashes"
    verdict = finding["judgement"]["verdict"]
    named = dict(each.split("=", 1) for each in finding["judgement"]["readings"])
    if verdict in ("CONFORMS", "READING"):
        return named.get(clause, default)
    return "other"


def asked(program, engines, lines):
    """Findings by engine, in the order of the lines."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        done = subprocess.run([program, "replay", file.name, "--json", *(word for each in engines for word in ("--engine", each))], capture_output=True, text=True, check=False)
    findings = {engine: [] for engine in engines}
    for finding in map(json.loads, done.stdout.splitlines()):
        findings[finding["engine"]].append(finding)
    if any(len(each) != len(lines) for each in findings.values()):
        sys.exit(f"runtimes: not every engine has answered every case: {done.stderr.strip()}")
    return findings


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program")
    arguments.add_argument("--engine", action="append", default=[])
    arguments.add_argument("--check", action="store_true")
    chosen = arguments.parse_args()
    engines = chosen.engine or ["onnxruntime", "onnx-reference"]
    cases = [(page, clause, line) for page in pages() for clause, line in page.cases.items()]
    findings = asked(chosen.program, engines, [line for _, _, line in cases])
    differences = 0
    for number, (page, clause, _) in enumerate(cases):
        answers = {engine: answer_of(findings[engine][number], clause, page.readings[clause][0]) for engine in engines}
        print(f"{page.name:26} {clause:30} " + " ".join(f"{answer:20}" for answer in answers.values()))
        for engine, answer in answers.items():
            written = page.said.get(clause, {}).get(engine, "-")
            if chosen.check and written not in (answer, "-"):
                print(f"{page.name}: {clause}: {engine} says {answer}, the page says {written}")
                differences += 1
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
