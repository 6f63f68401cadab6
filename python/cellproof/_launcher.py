"""The command `cellproof` of the wheel: the program of this package, told where its files and this Python are."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from cellproof import _program


def main() -> NoReturn:
    path = _program.program_path()
    os.execve(path, [path, *sys.argv[1:]], _program.environment())
