"""Ways in which an engine or the program says no."""


class NotSupported(NotImplementedError):
    """Raised by an engine for what it lacks: a gap, where any other exception refuses this very model."""


class ProgramError(RuntimeError):
    """The program `cellproof` cannot be started, has ended, or refuses what it was asked."""
