"""Judging from Python, through one long-lived `cellproof judge`."""

import os
import subprocess
import sys
import threading

import numpy as np
import onnx
import pytest
from lstm import MISTAKES, STYLES, Lstm
from onnx import numpy_helper

import cellproof
from cellproof import _program

PLAIN = "cellproof-case/1 op=LSTM-22 type=float T=5 N=3 I=4 H=6"


@pytest.fixture(scope="module")
def lstm_cases():
    smoke = cellproof.cases("smoke")
    assert len({case.name for case in smoke}) == len(smoke) > 500
    found = [case for case in smoke if case.operator.startswith("LSTM")]
    assert len(found) > 100
    return found


@pytest.mark.parametrize("style", STYLES)
def test_no_honest_style_is_accused(lstm_cases, style):
    lstm = Lstm(style)
    verdicts = [cellproof.judge_callable(lstm, case) for case in lstm_cases]
    assert [str(v) for v in verdicts if not v.passed] == []
    judged = [v for v in verdicts if v.outcome == "RAN"]
    assert len(judged) > 50 and {v.verdict for v in judged} <= {"CONFORMS", "UNDECIDED", "READING"}
    assert sum(v.verdict == "CONFORMS" for v in judged) > 0.9 * len(judged)
    assert lstm.calls >= len(lstm_cases)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_every_mistake_is_proved(lstm_cases, mistake):
    verdicts = (cellproof.judge_callable(Lstm(mistake=mistake), case) for case in lstm_cases)
    wrong = next((v for v in verdicts if not v.passed), None)
    assert wrong is not None and wrong.verdict == "DIVERGES" and wrong.first["output"] in ("Y", "Y_h", "Y_c")


def test_a_verdict_names_the_mistake():
    line = PLAIN + " B=given"
    verdict = cellproof.judge_callable(Lstm(mistake="the second half of B left out"), line)
    assert (verdict.verdict, verdict.faults[0], verdict.contract) == ("DIVERGES", "rb-ignored", "f32")
    assert verdict.record["case"] == line and "Y differs from step 0" in str(verdict)
    assert cellproof.judge_callable(Lstm(), line).faults == []


def test_the_contract_decides():
    def coarse(problem):
        return {name: y.astype(np.float16).astype(np.float32) for name, y in Lstm()(problem).items()}

    assert cellproof.judge_callable(coarse, PLAIN).verdict in ("PRECISION", "DIVERGES")
    assert not cellproof.judge_callable(coarse, PLAIN).passed
    double = PLAIN.replace("float", "double")
    assert cellproof.judge_callable(Lstm(), double).verdict == "CONFORMS"
    with pytest.raises(cellproof.ProgramError, match="contract f33"):
        cellproof.judge_callable(Lstm(), PLAIN, contract="f33")


def test_a_function_may_lack_refuse_fail_and_be_flaky():
    gap = cellproof.judge_callable(lambda problem: (_ for _ in ()).throw(cellproof.NotSupported("no LSTM")), PLAIN)
    assert (gap.outcome, gap.verdict, gap.passed, gap.record["outcome_message"]) == ("NOT_SUPPORTED", None, True, "no LSTM")
    refusal = cellproof.judge_callable(lambda problem: 1 / 0, PLAIN)
    assert refusal.outcome == "REJECTED" and "division by zero" in str(refusal)
    count = iter(range(100))
    flaky = cellproof.judge_callable(lambda problem: {k: y + next(count) % 2 for k, y in Lstm()(problem).items()}, PLAIN, repeat=True)
    assert not flaky.passed
    odd = cellproof.judge_callable(lambda problem: [np.zeros(2, np.complex64)] * 3, PLAIN)
    assert odd.outcome == "CRASHED" and not odd.passed
    changed = cellproof.judge_callable(lambda problem: (Lstm()(problem), problem.inputs["X"].fill(0))[0], PLAIN)
    assert changed.record["misconduct"] and not changed.passed
    assert cellproof.judge_callable(Lstm(), PLAIN).passed  # the process has survived all that


def test_an_interrupted_trial_leaves_the_process_usable():
    def interrupted(problem):
        raise KeyboardInterrupt

    before = _program.judge()._process
    with pytest.raises(KeyboardInterrupt):
        cellproof.judge_callable(interrupted, PLAIN)
    assert cellproof.judge_callable(Lstm(), PLAIN).verdict == "CONFORMS"
    assert _program.judge()._process is before or before is None


def test_invalid_cases_are_to_be_refused():
    import onnxruntime

    def strict(problem):
        return onnxruntime.InferenceSession(problem.model).run(problem.outputs, problem.inputs)

    def blind(problem):
        return [np.zeros(1, np.float32) for _ in problem.outputs]

    case = next(c for c in cellproof.cases("invalid") if c.name == "LSTM-7/attribute-unknown/linear_before_reset")
    assert cellproof.judge_callable(strict, case).verdict == "REFUSED_AS_EXPECTED"
    assert cellproof.judge_callable(blind, case).verdict == "ACCEPTED_INVALID"


def test_laws_are_tried():
    case = next(c for c in cellproof.cases("laws") if c.operator == "LSTM-22" and "activation" not in c.line and "type=float " in c.line)
    verdict = cellproof.judge_callable(Lstm(), case)
    assert case.law and verdict.record["law"] == case.law and verdict.passed


def test_outputs_are_judged_as_they_are(tmp_path):
    problem = cellproof.Case(PLAIN).problem()
    outputs = Lstm()(problem)
    assert cellproof.judge(problem.model, problem.inputs, outputs).verdict == "CONFORMS"
    in_order = [outputs[name] for name in problem.outputs]
    model = onnx.ModelProto.FromString(problem.model)
    assert cellproof.judge(model, list(problem.inputs.values()), in_order).verdict == "CONFORMS"
    path = tmp_path / "model.onnx"
    path.write_bytes(problem.model)
    outputs["Y"] = outputs["Y"].copy()
    outputs["Y"][3, 0, 1, 2] += 1e-3
    wrong = cellproof.judge(path, problem.inputs, outputs)
    assert (wrong.verdict, wrong.first["index"], wrong.passed) == ("DIVERGES", [3, 0, 1, 2], False)
    tf32 = cellproof.judge(path, problem.inputs, Lstm()(problem), contract="tf32")
    assert tf32.record["given_contract"] == "tf32" and tf32.passed


def test_what_cannot_be_judged_is_said():
    problem = cellproof.Case(PLAIN).problem()
    outputs = Lstm()(problem)
    for what, arguments in {
        "input Z: the model has X": (problem.model, {"Z": outputs["Y"]}, outputs),
        "input X is missing": (problem.model, {}, outputs),
        "output Q: the model has Y, Y_h, Y_c": (problem.model, problem.inputs, {"Q": outputs["Y"]}),
        "output 3: the model has": (problem.model, problem.inputs, [outputs["Y"]] * 4),
        "the model": (b"no model", {}, outputs),
        "input 'X' is float": (problem.model, {"X": np.zeros((1, 1, 1), np.float32)}, outputs),
    }.items():
        with pytest.raises(cellproof.ProgramError, match=what):
            cellproof.judge(*arguments)
    with pytest.raises(cellproof.ProgramError, match="suite"):
        cellproof.cases("none such")
    with pytest.raises(cellproof.ProgramError, match="case text"):
        cellproof.judge_callable(Lstm(), "cellproof-case/1 op=LSTM-22 nonsense=1")


def test_sixteen_bit_tensors_arrive_as_such():
    for kind, name in (("float16", "float16"), ("bfloat16", "bfloat16")):
        problem = cellproof.Case(PLAIN.replace("float", kind)).problem()
        assert problem.inputs["X"].dtype.name == name and problem.tensors["W"].dtype.name == name


def test_the_models_are_those_of_onnx():
    problem = cellproof.Case(PLAIN + " B=given clip=0.5 direction=bidirectional").problem()
    model = onnx.ModelProto.FromString(problem.model)
    node = model.graph.node[-1]
    assert problem.attributes == {a.name: _plain(onnx.helper.get_attribute_value(a)) for a in node.attribute}
    weights = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
    assert set(problem.tensors) == {name for name in node.input if name}
    assert all(np.array_equal(problem.tensors[name], value) for name, value in weights.items())
    assert (problem.operator, problem.version, problem.domain) == ("LSTM", 22, "")


@pytest.mark.parametrize("nesting", ["if", "nested-if", "loop", "function"])
def test_a_node_inside_another_is_left_to_runtimes(nesting):
    problem = cellproof.Case(PLAIN + f" nesting={nesting}").problem()
    onnx.checker.check_model(onnx.ModelProto.FromString(problem.model), full_check=True)
    with pytest.raises(cellproof.NotSupported, match="If, a Loop or a function"):
        problem.operator


def _plain(value):
    return value.decode() if isinstance(value, bytes) else value


def test_threads_take_turns():
    verdicts = []

    def work():
        verdicts.extend(cellproof.judge_callable(Lstm(), PLAIN).verdict for _ in range(5))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert verdicts == ["CONFORMS"] * 20


def test_a_killed_process_is_said_and_started_again():
    assert cellproof.judge_callable(Lstm(), PLAIN).passed
    process = _program.judge()._process

    def killing(problem):
        process.kill()
        process.wait()
        return Lstm()(problem)

    with pytest.raises(cellproof.ProgramError, match="exit code -9"):
        cellproof.judge_callable(killing, PLAIN)
    assert cellproof.judge_callable(Lstm(), PLAIN).passed
    assert _program.judge()._process is not process


def test_the_program_must_be_there(monkeypatch):
    monkeypatch.setenv("CELLPROOF_PROGRAM", "/nowhere/cellproof")
    with pytest.raises(cellproof.ProgramError, match="/nowhere/cellproof cannot be started"):
        _program.Judge().ask(_program.LIST, {"suite": "smoke"})


def test_causes_of_a_store_and_its_folder(tmp_path):
    store = tmp_path / "run"
    engine = f"mine=env PYTHONPATH={os.pathsep.join(sys.path)} {sys.executable} {__file__.replace('judging_test', 'mistaken_worker')}"
    run = [_program.program_path(), "run", "--suite", "smoke", "--shard", "1/4", "--engine", engine, "-o", str(store), "--explain", "0"]
    assert subprocess.run(run, capture_output=True, check=False).returncode == 1
    found = cellproof.causes(store)
    assert ("mine", "fault:rb-ignored") in [(cause.engine, cause.id) for cause in found]
    assert all(cause.case.startswith("cellproof-case/1 op=LSTM") and cause.cases >= 1 and cause.title for cause in found)
    assert cellproof.causes(store / "run.sqlite") == found == cellproof.causes(store / "causes.json")
    with pytest.raises(cellproof.ProgramError):
        cellproof.causes(tmp_path)
