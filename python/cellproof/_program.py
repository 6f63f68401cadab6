"""The long-lived process `cellproof judge` (docs/judge-protocol.md)."""

from __future__ import annotations

import atexit
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import threading
from typing import Any, Dict, Optional, Sequence

from cellproof import _frames
from cellproof._errors import ProgramError

TRY, JUDGE, MAKE, LIST = range(16, 20)
JUDGED, LISTED, REFUSED = range(144, 147)

_HERE = pathlib.Path(__file__).resolve().parent


def program_path() -> str:
    """The program: $CELLPROOF_PROGRAM, the one of this package, that of the checkout around it, or the one in PATH."""
    given = os.environ.get("CELLPROOF_PROGRAM")
    if given:
        return given
    for candidate in (_HERE / "bin/cellproof", _HERE.parents[1] / "build/launcher/bin/cellproof"):
        if candidate.exists():
            return str(candidate)
    found = shutil.which("cellproof")
    if found is None:
        raise ProgramError("the program cellproof is missing: `pip install cellproof` brings it; CELLPROOF_PROGRAM names a built one")
    return found


def environment() -> Dict[str, str]:
    """What the program needs to know where this package brings it: its files, this Python, and an ONNX Runtime that is installed beside it."""
    known = dict(os.environ)
    if not (_HERE / "bin/cellproof").exists():
        return known
    known.setdefault("CELLPROOF_ROOT", str(_HERE / "root"))
    known.setdefault("CELLPROOF_PYTHON_PACKAGE", str(_HERE))
    known.setdefault("CELLPROOF_ENGINE_PYTHON", sys.executable)
    known.setdefault("CELLPROOF_BESIDE", _beside())
    library = _onnxruntime_library()
    if library:
        known.setdefault("CELLPROOF_ONNXRUNTIME_LIBRARY", library)
    return known


def _beside() -> str:
    """The runtimes of engines.json that are installed beside this package, as `openvino=2026.4.1 tract=0.23.9`."""
    found = [name for name in ("openvino", "tract") if importlib.util.find_spec(name) is not None]
    if not found:
        return ""
    from importlib import metadata  # slow to import

    return " ".join(f"{name}={metadata.version(name)}" for name in found)


def _onnxruntime_library() -> Optional[str]:
    try:
        found = importlib.util.find_spec("onnxruntime")
    except (ImportError, ValueError):
        return None
    folders = found.submodule_search_locations if found else None
    libraries = sorted(p for folder in folders or () for p in pathlib.Path(folder).glob("capi/libonnxruntime.so.*"))
    return str(libraries[-1]) if libraries else None


class Judge:
    """One process, asked by one thread at a time. After a fork, and after its death, the next question starts another."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._process: Optional[subprocess.Popen] = None
        self._owner = 0
        atexit.register(self.close)

    def _start(self) -> None:
        if self._process is not None and self._owner == os.getpid() and self._process.poll() is None:
            return
        path = program_path()
        try:
            self._process = subprocess.Popen([path, "judge"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, start_new_session=True, env=environment())
        except OSError as error:
            raise ProgramError(f"{path} cannot be started: {error}") from None
        self._owner = os.getpid()

    def begin(self, kind: int, message: Dict[str, Any], parts: Sequence[bytes] = ()) -> None:
        """Sends a request, to a new process where there is none."""
        self._start()
        self.send(kind, message, parts)

    def send(self, kind: int, message: Dict[str, Any], parts: Sequence[bytes] = ()) -> None:
        """Sends what belongs to the request that has begun."""
        try:
            _frames.write_frame(self._process.stdin.fileno(), kind, message, parts)
        except BrokenPipeError:
            raise self._ended() from None

    def receive(self) -> _frames.Frame:
        """The next frame. Raises ProgramError where the program refuses what it was asked, or has ended."""
        frame = _frames.read_frame(self._process.stdout.fileno())
        if frame is None:
            raise self._ended()
        if frame[0] == REFUSED:
            raise ProgramError(frame[1]["message"])
        return frame

    def ask(self, kind: int, message: Dict[str, Any], parts: Sequence[bytes] = ()) -> _frames.Frame:
        with self.lock:
            self.begin(kind, message, parts)
            return self.receive()

    def give_up(self) -> None:
        """Ends the trial that is on: its run is answered by BYE, and the program refuses it."""
        try:
            self.send(_frames.BYE, {})
            self.receive()
        except ProgramError:
            pass

    def _ended(self) -> ProgramError:
        code = self._process.wait()
        self._process = None
        return ProgramError(f"the program has ended with exit code {code}; its messages are on stderr")

    def close(self) -> None:
        process, self._process = self._process, None
        if process is not None and self._owner == os.getpid():
            process.stdin.close()
            process.wait()
            process.stdout.close()


_judge = Judge()


def judge() -> Judge:
    """The process that all of this interpreter shares."""
    return _judge


def write_report(store: str, folder: str, form: str) -> None:
    """Has the program render a store. Raises ProgramError with what it says where it cannot."""
    done = subprocess.run([program_path(), "report", store, "-o", folder, "--format", form], capture_output=True, text=True, check=False, env=environment())
    if done.returncode in (2, 3):  # 1: the store holds failures, which is what is asked for
        raise ProgramError(done.stderr.strip())
