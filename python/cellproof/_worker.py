"""An engine's side of the worker protocol."""

from __future__ import annotations

import ctypes
import os
import signal
import stat
import sys
import time
import traceback
import zlib
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

from cellproof import _frames, _tensors
from cellproof._errors import NotSupported
from cellproof._problem import Problem, encoded_outputs

Run = Callable[[Problem], Any]
Supports = Callable[[Problem], Union[None, bool, str]]
Answer = Tuple[int, Dict[str, Any], List[bytes]]

REQUESTS, REPLIES = 3, 4
PR_SET_PDEATHSIG = 1


def worker(
    run: Run,
    supports: Optional[Supports] = None,
    fork: bool = False,
    contract: Optional[str] = None,
    *,
    name: Optional[str] = None,
    version: str = "",
    threads: bool = False,
) -> None:
    """Makes this process an engine: `cellproof run --engine NAME='python THIS_FILE.py'`. Returns when the harness has no more to ask.

    run        computes a Problem: returns arrays in the order of `problem.outputs`, a mapping by name, or one array. Raises NotSupported (or
               NotImplementedError) for what it lacks; what else it raises refuses the model.
    supports   None or True where it can run the problem, else the reason; asked before each run
    fork       answer in forks of this process: after a crash the next fork goes on without importing anything again
    contract   the arithmetic that it promises where that is not the default of the type (`cellproof list contracts`)
    name       of the engine, as the report has it when the command line gives none
    version    of the runtime
    threads    it computes with as many threads as the environment variable CELLPROOF_THREADS says
    """
    hello = {"protocol": 1, "name": name or _name_of_program(), "version": version, "numbered": True}
    if contract is not None:
        hello["contract"] = contract
    if threads:
        hello["threads"] = True
    engine = _Engine(run, supports, hello)
    try:
        threads_here = _thread_count() if fork else 1
        if threads_here > 1:  # a fork loses all but the one that makes it
            print(f"cellproof: no forks, this process has {threads_here} threads; import cellproof before numpy", file=sys.stderr)
        if fork and threads_here == 1:
            _serve_in_forks(engine)
        else:
            engine.serve()
    except BrokenPipeError:
        pass  # the harness has gone


def answer(run: Run, supports: Optional[Supports], message: Dict[str, Any], parts: Sequence[bytes]) -> Answer:
    """Kind, JSON and tensors of the answer to a RUN request."""
    try:
        inputs = dict(_tensors.decode(part) for part in parts[1:])
        problem = Problem(parts[0], inputs, message["outputs"])
        reason = _why_not(supports, problem)
        if reason is not None:
            return _frames.NOT_SUPPORTED, {"message": reason}, []
        returned = run(problem)
        timings = problem._timings(time.perf_counter())
        sums = [zlib.crc32(value.tobytes()) for value in inputs.values()]
        return _frames.RAN, {"timings": timings, "inputs_crc32": sums}, encoded_outputs(problem, returned)
    except NotImplementedError as error:  # NotSupported is one
        return _frames.NOT_SUPPORTED, {"message": _one_line(error)}, []
    except MemoryError as error:
        return _frames.OUT_OF_MEMORY, {"message": _one_line(error)}, []
    except Exception as error:  # whatever the engine raises is its answer
        return _frames.REJECTED, {"message": _one_line(error)}, []


class _Engine:
    def __init__(self, run: Run, supports: Optional[Supports], hello: Dict[str, Any]) -> None:
        self.run, self.supports, self.hello = run, supports, hello

    def serve(self) -> None:
        while True:
            frame = _frames.read_frame(REQUESTS)
            if frame is None or frame[0] == _frames.BYE:
                return
            self._answer(*frame)

    def _answer(self, kind: int, message: Dict[str, Any], parts: List[bytes]) -> None:
        if kind == _frames.HELLO:
            _frames.write_frame(REPLIES, _frames.HELLO_REPLY, self.hello)
        elif kind == _frames.SUPPORTS:
            reason = _support(self.supports, parts[0])
            _frames.write_frame(REPLIES, _frames.SUPPORTS_REPLY, {"supported": reason is None, "reason": reason or ""})
        elif kind == _frames.RUN:
            reply, said, outputs = answer(self.run, self.supports, message, parts)
            said["number"] = message.get("number", 0)
            _frames.write_frame(REPLIES, reply, _with_printed(said), outputs)
        else:
            sys.exit(f"a request of kind {kind}, which the protocol does not have")


def _why_not(supports: Optional[Supports], problem: Problem) -> Optional[str]:
    told = None if supports is None else supports(problem)
    if told is None or told is True:
        return None
    return "not supported" if told is False else str(told)


def _support(supports: Optional[Supports], model: bytes) -> Optional[str]:
    try:
        return _why_not(supports, Problem(model, {}, []))
    except NotImplementedError as error:
        return _one_line(error)


def _one_line(error: BaseException) -> str:
    text = f"{error}" if isinstance(error, NotSupported) else f"{type(error).__name__}: {error}"
    return text.split("\n", 1)[0][:400]


def _with_printed(message: Dict[str, Any]) -> Dict[str, Any]:
    """Adds where the log ends: what is printed from now on belongs to the next request."""
    sys.stdout.flush()
    sys.stderr.flush()
    log = os.fstat(2)
    return {**message, "printed": log.st_size} if stat.S_ISREG(log.st_mode) else message


def _name_of_program() -> str:
    return os.path.splitext(os.path.basename(sys.argv[0]))[0] or "python"


def _thread_count() -> int:
    return len(os.listdir("/proc/self/task"))


def _serve_in_forks(engine: _Engine) -> None:
    while True:
        status = _serve_in_one_fork(engine)
        exit_code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else 0
        number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        if exit_code == 0 and number == 0:
            return
        _frames.write_frame(REPLIES, _frames.DIED, _with_printed({"exit_code": exit_code, "signal": number}))


def _serve_in_one_fork(engine: _Engine) -> int:
    """Forks; the child serves and ends. The status of its end."""
    sys.stdout.flush()
    sys.stderr.flush()
    parent = os.getpid()
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1]
    code = 1
    try:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() == parent:
            engine.serve()
            code = 0
    except BrokenPipeError:
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
