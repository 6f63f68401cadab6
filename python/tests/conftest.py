"""Starts workers as the harness does: requests on descriptor 3, replies on descriptor 4."""

import os
import pathlib
import subprocess
import sys
import textwrap

import pytest

from cellproof import _frames

PYTHON = pathlib.Path(__file__).resolve().parents[1]


class Harness:
    """The other side of a worker's pipes."""

    def __init__(self, source: str, log: pathlib.Path) -> None:
        self.log = log
        requests, self.out = os.pipe()
        self.into, replies = os.pipe()
        with log.open("wb") as stderr:
            self.process = subprocess.Popen(
                ["bash", "-c", f'exec "$0" "$@" 3<&{requests} 4>&{replies}', sys.executable, "-c", textwrap.dedent(source)],
                pass_fds=(requests, replies),
                stderr=stderr,
                env={**os.environ, "PYTHONPATH": str(PYTHON), "CELLPROOF_HARNESS": str(os.getpid()), "PYTHONUNBUFFERED": "1"},
            )
        os.close(requests)
        os.close(replies)

    def ask(self, kind, message=None, parts=()):
        _frames.write_frame(self.out, kind, message or {}, parts)
        return _frames.read_frame(self.into)

    def end(self) -> int:
        os.close(self.out)
        code = self.process.wait(timeout=20)
        os.close(self.into)
        return code


@pytest.fixture
def start(tmp_path):
    """start(SOURCE): a worker with this program."""
    running = []

    def starter(source: str) -> Harness:
        running.append(Harness(source, tmp_path / f"log{len(running)}"))
        return running[-1]

    yield starter
    for harness in running:
        if harness.process.poll() is None:
            harness.process.kill()
            harness.process.wait()
