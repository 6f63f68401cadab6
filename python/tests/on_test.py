"""`--on`: a run cut into units and made whole again, on a cluster of this file's making. lab/many_machines/ does it on Ray."""

import json
import os
import pathlib
import subprocess
import sys
import types

import pytest

from cellproof import _on, _program, _units


class InProcess:
    """A cluster of one place. The first unit of a shard is lost with its node, and run again, as Ray does."""

    def __init__(self):
        self.asked, self.lost = [], set()

    def submit(self, needs, words, stores):
        self.asked.append((needs, words, stores))
        return len(self.asked) - 1

    def next_done(self, tickets):
        ticket = tickets[-1]  # not in the order in which they were submitted
        _, words, stores = self.asked[ticket]
        if not self.lost and "--shard" in words:
            self.lost.add(ticket)
            _units.run_unit(words, stores, "/")
        return ticket, _units.run_unit(words, stores, "/")

    def places(self, needs):
        return 2


def program(*words):
    return subprocess.run([_program.program_path(), *map(str, words)], capture_output=True, text=True, check=False)


def findings(store, folder):
    program("report", store, "-o", folder, "--format", "json")
    rows = [json.loads(line) for line in (pathlib.Path(folder) / "findings.jsonl").read_text().splitlines()]
    return [{key: value for key, value in row.items() if key not in ("timings", "reduction", "reduced")} for row in rows]


def run_on(cluster, *words):
    return _on.Run(cluster, _on.parse([*map(str, words), "--on", "ray"])[0])()


def test_a_run_in_units_has_the_findings_and_causes_of_one_run(tmp_path, monkeypatch):
    monkeypatch.setenv("CELLPROOF_UNIT_SECONDS", "0.01")
    words = ["run", "--suite", "onnx-backend", "--suite", "readings", "--engine", "onnxruntime"]
    assert program(*words, "-o", tmp_path / "alone").returncode in (0, 1)
    cluster = InProcess()
    code = run_on(cluster, *words, "-o", tmp_path / "units")
    shards = [words[words.index("--shard") + 1] for _, words, _ in cluster.asked if "--shard" in words]
    assert cluster.lost and len(shards) > 3
    # All but the pilot and the unit of the readings know the readings.
    assert all("--readings-of" in stores for _, words, stores in cluster.asked if "--shard" in words)
    alone = findings(tmp_path / "alone/run.sqlite", tmp_path / "a")
    assert alone and findings(tmp_path / "units/run.sqlite", tmp_path / "b") == alone
    assert code == program("report", tmp_path / "alone/run.sqlite", "-o", tmp_path / "c").returncode
    causes = [[(c["id"], c["status"]) for c in json.loads((tmp_path / f / "causes.json").read_text())] for f in ("alone", "units")]
    assert causes[0] and causes[0] == causes[1]
    assert any((tmp_path / "units/reduced").iterdir())


def test_a_search_gives_each_place_its_part(tmp_path):
    cluster = InProcess()
    assert run_on(cluster, "fuzz", "--engine", "cellproof-cpu", "--time", "1", "-o", tmp_path / "f") == 0
    assert [words[-1] for _, words, _ in cluster.asked] == ["1/2", "2/2"]
    numbers = {row["number"] % 2 for row in findings(tmp_path / "f/run.sqlite", tmp_path / "a")}
    assert numbers <= {0, 1}


def test_a_unit_that_ends_with_an_error_ends_the_run(tmp_path):
    with pytest.raises(_on.Failed, match="exit code 2"):
        run_on(InProcess(), "run", "--suite", "onnx-backend", "--engine", "reference", "--case-timeout", "-1", "-o", tmp_path / "r")


def test_an_engine_that_no_node_has_is_exit_code_77(tmp_path):
    with pytest.raises(_on.Failed, match="could not run on") as caught:
        run_on(InProcess(), "run", "--suite", "onnx-backend", "--engine", "mine=false", "-o", tmp_path / "r")
    assert caught.value.code == 77


@pytest.mark.parametrize("words", [["--shard", "1/2"], ["--resume"], ["--store", "x"], ["--time-budget", "3"], []])
def test_what_does_not_go_with_it_is_named(words):
    with pytest.raises(_on.Failed, match=words[0] if words else "--engine"):
        _on.parse(["run", "--on", "ray", *words, *(["--engine", "reference"] if words else [])])


def test_needs_are_those_of_the_engine():
    texts = ["memory=5", "b:num_gpus=0.5,licence=1,label.zone=x"]
    assert _on.needs_of("a", texts, 2) == {"num_cpus": 2, "memory": 5.0}
    assert _on.needs_of("b=./w", texts, 1) == {"num_cpus": 1, "memory": 5.0, "num_gpus": 0.5, "resources": {"licence": 1.0}, "label_selector": {"zone": "x"}}
    with pytest.raises(_on.Failed, match="KEY=NUMBER"):
        _on.needs_of("a", ["num_gpus=many"], 1)


def test_units_take_so_long_and_none_is_empty():
    assert _on.units_of(2.0, 10, 1000, 20.0) == 1
    assert _on.units_of(2.1, 100, 1000, 20.0) == 11
    assert _on.units_of(900.0, 10, 30, 20.0) == 30


@pytest.mark.parametrize("text", ["abc", "0", "-1", "nan", "inf", ""])
def test_a_units_time_is_a_number_above_0(text, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("CELLPROOF_UNIT_SECONDS", text)
    assert _on.main(["run", "--on", "ray", "--engine", "reference", "-o", str(tmp_path / "r")]) == 2
    assert capsys.readouterr().err == f"cellproof: CELLPROOF_UNIT_SECONDS={text}: expected a number of seconds above 0\n"


@pytest.mark.parametrize("given, known", [("127.0.0.1:9", ""), ("[::1]:9", ""), ("ray://localhost:99999", ""), ("", "127.0.0.1:9")])
def test_where_nothing_answers_is_said_at_once(given, known, tmp_path, monkeypatch, capsys):
    fake = types.ModuleType("ray")  # its init would wait for minutes, and no test has it
    fake.remote = fake.init = lambda *_, **__: pytest.fail("asked, although nothing listens there")
    fake.exceptions = types.ModuleType("ray.exceptions")
    fake.exceptions.RayError = RuntimeError
    monkeypatch.setitem(sys.modules, "ray", fake)
    monkeypatch.setitem(sys.modules, "ray.exceptions", fake.exceptions)
    monkeypatch.delitem(sys.modules, "cellproof._ray_cluster", raising=False)
    monkeypatch.setenv("RAY_ADDRESS", known)
    assert _on.main(["run", "--on", f"ray:{given}", "--engine", "reference", "-o", str(tmp_path / "r")]) == 2
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1 and f"nothing answers at {given or known} (" in said


def test_the_program_hands_over_with_all_its_words(tmp_path):
    done = subprocess.run(
        [_program.program_path(), "run", "--on", "slurm", "--engine", "reference"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2 and "--on slurm: expected ray or ray:ADDRESS" in done.stderr


def test_the_program_that_was_started_runs_the_units(tmp_path):
    python = tmp_path / "python"
    python.write_text('#!/bin/sh\necho "$CELLPROOF_PROGRAM"\n')
    python.chmod(0o755)
    known = {name: value for name, value in os.environ.items() if name != "CELLPROOF_PROGRAM"}
    for given in ({}, {"CELLPROOF_PROGRAM": "/another"}):
        done = subprocess.run(
            [_program.program_path(), "run", "--on", "ray"],
            capture_output=True,
            text=True,
            check=True,
            env={**known, **given, "CELLPROOF_ENGINE_PYTHON": str(python)},
        )
        assert done.stdout.strip() == given.get("CELLPROOF_PROGRAM", str(pathlib.Path(_program.program_path()).resolve()))


def test_without_a_program_one_line_says_where_to_get_it(tmp_path, monkeypatch, capsys):
    class Nowhere:
        def __init__(self, address):
            pass

        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

    def none():
        raise _program.ProgramError("the program cellproof is missing: `pip install cellproof` brings it")

    package = sys.modules["cellproof"]
    fake = types.SimpleNamespace(Cluster=Nowhere, Lost=RuntimeError)
    monkeypatch.setitem(sys.modules, "cellproof._ray_cluster", fake)
    monkeypatch.setattr(package, "_ray_cluster", fake, raising=False)
    monkeypatch.setattr(_program, "program_path", none)
    _program.judge().close()  # the process that earlier tests have started
    assert _on.main(["run", "--on", "ray", "--engine", "reference", "-o", str(tmp_path / "r")]) == 2
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1 and "`pip install cellproof` brings it" in said
