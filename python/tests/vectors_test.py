"""The vectors as others take them: the program's files, the page-long judges in Python and C, the package and its plugin."""

import fcntl
import gzip
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import zipfile

import jsonschema
import numpy as np
import pytest

import cellproof_vectors
from cellproof import _frames
from cellproof_vectors import _judge

PACKAGE = pathlib.Path(cellproof_vectors.__file__).parent
EACH = 6  # engines take seconds for hundreds of models: some of the vectors


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("made") / "vectors"
    subprocess.run([os.environ["CELLPROOF_PROGRAM"], "vectors", "-o", made], check=True, capture_output=True)
    return made


@pytest.fixture(scope="module")
def found(folder):
    return cellproof_vectors.vectors(str(folder / "vectors.json"))


def outputs_of(vector, way, which="value"):
    wanted = {**vector["ways"][0]["outputs"], **way["outputs"]}
    return {name: _judge.array(each[which], _judge.type_of(vector), each["shape"]).copy() for name, each in wanted.items()}


def some_of(found, operator):
    return {**found, "vectors": [{**v, "versions": v["versions"][-1:]} for v in found["vectors"] if v["operator"] == operator][::EACH]}


def test_two_runs_give_the_same_bytes(folder, tmp_path):
    subprocess.run([os.environ["CELLPROOF_PROGRAM"], "vectors", "-o", tmp_path / "again"], check=True, capture_output=True)
    files = sorted(p.relative_to(folder) for p in folder.rglob("*") if p.is_file())
    assert len(files) > 100
    assert [p for p in files if (folder / p).read_bytes() != (tmp_path / "again" / p).read_bytes()] == []


def test_a_processor_without_vectors_and_fused_products_gives_the_same_bytes(folder, tmp_path):
    # The C library then takes other functions, as it does on such a processor.
    environment = {**os.environ, "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX2,-AVX,-FMA,-FMA4,-BMI2,-ERMS"}
    subprocess.run([os.environ["CELLPROOF_PROGRAM"], "vectors", "-o", tmp_path / "plain"], check=True, capture_output=True, env=environment)
    assert (tmp_path / "plain/vectors.json").read_bytes() == (folder / "vectors.json").read_bytes()


def test_all_versions_take_at_most_two_megabytes(folder, found):
    assert len(gzip.compress((folder / "vectors.json").read_bytes(), 9)) < 2_000_000
    assert {(v["operator"], n) for v in found["vectors"] for n in v["versions"]} >= {("LSTM", 1), ("GRU", 3), ("RNN", 22), ("DynamicQuantizeLSTM", 1)}


def test_the_rounded_exact_values_of_each_way_are_right(found):
    for vector in found["vectors"]:
        for way in vector["ways"]:
            assert _judge.judge(vector, outputs_of(vector, way)) == ""


def test_the_first_number_beyond_an_interval_is_wrong(found):
    vector = next(v for v in found["vectors"] if v["name"] == "LSTM-09")
    way = vector["ways"][0]
    outputs = outputs_of(vector, way, "hi")
    assert _judge.judge(vector, outputs) == ""
    name = next(iter(outputs))
    flat = outputs[name].reshape(-1)
    flat[0] = np.nextafter(flat[0], flat.dtype.type(np.inf), dtype=flat.dtype)
    said = _judge.judge(vector, outputs)
    assert said.startswith(f"LSTM-09: {name}[0,") and "(1 of" in said and "onnx.ai" in said and vector["tests"][0] in said
    flat[0] = np.nan
    assert "is nan" in _judge.judge(vector, outputs)
    assert "has the shape None" in _judge.judge(vector, {})


def test_numpy_reads_the_same_numbers(folder, found):
    arrays = np.load(folder / "vectors.npz")
    for vector in found["vectors"]:
        for number, way in enumerate(vector["ways"]):
            for name, hi in outputs_of(vector, way, "hi").items():
                assert arrays[f"{vector['name']}/way{number}/{name}/hi"].tobytes() == hi.tobytes()


@pytest.mark.parametrize("damage, said", [
    (lambda text: text[: len(text) // 2], "damaged or cut off"),
    (lambda text: text.replace("cellproof-vectors/1", "cellproof-vectors/2", 1), "expected 'cellproof-vectors/1'"),
    (lambda text: text.replace("3f800000", "3f800001", 1), "not those of its sha256"),
    (lambda text: "[]", "its format is None"),
])
def test_a_damaged_file_is_one_line_and_two(folder, tmp_path, damage, said):
    file = tmp_path / "vectors.json"
    file.write_text(damage((folder / "vectors.json").read_text()))
    np.savez(tmp_path / "outputs.npz")
    done = subprocess.run([sys.executable, PACKAGE / "_judge.py", file, tmp_path / "outputs.npz"], capture_output=True, text=True)
    assert done.returncode == 2 and said in done.stderr and done.stderr.count("\n") == 1
    with pytest.raises(ValueError, match="\\A[^\n]*\\Z"):
        cellproof_vectors.vectors(str(file))


@pytest.mark.parametrize("damage, said", [
    (lambda whole: whole[: len(whole) // 2], "no .npz, damaged or cut off"),
    (lambda whole: b"", "no .npz, damaged or cut off"),
    (lambda whole: whole.replace(b"NUMPY", b"NAMPY", 1), "damaged: "),
    (None, "No such file"),
])
def test_damaged_outputs_are_one_line_and_two(folder, tmp_path, damage, said):
    np.savez(tmp_path / "whole.npz", x=np.arange(100))
    if damage:
        (tmp_path / "outputs.npz").write_bytes(damage((tmp_path / "whole.npz").read_bytes()))
    done = subprocess.run([sys.executable, PACKAGE / "_judge.py", folder / "vectors.json", tmp_path / "outputs.npz"], capture_output=True, text=True)
    assert done.returncode == 2 and said in done.stderr and done.stderr.count("\n") == 1, done.stderr


def test_the_page_says_what_is_wrong_in_a_file(folder, found, tmp_path):
    arrays = {f"{v['name']}/{name}": x for v in found["vectors"] for name, x in outputs_of(v, v["ways"][0]).items()}
    np.savez(tmp_path / "right.npz", **arrays)
    wrong = {**arrays, "GRU-09/Y_h": arrays["GRU-09/Y_h"] + 1} if "GRU-09/Y_h" in arrays else {}
    assert wrong, "GRU-09 has no Y_h any more: take another"
    np.savez(tmp_path / "wrong.npz", **wrong)
    run = lambda name: subprocess.run([sys.executable, PACKAGE / "_judge.py", folder / "vectors.json", tmp_path / name], capture_output=True, text=True)
    right = run("right.npz")
    assert (right.returncode, right.stdout) == (0, f"all {len(found['vectors'])} vectors are right\n")
    assert run("wrong.npz").returncode == 1 and run("wrong.npz").stdout.startswith("GRU-09: Y_h[0,")


def test_the_wheel_is_small_and_the_same_each_time(folder, tmp_path):
    make = lambda where, file: subprocess.run([sys.executable, PACKAGE.parents[1] / "setup/vectors_wheel.py", file, tmp_path / where], capture_output=True, text=True)
    for where in "ab":
        assert make(where, folder / "vectors.json").returncode == 0
    (wheel,) = (tmp_path / "a").iterdir()
    assert wheel.stat().st_size <= 2_000_000 and wheel.read_bytes() == (tmp_path / "b" / wheel.name).read_bytes()
    code = "import cellproof_vectors; print(len(cellproof_vectors.vectors()['vectors']), cellproof_vectors.__file__)"
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CELLPROOF")}
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**environment, "PYTHONPATH": str(tmp_path / "unpacked")})
    assert said.returncode != 0
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "unpacked")
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**environment, "PYTHONPATH": str(tmp_path / "unpacked")})
    assert said.stdout.split()[0].isdigit() and str(tmp_path) in said.stdout, said.stderr
    (tmp_path / "cut.json").write_text("{")
    cut = make("c", tmp_path / "cut.json")
    assert cut.returncode == 2 and cut.stderr.count("\n") == 1


class OnnxReference:
    """ONNX's reference evaluator as a Backend."""

    @staticmethod
    def prepare(model, device="CPU"):
        from onnx.reference import ReferenceEvaluator

        evaluator = ReferenceEvaluator(model)

        class Prepared:
            def run(self, inputs):
                return evaluator.run(None, dict(zip([each.name for each in model.graph.input], inputs)))

        return Prepared()


def test_onnx_reference_evaluator_ignores_clip(found):
    clipping = [v for v in found["vectors"] if "clip-ignored" in v["kills"] and v["domain"] == ""][:4]
    report = cellproof_vectors.Report(cellproof_vectors.results(OnnxReference, {"vectors": [{**v, "versions": [22]} for v in clipping]}))
    assert report.of("wrong"), str(report)
    right = cellproof_vectors.Report(cellproof_vectors.results(OnnxReference, some_of(found, "RNN"))).of("right")
    assert right, "it is not wrong everywhere"


def test_onnxruntime_is_right_but_for_what_is_known_of_it(found):
    import onnxruntime.backend

    # It gives what lies in memory as last states of sequences without a step, and ends the process for some of them.
    empty = [{**v, "versions": [22]} for v in found["vectors"] if v["operator"] == "LSTM" and ("T=0" in v["case"] or "N=0" in v["case"])]
    assert any(each.failed for each in cellproof_vectors.results(onnxruntime.backend, {"vectors": empty}))
    report = cellproof_vectors.Report(cellproof_vectors.results(onnxruntime.backend, some_of(found, "LSTM")))
    assert len(report.of("right")) > len(report) // 3, str(report)


def worker_backend(program, *arguments):
    """An engine that speaks the worker protocol, as a Backend: one process for each run."""

    class Prepared:
        def __init__(self, model):
            self.model = model

        def run(self, inputs):
            from onnx import TensorProto, numpy_helper

            requests, replies = os.pipe(), os.pipe()
            ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 64) for end in (requests[0], replies[1])]  # clear of 3 and 4
            start = ["bash", "-c", f'exec "$@" 3<&{ends[0]} 4>&{ends[1]}', "bash", program, *arguments]
            worker = subprocess.Popen(start, pass_fds=ends)
            for end in (*ends, requests[0], replies[1]):
                os.close(end)
            graph = self.model.graph
            names = {"inputs": [each.name for each in graph.input], "outputs": [each.name for each in graph.output]}
            tensors = [numpy_helper.from_array(value, name).SerializeToString() for name, value in zip(names["inputs"], inputs)]
            _frames.write_frame(requests[1], _frames.HELLO, {"protocol": 1})
            _frames.write_frame(requests[1], _frames.RUN, {"number": 1, **names}, [self.model.SerializeToString(), *tensors])
            _frames.write_frame(requests[1], _frames.BYE, {})
            hello, answer = _frames.read_frame(replies[0]), _frames.read_frame(replies[0])
            os.close(requests[1])
            os.close(replies[0])
            assert worker.wait() == 0 and hello[0] == _frames.HELLO_REPLY, "the worker ended badly"
            if answer[0] != _frames.RAN:
                raise RuntimeError(answer[1].get("message", "no answer"))
            return [numpy_helper.to_array(TensorProto.FromString(part)) for part in answer[2]]

    class Backend:
        prepare = staticmethod(lambda model, device="CPU": Prepared(model))

    return Backend


ENGINES = pathlib.Path(os.environ["CELLPROOF_PROGRAM"]).parent


@pytest.mark.parametrize("program, arguments", [("cellproof-engine-reference", []), ("cellproof-engine-cpu", ["scalar"])])
def test_our_own_engines_are_right(found, program, arguments):
    chosen = [{**v, "versions": v["versions"][-1:]} for v in found["vectors"]][::EACH]
    report = cellproof_vectors.Report(cellproof_vectors.results(worker_backend(str(ENGINES / program), *arguments), {"vectors": chosen}))
    assert report.of("wrong") == report.of("crashed") == [], str(report)
    assert len(report.of("right")) > len(report) * 3 // 4, str(report)


def test_the_json_keeps_to_its_schema(folder):
    schema = json.loads((folder / "vectors.schema.json").read_text())
    made = json.loads((folder / "vectors.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    assert [each.message[:200] for each in validator.iter_errors(made)] == []
    del made["vectors"][0]["ways"][0]["outputs"]
    made["vectors"][1]["colour"] = "red"
    made["format"] = "cellproof-vectors/2"
    assert len(list(validator.iter_errors(made))) == 3


def test_a_crash_is_one_result():
    class Crashing:
        @staticmethod
        def prepare(model, device="CPU"):
            os.kill(os.getpid(), signal.SIGKILL)

    vector = {"name": "RNN-01", "operator": "RNN", "domain": "", "versions": [22], "attributes": {}, "symbolic": False, "outputs": ["Y"], "clauses": [], "page": "",
              "inputs": [{"name": "X", "type": "float", "shape": [1, 1, 1], "bits": "3f800000", "initializer": False}],
              "ways": [{"readings": ["default"], "outputs": {"Y": {"shape": [1, 1, 1, 1], "value": "0", "lo": "0", "hi": "0"}}}]}
    report = cellproof_vectors.Report(cellproof_vectors.results(Crashing, {"vectors": [vector]}))
    assert [each.verdict for each in report] == ["crashed"] and "1 crashed" in str(report)


def test_the_plugin_has_a_test_for_each_vector(folder, found, tmp_path):
    text = json.dumps({k: v for k, v in {**found, "vectors": some_of(found, "RNN")["vectors"][:3]}.items() if k != "sha256"}, sort_keys=True, separators=(",", ":"))
    few = {**json.loads(text), "sha256": _judge.hashlib.sha256(text.encode()).hexdigest()}
    (tmp_path / "few.json").write_text(json.dumps(few))
    command = [sys.executable, "-m", "pytest", "-p", "cellproof_vectors._pytest", "-p", "no:cacheprovider", "-q", "-rA", "--cellproof-vectors", "onnxruntime.backend", str(tmp_path)]
    environment = {**os.environ, "CELLPROOF_VECTORS": str(tmp_path / "few.json")}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path)
    assert "vectors::onnxruntime.backend::RNN-" in done.stdout and "passed" in done.stdout, done.stdout + done.stderr
    cut = subprocess.run(command, capture_output=True, text=True, env={**environment, "CELLPROOF_VECTORS": str(tmp_path / "none.json")}, cwd=tmp_path)
    assert cut.returncode == 4 and "none.json" in cut.stderr


PROGRAM = r"""
#include <stdio.h>
#include "cellproof_vectors.h"
/* Judges each vector's own upper ends (NaN where nothing else is right), then the same with one bit more. */
int main(void) {
  static uint32_t copy[3][65536];
  struct cellproof_mistake mistake;
  uint32_t k, i, n, wrong = 0, passed = 0, said = 0;
  for (k = 0; k < CELLPROOF_VECTORS; ++k) {
    const struct cellproof_vector *vector = &cellproof_vectors[k];
    const void *outputs[3] = {0, 0, 0};
    for (i = 0; i < 3; ++i) {
      const struct cellproof_output *own = &vector->way[0].outputs[i];
      for (n = 0; n < vector->counts[i]; ++n)
        copy[i][n] = cellproof_order(own->lo[n]) > cellproof_order(own->hi[n]) ? 0x7fc00000u : own->hi[n];
      if (vector->counts[i]) outputs[i] = copy[i];
    }
    if (!cellproof_check(vector, outputs, &mistake)) ++wrong;
    for (i = 0; i < 3 && !vector->counts[i]; ++i) {}
    if (i == 3 || vector->ways > 1 || copy[i][0] == 0x7f800000u) continue;
    copy[i][0] = copy[i][0] == 0x7fc00000u ? 0 : copy[i][0] & 0x80000000u ? 0x7f800000u : copy[i][0] + 1;
    if (cellproof_check(vector, outputs, &mistake)) ++passed;
    else if (!said++) printf("%s: %s[%u], step %d; ", vector->name, mistake.output, (unsigned)mistake.element, mistake.step);
  }
  printf("%u wrong, %u passed of %d\n", (unsigned)wrong, (unsigned)passed, CELLPROOF_VECTORS);
  return 0;
}
"""


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_the_header_judges_in_c99_without_a_library(folder, tmp_path, compiler):
    assert shutil.which(compiler), f"{compiler} is one of Debian's packages that set-up brings"
    (tmp_path / "main.c").write_text(PROGRAM)
    strict = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O1"]
    subprocess.run([compiler, *strict, f"-I{folder}", tmp_path / "main.c", "-o", tmp_path / "main"], check=True)
    said = subprocess.run([tmp_path / "main"], check=True, capture_output=True, text=True).stdout
    assert "0 wrong, 0 passed of" in said and "step" in said, said
