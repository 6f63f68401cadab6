"""`cellproof run|fuzz ... --on ray[:ADDRESS]`: cuts a run into units, has a cluster run them, and makes one store and one page of what comes back.

A unit is a shard of the suites on one engine: the program itself, run on a node. Nothing here schedules or retries; the cluster does (_ray_cluster.py).
docs/how-to/many-machines.md shows it.
"""

from __future__ import annotations

import argparse
import math
import os
import pathlib
import shutil
import subprocess
import sys
import time
from typing import Any, Dict, List, Sequence, Tuple

if __name__ == "__main__":
    sys.path[0] = str(pathlib.Path(__file__).resolve().parents[1])  # in place of this file's own folder, whose names are not for others

from cellproof import _program, _units
from cellproof._errors import ProgramError

BAD, NOTHING_RAN, INTERRUPTED = 2, 77, 130
PILOT_CASES = 100  # of an engine: they tell what its cases cost
UNIT_SECONDS = 20.0


class Failed(Exception):
    """Why there is no result, in one line, and the exit code."""

    def __init__(self, text: str, code: int = BAD) -> None:
        super().__init__(text)
        self.code = code


def _say(text: str) -> None:
    print(f"cellproof: {text}", file=sys.stderr, flush=True)


def parse(words: Sequence[str]) -> Tuple[argparse.Namespace, List[str]]:
    """The options that concern the whole run, and those that each unit gets as they are. The program has checked them all."""
    parser = argparse.ArgumentParser(prog=f"cellproof {words[0]}", add_help=False, allow_abbrev=False)
    for name in ("--engine", "--suite", "--needs", "--baseline"):
        parser.add_argument(name, action="append", default=[])
    for name in ("--on", "--waivers", "--explain", "--store", "--shard", "--time-budget"):
        parser.add_argument(name)
    parser.add_argument("-o", "--output", default="cellproof-report" if words[0] == "run" else "cellproof-fuzz")
    parser.add_argument("--time", type=float, default=60.0)
    parser.add_argument("--jobs", type=int, default=1)
    for name in ("--resume", "--require-complete"):
        parser.add_argument(name, action="store_true")
    parser.add_argument("-v", "--verbose", action="store_true")
    asked, passed = parser.parse_known_args(words[1:])
    for name in ("store", "shard", "time_budget", "resume"):
        if getattr(asked, name):
            raise Failed(f"--{name.replace('_', '-')}: not with --on, which makes shards itself and writes OUTPUT/run.sqlite")
    if not asked.engine:
        raise Failed("--on: expected at least one --engine; what is present differs from node to node")
    asked.kind = words[0]
    asked.passed = [*passed, "--jobs", str(asked.jobs)]
    return asked, passed


def needs_of(engine: str, texts: Sequence[str], jobs: int) -> Dict[str, Any]:
    """What a node must have for a unit of this engine, by --needs [ENGINE:]KEY=VALUE,... Later ones win."""
    needs: Dict[str, Any] = {"num_cpus": jobs}
    for text in texts:
        head, separator, tail = text.partition("=")
        of, _, key = head.rpartition(":")
        if of not in ("", engine.partition("=")[0]):
            continue
        for pair in (key + separator + tail).split(","):
            name, _, value = pair.partition("=")
            if name.startswith("label."):
                needs.setdefault("label_selector", {})[name[len("label.") :]] = value
                continue
            try:
                number = float(value)
            except ValueError:
                raise Failed(f"--needs {text}: expected [ENGINE:]KEY=NUMBER or label.KEY=VALUE, separated by commas") from None
            if name in ("num_cpus", "num_gpus", "memory"):
                needs[name] = number
            else:
                needs.setdefault("resources", {})[name] = number
    return needs


def units_of(pilot_seconds: float, pilot_parts: int, cases: int, unit_seconds: float) -> int:
    """How many shards take about so long each, by what one of pilot_parts took. None is without a case."""
    return max(1, min(cases, math.ceil(pilot_seconds * pilot_parts / unit_seconds)))


def unit_seconds() -> float:
    """The seconds that a unit shall take: CELLPROOF_UNIT_SECONDS, else 20."""
    text = os.environ.get("CELLPROOF_UNIT_SECONDS", str(UNIT_SECONDS))
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0
    if not 0 < seconds < math.inf:
        raise Failed(f"CELLPROOF_UNIT_SECONDS={text}: expected a number of seconds above 0")
    return seconds


class Run:
    """One run on a cluster: `submit(needs, words, stores)` gives a ticket, `next_done(tickets)` a ticket and its unit's result."""

    def __init__(self, cluster: Any, asked: argparse.Namespace) -> None:
        self.cluster, self.asked = cluster, asked
        self.output = pathlib.Path(asked.output)
        self.units = self.output / "units"
        self.needs = {engine: needs_of(engine, asked.needs, asked.jobs) for engine in asked.engine}
        self.unit_seconds = unit_seconds()
        self.begin = time.monotonic()

    def words(self, engine: str, *more: str) -> List[str]:
        return [self.asked.kind, *self.asked.passed, "--engine", engine, *more]

    def suite_words(self, names: Sequence[str]) -> List[str]:
        return [word for name in names for word in ("--suite", name)]

    def each(self, tickets: Dict[Any, Any], what: str):
        """(value, result) of each ticket as its unit ends."""
        all_of_them = len(tickets)
        while tickets:
            ticket, result = self.cluster.next_done(list(tickets))
            value = tickets.pop(ticket)
            name = f"{self.asked.engine[value[0]]} {value[1].stem}" if isinstance(value, tuple) else value
            if result.code not in (0, 1, 4, NOTHING_RAN) or not result.store:
                raise Failed(f"{what} {name} on {result.node} ended with exit code {result.code}: {result.last_words}", result.code or BAD)
            done = all_of_them - len(tickets)
            _say(f"{what} {done} of {all_of_them}: {name}, {result.seconds:.1f} s on {result.node}; {time.monotonic() - self.begin:.0f} s since the start")
            yield value, result

    def plan(self) -> Tuple[Dict[str, int], Dict[str, bytes]]:
        """How many units each engine gets, and the store that proves its readings."""
        names, cases = _units.cases_of(self.asked.suite or ["quick"])
        suites = self.suite_words(self.asked.suite)
        readings: Dict[str, bytes] = {}
        if "readings" in names:
            words = ["--suite", "readings", "--explain", "0"]
            tickets = {self.cluster.submit(self.needs[e], self.words(e, *words), {}): e for e in self.asked.engine}
            readings = {engine: result.store for engine, result in self.each(tickets, "readings")}
        parts = max(1, cases // PILOT_CASES)
        words = [*suites, "--explain", "0", "--shard", f"1/{parts}"]
        tickets = {self.cluster.submit(self.needs[e], self.words(e, *words), self.stores(readings, e)): e for e in self.asked.engine}
        counts = {}
        for engine, result in self.each(tickets, "pilot"):
            if result.code == NOTHING_RAN:
                raise Failed(f"{engine} could not run on {result.node}: {result.last_words}", NOTHING_RAN)
            counts[engine] = units_of(result.asking_seconds, parts, cases, self.unit_seconds)
            _say(f"{engine}: {cases} cases in {counts[engine]} units")
        return counts, readings

    @staticmethod
    def stores(readings: Dict[str, bytes], engine: str) -> Dict[str, bytes]:
        return {"--readings-of": readings[engine]} if engine in readings else {}

    def plan_of_search(self) -> Dict[str, int]:
        """As many units as the cluster has time for: their seconds together are those asked for on each of its places."""
        share = self.asked.time / len(self.asked.engine)
        return {e: max(1, round(share * self.cluster.places(self.needs[e]) / min(UNIT_SECONDS, share))) for e in self.asked.engine}

    def ask_all(self) -> List[str]:
        """Runs all units; the stores of engines, each merged as soon as its last unit is here."""
        if self.asked.kind == "run":
            counts, readings = self.plan()
            more = [*self.suite_words(self.asked.suite), "--explain", "0"]
        else:
            counts, readings = self.plan_of_search(), {}
            more = ["--time", f"{min(UNIT_SECONDS, self.asked.time / len(self.asked.engine)):g}"]
        tickets = {}
        for k in range(max(counts.values())):  # engines side by side, so that all are cut short alike
            for place, engine in enumerate(self.asked.engine):
                if k >= counts[engine]:
                    continue
                shard = f"{k + 1}/{counts[engine]}"
                file = self.units / str(place + 1) / f"{k + 1}-of-{counts[engine]}.sqlite"
                ticket = self.cluster.submit(self.needs[engine], self.words(engine, *more, "--shard", shard), self.stores(readings, engine))
                tickets[ticket] = (place, file)
        left = dict(enumerate(counts[engine] for engine in self.asked.engine))
        merged: Dict[int, str] = {}
        for (place, file), result in self.each(tickets, "unit"):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(result.store)
            left[place] -= 1
            if left[place] == 0:
                merged[place] = self.merge(sorted(str(f) for f in file.parent.iterdir()), self.units / f"{place + 1}.sqlite")
        return [merged[place] for place in sorted(merged)]

    def will_ask_again(self) -> bool:
        """Will a node with all engines look at the whole? Not at a search, which has no end, nor where engines need different nodes."""
        needs = list(self.needs.values())
        return self.asked.kind == "run" and all(need == needs[0] for need in needs)

    def merge(self, stores: Sequence[str], to: pathlib.Path) -> str:
        if len(stores) == 1:
            shutil.copyfile(stores[0], to)
            return str(to)
        begin = time.monotonic()
        words = [_program.program_path(), "merge", *stores, "-o", str(to), *(["--no-causes"] if self.will_ask_again() else [])]
        done = subprocess.run(words, capture_output=True, text=True, check=False, env=_program.environment())
        if done.returncode != 0:
            raise Failed(f"merging {to} failed: {(done.stderr or done.stdout).strip()}", done.returncode)
        _say(f"{done.stdout.splitlines()[0]}, {time.monotonic() - begin:.1f} s")
        return str(to)

    def explain(self, store: pathlib.Path) -> None:
        """Has a node with all engines look at the whole: causes, with made cases, and smaller cases. `run --resume` finds nothing left to run."""
        if not self.will_ask_again():
            if self.asked.kind == "run":
                _say("engines need different nodes: causes are those that their answers show, and no smaller cases are made")
            return
        words = ["run", *self.asked.passed, *self.suite_words(self.asked.suite), *[w for e in self.asked.engine for w in ("--engine", e)], "--resume"]
        words += ["--explain", self.asked.explain] if self.asked.explain else []
        ticket = self.cluster.submit(self.needs[self.asked.engine[0]], words, {"--store": store.read_bytes()})
        for _, result in self.each({ticket: "causes"}, "last unit"):
            store.write_bytes(result.store)
            _units.unpack(result.reduced, self.output)

    def report(self, store: pathlib.Path) -> int:
        words = [_program.program_path(), "report", str(store), "-o", str(self.output)]
        words += [word for base in self.asked.baseline for word in ("--baseline", base)]
        words += ["--waivers", self.asked.waivers] if self.asked.waivers else []
        words += ["--verbose"] if self.asked.verbose else []
        return subprocess.run(words, check=False, env=_program.environment()).returncode

    def __call__(self) -> int:
        store = self.output / "run.sqlite"
        if store.exists() or self.units.exists():
            raise Failed(f"{self.output}: holds a run already; give another folder with -o")
        self.units.mkdir(parents=True)
        merged = self.ask_all()
        self.explain(pathlib.Path(self.merge(merged, store)))
        code = self.report(store)
        if self.asked.require_complete and code == 0:
            words = [_program.program_path(), "merge", "--require-complete", str(store), "-o", str(self.units / "complete.sqlite")]
            return subprocess.run(words, capture_output=True, check=False, env=_program.environment()).returncode
        return code


def main(words: List[str]) -> int:
    try:
        asked, _ = parse(words)
        name, _, address = asked.on.partition(":")
        if name != "ray":
            raise Failed(f"--on {asked.on}: expected ray or ray:ADDRESS")
        for engine in asked.engine:
            needs_of(engine, asked.needs, asked.jobs)
        unit_seconds()
        try:
            from cellproof import _ray_cluster
        except ImportError as error:
            raise Failed(f"--on ray: {error}; pip install 'cellproof[ray]' brings it") from None
        try:
            with _ray_cluster.Cluster(address) as cluster:
                return Run(cluster, asked)()
        except (_ray_cluster.Lost, ProgramError, OSError) as error:  # Python's own exit code would be that of findings
            raise Failed(f"--on {asked.on}: {' '.join(str(error).split())[:400]}") from None
    except Failed as error:
        _say(str(error))
        return error.code
    except KeyboardInterrupt:
        _say("stopped; the units that have ended lie in OUTPUT/units, and `cellproof merge` and `report` take them")
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
