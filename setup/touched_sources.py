"""Which sources a change touches: those that differ from a commit, and all that include them, over however many headers.

touched_sources.py COMMIT prints one path a line, from the root of the repository. What clang-tidy says of a header may depend on
who includes it, so a look at the changed files alone is not enough.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
SUFFIXES = (".cpp", ".hpp", ".h", ".cu")
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.MULTILINE)


def with_includers(changed: set[str], includes: dict[str, set[str]]) -> set[str]:
    """`changed` and whatever includes one of them. `includes`: by source, what its lines name."""
    touched = set(changed)
    while more := {source for source, named in includes.items() if source not in touched and named & touched}:
        touched |= more
    return touched


def git(root: pathlib.Path, *arguments: str) -> list[str]:
    run = subprocess.run(["git", "-C", root, *arguments, "-z"], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise SystemExit(f"touched_sources.py: git {' '.join(arguments)}: {run.stderr.strip().splitlines()[0]}")
    return [path for path in run.stdout.split("\0") if path.endswith(SUFFIXES)]


def touched_sources(root: pathlib.Path, commit: str) -> list[str]:
    """Of the files that are there now: tracked ones, and new ones that git does not ignore."""
    new = git(root, "ls-files", "--others", "--exclude-standard")
    there = [path for path in git(root, "ls-files") + new if (root / path).is_file()]
    includes = {path: set(INCLUDE.findall((root / path).read_text(encoding="utf-8", errors="replace"))) for path in there}
    # A header that has gone touches those that still name it.
    changed = set(git(root, "diff", "--name-only", commit)) | set(new)
    return sorted(with_includers(changed, includes) & set(there))


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        raise SystemExit("usage: touched_sources.py COMMIT")
    print("\n".join(touched_sources(ROOT, sys.argv[1])))
