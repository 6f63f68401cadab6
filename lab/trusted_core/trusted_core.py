#!/usr/bin/env python3
"""Measures the trusted core: the sources on which a proof rests (lab/trusted_core/core.py lists them).

    python3 lab/trusted_core/trusted_core.py lines
    python3 lab/trusted_core/trusted_core.py rules [ID]...
    python3 lab/trusted_core/trusted_core.py mutants [--sample N] [--seed S] [--results FILE]

lines    Prints how long each file is, in lines of code.
rules    Switches rules off, one at a time, and asks if a test notices: all rules, or these.
mutants  Makes small changes by machine and asks the same: of all possible ones a random sample, N that compile.

Each change is made in a copy of the checkout, in build/trusted_core, where the oracle's tests are built and run until one
fails. That takes half a minute a change; the first time, ten minutes more. `mutants` adds a line a change to the results
and leaves out those that are there already. The exit code is 1 if a change went unnoticed that equivalent.py does not argue.
"""

import argparse
import hashlib
import os
import pathlib
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import core  # noqa: E402 (the path comes first)
import equivalent  # noqa: E402
import mutations  # noqa: E402
import rules  # noqa: E402
import scratch  # noqa: E402


def lines() -> int:
    total = 0
    for path in core.files():
        count = core.code_lines((core.ROOT / path).read_text(encoding="utf-8"))
        total += count
        print(f"{count:6} {path}")
    print(f"{total:6} in {len(core.files())} files")
    return 0


def switch_off(ids: list[str]) -> int:
    unknown = [i for i in ids if i not in rules.RULES]
    if unknown:
        print(f"trusted_core: {unknown[0]}: expected one of {', '.join(rules.RULES)}", file=sys.stderr)
        return 2
    tests, missed = scratch.prepare(), 0
    for rule in ids or rules.RULES:
        path, text, instead = rules.RULES[rule]
        original = (core.ROOT / path).read_text(encoding="utf-8")
        if original.count(text) != 1:
            verdict, by = "not found", f"{path} has its text {original.count(text)} times"
        else:
            verdict, by = scratch.verdict_of(path, original.replace(text, instead), tests)
        missed += verdict != "killed"
        print(f"{rule:42} {verdict:10} {by}", flush=True)
    print(f"{missed} without a test" if missed else "every rule has a test that fails without it")
    return 1 if missed else 0


def results_in(path: pathlib.Path) -> dict[str, tuple[str, str]]:
    """Verdict and test by mutation."""
    if not path.exists():
        return {}
    rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    return {name: (verdict, by) for verdict, name, by in rows}


def summary(results: dict[str, tuple[str, str]]) -> tuple[str, int]:
    """A sentence, and how many went unnoticed for no reason."""
    names = {v: [n for n, (verdict, _) in results.items() if verdict == v] for v in ("killed", "survived", "uncompiled")}
    argued = [n for n in names["survived"] if equivalent.reason_for(n)]
    left = len(names["survived"]) - len(argued)
    counted = len(names["killed"]) + left
    share = f", {100 * len(names['killed']) / counted:.1f} % of those that can be" if counted else ""
    return f"{len(names['killed'])} killed{share}; {left} survived; {len(argued)} equivalent; {len(names['uncompiled'])} did not compile", left


def place_of(mutation: mutations.Mutation, seed: int) -> bytes:
    """A random place in the order, which other changes of the sources do not move."""
    return hashlib.sha256(f"{seed} {equivalent.key_of(mutation.name())}".encode()).digest()


def mutate(sample: int, seed: int, file: pathlib.Path) -> int:
    everything = mutations.of_files(core.ROOT, core.files())
    everything.sort(key=lambda mutation: place_of(mutation, seed))
    print(f"{len(everything)} possible changes of {len(core.files())} files", flush=True)
    results, tests = results_in(file), None
    counted = 0
    file.parent.mkdir(parents=True, exist_ok=True)
    for mutation in everything:
        if counted == sample:
            break
        name = mutation.name()
        if name not in results:
            tests = tests or scratch.prepare()
            text = (core.ROOT / mutation.path).read_text(encoding="utf-8")
            results[name] = scratch.verdict_of(mutation.path, mutation.applied(text), tests)
            with file.open("a", encoding="utf-8") as rows:
                rows.write("\t".join((results[name][0], name, results[name][1])) + "\n")
            print(f"{results[name][0]:10} {name}  {results[name][1]}", flush=True)
        counted += results[name][0] != "uncompiled"
    sentence, left = summary(results)
    print(sentence)
    return 1 if left else 0


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="trusted_core.py", description="Measures the sources on which a proof rests.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("lines", help="print the length of each file")
    commands.add_parser("rules", help="switch rules off, one at a time").add_argument("id", nargs="*", help="a rule (default: all)")
    sampled = commands.add_parser("mutants", help="try a random sample of small changes")
    sampled.add_argument("--sample", type=int, default=300, metavar="N", help="changes that compile (default: 300)")
    sampled.add_argument("--seed", type=int, default=1, metavar="S", help="random seed (default: 1)")
    sampled.add_argument("--results", type=pathlib.Path, default=scratch.PLACE / "results.tsv", metavar="FILE", help="default: build/trusted_core/results.tsv")
    chosen = parser.parse_args(arguments)
    if chosen.command == "lines":
        return lines()
    return switch_off(chosen.id) if chosen.command == "rules" else mutate(chosen.sample, chosen.seed, chosen.results)


def stop(*_) -> None:
    sys.exit(130)  # by way of what puts the source back


if __name__ == "__main__":
    os.umask(0o022)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    sys.exit(main(sys.argv[1:]))
