"""Ways in which an engine or the program says no. Needs nothing but Python itself."""

import sys
from typing import NoReturn

ABSENT = 77


class NotSupported(NotImplementedError):
    """Raised by an engine for what it lacks: a gap, where any other exception refuses this very model."""


class ProgramError(RuntimeError):
    """The program `cellproof` cannot be started, has ended, or refuses what it was asked."""


def absent(reason: str) -> NoReturn:
    """Ends a worker whose runtime is not installed: the engine is then absent, not broken. To be called before `worker`."""
    print(reason, file=sys.stderr)
    sys.exit(ABSENT)
