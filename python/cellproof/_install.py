"""`cellproof install ENGINE...`: puts engines, pinned by version and hash, into the user's own folder. Needs nothing but Python, its venv and pip.

Each gets a folder of its own, a Python environment, which exists only when it is whole. Nothing is installed without being asked for, and nothing outside that folder.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from typing import List, Sequence

if __name__ == "__main__":
    sys.path[0] = str(pathlib.Path(__file__).resolve().parents[1])  # in place of this file's own folder, whose names are not for others

from cellproof import _pins

BAD = 2  # usage, or what the system or a registry refuses
ROOM = 100_000_000  # bytes free below which a failure is told with how many there are: Python's venv does not say that the disk is full
QUOTES = "'\")"


class Failed(Exception):
    """What could not be done, in one line."""


def _say(text: str) -> None:
    print(f"cellproof: {text}", file=sys.stderr, flush=True)


def _run(what: str, command: Sequence[str]) -> None:
    """Runs a command in silence. Raises Failed with the line in which it says why it failed."""
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    environment["PIP_DISABLE_PIP_VERSION_CHECK"] = environment["PIP_NO_INPUT"] = "1"
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, env=environment)
    if done.returncode == 0:
        return
    lines = [line.strip() for line in (done.stdout + "\n" + done.stderr).splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR:") or "rror:" in line] or lines
    raise Failed(f"{what} failed: {errors[-1] if errors else f'exit code {done.returncode}'}{_unreached(done.stderr)}")


def _unreached(said: str) -> str:
    """Why pip got no answer: its last line says that there is no such package then, too."""
    broken = re.findall(r"connection broken by (.*): /", said)
    return f"; the package index cannot be reached: {broken[-1].rpartition(': ')[2].strip(QUOTES)}" if broken else ""


def _room(folder: pathlib.Path) -> str:
    """How many bytes the folder's disk has left, where they are few."""
    free = shutil.disk_usage(folder).free
    return f"; the disk of {folder} has {free // 1_000_000} MB left" if free < ROOM else ""


def _make(install: _pins.Install, folder: pathlib.Path) -> None:
    """The environment, in a folder that nobody looks at yet."""
    python = str(folder / "bin/python")
    _run("making a Python environment (Debian has it in python3-venv)", [sys.executable, "-m", "venv", str(folder)])
    requirements = folder / "requirements.txt"
    requirements.write_text(install.requirements(), encoding="utf-8")
    pip = [python, "-m", "pip", "install", "--quiet", "--only-binary", ":all:"]
    _run(f"fetching {install.name} {install.version}", [*pip, "--no-deps", "--require-hashes", "-r", str(requirements)])
    if install.beside:
        _run(f"fetching {', '.join(install.beside)}", [*pip, *install.beside])
    site = next(folder.glob("lib/python3*/site-packages"))
    (folder / "site").symlink_to(site.relative_to(folder))


def put(install: _pins.Install) -> str:
    """Installs it where it is not there; a line for stdout. Raises Failed."""
    if install.folder.exists():
        return f"{install.name} {install.version} is installed: {install.folder}"
    _say(f"installing {install.name} {install.version} into {install.folder}")
    new = ""
    try:
        install.folder.parent.mkdir(parents=True, exist_ok=True)
        new = tempfile.mkdtemp(prefix=f".new.{install.name}.", dir=install.folder.parent)
        _make(install, pathlib.Path(new))
        os.rename(new, install.folder)
    except Failed as error:
        raise Failed(f"{error}{_room(install.folder.parent)}") from None
    except OSError as error:
        if not install.folder.exists():  # another one may have been quicker
            raise Failed(f"installing {install.name} failed: {error}") from None
    finally:
        if new:
            shutil.rmtree(new, ignore_errors=True)
    return f"{install.name} {install.version} is installed: {install.folder}"


def main(arguments: List[str]) -> int:
    pins = _pins.Pins()
    parser = argparse.ArgumentParser(
        prog="cellproof install",
        description="Install engines, pinned by version and hash, into the user's own folder.",
        epilog=f"Engines: {', '.join(pins.names())}. Folder: {_pins.engines_folder()}",
    )
    parser.add_argument("engines", nargs="+", metavar="ENGINE", help="Install this engine")
    asked = parser.parse_args(arguments).engines
    try:
        installs = []
        for name in asked:
            install = pins.install_of(name)
            if install is None:
                raise Failed(f"'{name}' is no engine that can be installed: expected one of {', '.join(pins.names())}")
            installs.append(install)
        for install in dict.fromkeys(installs):
            print(put(install), flush=True)
    except Failed as error:
        _say(str(error))
        return BAD
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
