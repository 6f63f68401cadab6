"""One unit of a run on a cluster: the program, run in a folder of its own, on whatever node has got it."""

from __future__ import annotations

import ctypes
import dataclasses
import io
import os
import pathlib
import platform
import re
import signal
import subprocess
import tarfile
import tempfile
import time
from typing import Dict, List, Sequence, Tuple

from cellproof import _program


@dataclasses.dataclass
class Result:
    """What comes back of a unit."""

    code: int
    store: bytes  # b"" where none was made
    reduced: bytes  # a tar archive of the folder with smaller cases; b"" where there is none
    seconds: float
    asking_seconds: float  # of those: from the first case on, suites not counted
    node: str
    last_words: str


def cases_of(suites: Sequence[str]) -> Tuple[List[str], int]:
    """The names of these suites and tiers, tiers expanded, and the number of their cases."""
    names: Dict[str, int] = {}
    listed = [entry for suite in suites for entry in _list(suite)]
    for suite, case in dict.fromkeys(listed):
        names[suite] = names.get(suite, 0) + 1
    return list(names), sum(names.values())


def _list(suite: str) -> List[Tuple[str, str]]:
    from cellproof import _judging  # numpy, which nodes have and the program's start does not wait for

    return [(case.suite, case.name) for case in _judging.cases(suite)]


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: a node's end must not leave a run behind


def run_unit(words: List[str], stores: Dict[str, bytes], folder: str) -> Result:
    """Runs the program with these words. `stores`: by the option that names each; `folder`: to be in, where this node has it."""
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="cellproof-unit-") as temporary:
        here = pathlib.Path(temporary)
        named = []
        for option, data in stores.items():
            (here / f"{option[2:]}.sqlite").write_bytes(data)
            named += [option, str(here / f"{option[2:]}.sqlite")]
        store = here / "store.sqlite" if "--store" in stores else here / "report/run.sqlite"
        done = subprocess.run(
            [_program.program_path(), *words, *named, "-o", str(here / "report")],
            cwd=folder if os.path.isdir(folder) else temporary,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            env=_program.environment(),
            preexec_fn=_die_with_parent,
        )
        lines = [line for line in (done.stdout + "\n" + done.stderr).splitlines() if line.strip()]
        asking = re.findall(r"^\S+: \d+/\d+ in ([\d.]+) s", done.stderr, re.MULTILINE)
        return Result(
            code=done.returncode,
            store=store.read_bytes() if store.exists() else b"",
            reduced=_packed(here / "report/reduced"),
            seconds=time.monotonic() - begin,
            asking_seconds=sum(map(float, asking)) or time.monotonic() - begin,
            node=platform.node(),
            last_words=" ".join(lines[-1:]),
        )


def _packed(folder: pathlib.Path) -> bytes:
    if not folder.is_dir():
        return b""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as archive:
        archive.add(folder, folder.name)
    return data.getvalue()


def unpack(data: bytes, folder: pathlib.Path) -> None:
    if data:
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            archive.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
