"""Who may include whom: finds `#include` lines that go against the table of the folders.

include_rules.py ROOT prints one line per forbidden include and exits with 1 if there is one. The oracle's own rooms have an order, too.
Gate and index arithmetic is written three times on purpose (reference, oracle, optimized engines); a shared helper would be a shared bug.
"""

import pathlib
import re
import sys

# A folder, or a folder inside it that has rights of its own -> the folders it may include besides itself.
ALLOWED = {
    "spec": set(),
    "reference": {"spec"},
    "optimized": set(),
    "corpus": {"spec"},
    "engines": {"spec", "corpus"},
    "engines/reference": {"spec", "corpus", "engines", "reference"},
    "engines/node": {"spec", "corpus", "engines", "optimized"},
    "engines/cpu": {"spec", "corpus", "engines", "optimized"},
    "engines/cuda": {"spec", "corpus", "engines", "optimized"},
    "engines/cudnn": {"spec", "corpus", "engines", "optimized"},
    "oracle": {"spec"},
    "oracle/crosscheck": {"spec", "oracle", "reference"},
    "causes": {"spec", "oracle"},
    "fuzz": {"spec", "reference", "optimized", "corpus", "engines", "oracle"},
    "campaign": {"spec", "reference", "optimized", "corpus", "engines", "oracle", "causes", "fuzz", "reports"},
    "reports": {"spec"},
    "cli": {"spec", "reference", "optimized", "corpus", "engines", "oracle", "causes", "fuzz", "campaign", "reports"},
    "lab": {"spec", "reference", "optimized", "corpus", "engines", "oracle", "causes", "fuzz", "campaign", "reports", "cli"},
}
# Inner folders that their own outer folder must not reach into: everything else of `oracle` stays free of the reference.
CLOSED_TO_OUTER = {"oracle": {"oracle/crosscheck"}}
# What a test file, or one in a folder testing/, may include in addition. Anything in such a folder is for tests and the laboratory alone.
TEST_MAY = {"lab/mutants", "lab/zoo"}
# The rooms of the oracle from the ground up: files without their ending, or folders for all in them that is not named
# itself. An include goes to the same floor or a lower one, and never in a circle.
ORACLE_FLOORS = [
    # Words, formats, places.
    {"at", "contract", "layout", "lowest_bit", "place", "precision_levels", "still_fails", "structural_violation",
     "value_type", "values_of", "version_range", "step/each_width", "step/evaluation_mode", "faulty_step/switches", "faulty_step/quantiser_switches"},
    # What is seen, what is known, what is asked; what is accepted.
    {"answers", "broken_outputs", "knowledge", "observed", "other_layout", "reading_choices", "waiver"},
    {"ball"},
    # One step and what it consists of.
    {"contract_order", "quantized/product", "quantized/quantiser", "quantized/weights", "step"},
    # The same as a fault has it.
    {"faulty_step"},
    # What is supposed, put to the steps.
    {"contracts_tried", "fault_hooks", "hypothesis", "question", "task"},
    # All steps of a case.
    {"element_evaluation", "exact_trajectory", "forward", "quantized", "row_evaluation", "run_evaluation"},
    # What the steps say, counted and confirmed.
    {"explain", "honest_outputs", "ladder", "stricter_model", "structure", "tally", "tolerance"},
    {"fault", "faults"},
    # The one way into judging, ...
    {"evaluate"},
    # ... and what walks the one list of hypotheses through it.
    {"changed_output", "combinations", "hypotheses", "joined", "precision_shows", "search", "weigh", "wider_contracts"},
    {"decide"},
    # Beside the way to a verdict: the judge of the judge, and cases made smaller.
    {"crosscheck", "least_squares", "nearest_node", "minimise", "minimise_numbers", "minimise_shapes", "recovered_inputs"},
]
FOLDERS = {name.split("/")[0] for name in ALLOWED}
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]')


def unit_of(path: str) -> str:
    """The longest entry of ALLOWED that `path`'s folder lies in ("oracle/crosscheck/x.hpp" -> "oracle/crosscheck")."""
    parts = path.split("/")[:-1]
    for length in range(len(parts), 0, -1):
        if (name := "/".join(parts[:length])) in ALLOWED:
            return name
    return ""


def may_include(source: str, target: str) -> bool:
    own, other = unit_of(source), unit_of(target)
    own_folder, other_folder = own.split("/")[0], other.split("/")[0]
    is_test = source.endswith("_test.cpp")
    if "/testing/" in target and not is_test and "/testing/" not in source and own_folder != "lab":
        return False
    if (is_test or "/testing/" in source) and any(target.startswith(name + "/") for name in TEST_MAY):
        return True
    if own_folder == other_folder:
        return own == other or other not in CLOSED_TO_OUTER.get(own_folder, set())
    return other_folder in ALLOWED[own]


def violations(root: pathlib.Path) -> list[str]:
    found = []
    for path in sorted(p for folder in FOLDERS for p in (root / folder).rglob("*") if p.suffix in {".hpp", ".cpp", ".cu", ".cuh", ".h", ".c"}):
        source = path.relative_to(root).as_posix()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            target = match.group(1)
            if line.lstrip().startswith("#") and '"' in line and target.split("/")[0] not in FOLDERS:
                found.append(f"{source}:{number}: \"{target}\" is not a path from the root")
            elif target.split("/")[0] in FOLDERS and "/" in target and not may_include(source, target):
                found.append(f"{source}:{number}: {unit_of(source)} must not include {target}")
    return found


def floor_of(unit: str) -> int | None:
    """The number of the floor that a room of the oracle is on ("step/cell" -> that of "step")."""
    name = unit
    while name:
        for floor, rooms in enumerate(ORACLE_FLOORS):
            if name in rooms:
                return floor
        name = name.rpartition("/")[0]
    return None


def circle_in(arrows: dict[str, set[str]]) -> list[str]:
    """Rooms that include each other in a circle, the first one also last; [] where there are none."""
    done: set[str] = set()

    def walk(room: str, path: list[str]) -> list[str]:
        if room in path:
            return [*path[path.index(room):], room]
        if room not in done:
            for other in sorted(arrows.get(room, ())):
                if found := walk(other, [*path, room]):
                    return found
            done.add(room)
        return []

    return next((found for room in sorted(arrows) if (found := walk(room, []))), [])


def oracle_violations(root: pathlib.Path) -> list[str]:
    """Includes within the oracle that go upwards or in a circle, and rooms without a floor. Tests may look everywhere."""
    found = []
    arrows: dict[str, set[str]] = {}
    for path in sorted(p for p in (root / "oracle").rglob("*") if p.suffix in {".hpp", ".cpp"}):
        source = path.relative_to(root).as_posix()
        if source.endswith("_test.cpp") or "/testing/" in source:
            continue
        unit = path.relative_to(root / "oracle").with_suffix("").as_posix()
        own = floor_of(unit)
        if own is None:
            found.append(f"{source}: has no floor in ORACLE_FLOORS")
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            if not match or not match.group(1).startswith("oracle/"):
                continue
            target = match.group(1).removeprefix("oracle/").removesuffix(".hpp")
            other = floor_of(target)
            if other is not None and other > own:
                found.append(f"{source}:{number}: oracle/{target} is on a higher floor")
            if target != unit:
                arrows.setdefault(unit, set()).add(target)
    if circle := circle_in(arrows):
        found.append(f"oracle: in a circle: {' -> '.join(circle)}")
    return found


if __name__ == "__main__":
    lines = violations(pathlib.Path(sys.argv[1])) + oracle_violations(pathlib.Path(sys.argv[1]))
    print("\n".join(lines) if lines else "every include keeps to the table of the folders")
    sys.exit(1 if lines else 0)
