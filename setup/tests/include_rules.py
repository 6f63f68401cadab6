"""Who may include whom: finds `#include` lines that go against the table of the folders.

include_rules.py ROOT prints one line per forbidden include and exits with 1 if there is one.
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
    "engines/cpu": {"spec", "corpus", "engines", "optimized"},
    "engines/cuda": {"spec", "corpus", "engines", "optimized"},
    "engines/cudnn": {"spec", "corpus", "engines", "optimized"},
    "oracle": {"spec"},
    "oracle/crosscheck": {"spec", "oracle", "reference"},
    "fuzz": {"spec", "reference", "optimized", "corpus", "engines", "oracle"},
    "campaign": {"spec", "reference", "optimized", "corpus", "engines", "oracle", "fuzz", "reports"},
    "reports": {"spec"},
    "cli": {"spec", "reference", "optimized", "corpus", "engines", "oracle", "fuzz", "campaign", "reports"},
    "lab": {"spec", "reference", "optimized", "corpus", "engines", "oracle", "fuzz", "campaign", "reports", "cli"},
}
# Inner folders that their own outer folder must not reach into: everything else of `oracle` stays free of the reference.
CLOSED_TO_OUTER = {"oracle": {"oracle/crosscheck"}}
# What a test file may include in addition. Anything in a folder testing/ is for tests and the laboratory alone.
TEST_MAY = {"lab/mutants", "lab/zoo"}
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
    if is_test and any(target.startswith(name + "/") for name in TEST_MAY):
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


if __name__ == "__main__":
    lines = violations(pathlib.Path(sys.argv[1]))
    print("\n".join(lines) if lines else "every include keeps to the table of the folders")
    sys.exit(1 if lines else 0)
