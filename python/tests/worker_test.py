"""`cellproof.worker` spoken to byte by byte, as the harness speaks to it."""

import signal
import zlib

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import numpy_helper

from cellproof import _frames, _tensors

ECHO = """
    import cellproof
    cellproof.worker(lambda p: p.inputs, version="7", contract="tf32", threads=True)
"""


def model_of(op="RNN"):
    node = onnx.helper.make_node(op, ["X", "W", "R"], ["Y"])
    return onnx.helper.make_model(onnx.helper.make_graph([node], "g", [], [])).SerializeToString()


def tensor(name, value):
    return numpy_helper.from_array(np.asarray(value), name).SerializeToString()


def run(harness, outputs, *tensors, number=1):
    return harness.ask(_frames.RUN, {"number": number, "inputs": [], "outputs": outputs}, [model_of(), *tensors])


def test_greets_answers_and_leaves(start):
    worker = start(ECHO)
    kind, hello, _ = worker.ask(_frames.HELLO, {"protocol": 1})
    assert kind == _frames.HELLO_REPLY
    assert hello == {"protocol": 1, "name": "-c", "version": "7", "numbered": True, "contract": "tf32", "threads": True}
    assert worker.ask(_frames.SUPPORTS, {}, [model_of()]) == (_frames.SUPPORTS_REPLY, {"supported": True, "reason": ""}, [])
    _frames.write_frame(worker.out, _frames.BYE, {})
    assert worker.end() == 0


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.float64, ml_dtypes.bfloat16], ids=lambda t: np.dtype(t).name)
def test_runs_in_every_type_and_keeps_the_bits(start, dtype):
    value = np.array([[1.5, -0.0, np.nan, np.inf]], dtype)
    kind, said, parts = run(start(ECHO), ["X"], tensor("X", value), number=41)
    assert kind == _frames.RAN and said["number"] == 41
    assert said["inputs_crc32"] == [zlib.crc32(value.tobytes())]
    assert set(said["timings"]) == {"prepare", "run"} and said["timings"]["run"] > 0
    back = _tensors.decode(parts[0])[1]
    assert back.dtype == value.dtype and back.tobytes() == value.tobytes()


def test_changed_inputs_show_in_the_sum(start):
    worker = start(
        """
        import cellproof
        def run(problem):
            problem.inputs["X"] += 1
            problem.prepared()
            return [problem.inputs["X"]]
        cellproof.worker(run)
        """
    )
    _, said, _ = run(worker, ["X"], tensor("X", np.float32([1, 2])))
    assert said["inputs_crc32"] == [zlib.crc32(np.float32([2, 3]).tobytes())]
    assert said["timings"]["prepare"] > 0


def test_gaps_refusals_and_memory_are_told_apart(start):
    worker = start(
        """
        import cellproof
        def run(problem):
            raise {1: cellproof.NotSupported("no LSTM"), 2: ValueError("bad\\nmodel"), 3: MemoryError("all"), 4: NotImplementedError("layout")}[int(problem.inputs["X"])]
        cellproof.worker(run, lambda p: "no DLSTM" if p.operator == "DLSTM" else None)
        """
    )
    answers = [run(worker, ["Y"], tensor("X", k), number=k) for k in (1, 2, 3, 4)]
    assert [(kind, said["message"]) for kind, said, _ in answers] == [
        (_frames.NOT_SUPPORTED, "no LSTM"),
        (_frames.REJECTED, "ValueError: bad"),
        (_frames.OUT_OF_MEMORY, "MemoryError: all"),
        (_frames.NOT_SUPPORTED, "NotImplementedError: layout"),
    ]
    assert [said["number"] for _, said, _ in answers] == [1, 2, 3, 4]
    assert worker.ask(_frames.SUPPORTS, {}, [model_of("DLSTM")])[1] == {"supported": False, "reason": "no DLSTM"}
    kind, said, _ = worker.ask(_frames.RUN, {"number": 5, "inputs": [], "outputs": ["Y"]}, [model_of("DLSTM")])
    assert (kind, said["message"]) == (_frames.NOT_SUPPORTED, "no DLSTM")


def test_every_output_returned_is_sent(start):
    worker = start("import cellproof\ncellproof.worker(lambda p: [p.inputs['X'], 2.0, 3.0])")
    kind, _, parts = run(worker, ["X"], tensor("X", np.float32(1)))
    assert kind == _frames.RAN and [_tensors.decode(part)[0] for part in parts] == ["X", "output_1", "output_2"]


DYING = """
    import cellproof, os, signal, sys
    print("imported", file=sys.stderr)
    def run(problem):
        how = int(problem.inputs["X"])
        if how < 0:
            sys.stderr.write("dying")
            os.kill(os.getpid(), -how)
        if how > 0:
            os._exit(how)
        return [problem.inputs["X"]]
    cellproof.worker(run, fork=True)
"""


def test_a_fork_that_dies_is_told_and_the_next_goes_on(start):
    worker = start(DYING)
    assert run(worker, ["Y"], tensor("X", 0))[0] == _frames.RAN
    kind, said, _ = run(worker, ["Y"], tensor("X", -signal.SIGSEGV))
    assert kind == _frames.DIED and (said["signal"], said["exit_code"]) == (signal.SIGSEGV, 0)
    assert said["printed"] == len("imported\ndying")
    kind, said, _ = run(worker, ["Y"], tensor("X", 5))
    assert kind == _frames.DIED and (said["signal"], said["exit_code"]) == (0, 5)
    assert run(worker, ["Y"], tensor("X", 0))[0] == _frames.RAN
    assert worker.end() == 0
    assert worker.log.read_text() == "imported\ndying"


def test_a_fork_leaves_the_requests_behind_its_own(start):
    worker = start(DYING)
    for k, how in enumerate((-signal.SIGABRT, 0)):
        _frames.write_frame(worker.out, _frames.RUN, {"number": k, "inputs": [], "outputs": ["Y"]}, [model_of(), tensor("X", how)])
    assert _frames.read_frame(worker.into)[0] == _frames.DIED
    kind, said, _ = _frames.read_frame(worker.into)
    assert (kind, said["number"]) == (_frames.RAN, 1)


def test_a_process_with_threads_says_that_it_cannot_fork(start):
    worker = start(DYING.replace("cellproof.worker(", "import threading; threading.Thread(target=threading.Event().wait, daemon=True).start()\n    cellproof.worker("))
    assert run(worker, ["Y"], tensor("X", 0))[0] == _frames.RAN
    assert "no forks, this process has 2 threads" in worker.log.read_text()


def test_without_fork_the_process_dies(start):
    worker = start(DYING.replace("fork=True", "fork=False"))
    assert run(worker, ["Y"], tensor("X", 5)) is None
    assert worker.end() == 5


def test_ends_with_its_harness_and_when_absent(start):
    assert start(ECHO).end() == 0
    assert start("import cellproof\ncellproof.absent('no runtime here')").process.wait(timeout=20) == 77
