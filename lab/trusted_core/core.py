"""The trusted core: the sources on which a proof rests. A divergence is a theorem if these are right, whatever the rest does."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Files and, with a / at the end, folders: all sources in them that are no tests.
CORE = [
    # What a step of honest arithmetic can reach.
    "oracle/ball/",
    "oracle/step/",
    "oracle/contract.hpp",
    "oracle/contract.cpp",
    "oracle/lowest_bit.hpp",
    # DynamicQuantizeLSTM's steps.
    "oracle/quantized/",
    # All steps of a case, and where an element is beyond its bound.
    "oracle/at.hpp",
    "oracle/layout.hpp",
    "oracle/layout.cpp",
    "oracle/precision_levels.hpp",
    "oracle/values_of.hpp",
    "oracle/values_of.cpp",
    "oracle/observed.hpp",
    "oracle/observed.cpp",
    "oracle/task.hpp",
    "oracle/task.cpp",
    "oracle/element_evaluation.hpp",
    "oracle/element_evaluation.cpp",
    "oracle/forward/",
    "oracle/row_evaluation.hpp",
    "oracle/row_evaluation.cpp",
    "oracle/run_evaluation.hpp",
    "oracle/run_evaluation.cpp",
    "oracle/ladder.hpp",
    "oracle/ladder.cpp",
]

# What of the oracle these include besides. The last three do nothing as long as no fault is supposed, and a proof supposes none.
NOT_TRUSTED = {
    "oracle/broken_outputs.hpp",
    "oracle/tally.hpp",
    "oracle/fault_hooks.hpp",
    "oracle/faulty_step/faulty_quantisation.hpp",
    "oracle/faulty_step/faulty_step.hpp",
}


def files() -> list[pathlib.Path]:
    """The sources, relative to the root."""
    found = []
    for entry in CORE:
        inside = (ROOT / entry).glob("*.?pp") if entry.endswith("/") else [ROOT / entry]
        found += sorted(p.relative_to(ROOT) for p in inside if not p.name.endswith("_test.cpp"))
    return found


def code_lines(text: str) -> int:
    """Lines that hold more than blanks and comments."""
    lines = (line.strip() for line in text.splitlines())
    return sum(1 for line in lines if line and not line.startswith("//"))
