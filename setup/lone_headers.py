"""Compiles headers alone: lone_headers.py HEADER... from the root of the checkout. Prints the compiler's complaints and ends with 1 if there are any.

A header whose own source includes it first is compiled alone whenever that source is, without precompiled headers and one by one:
clang-tidy does so. Such a header is left out here.
"""

import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess
import sys


def first_include(source: pathlib.Path) -> str:
    """The file that a source includes first, "" for none."""
    found = re.search(r'^#include ["<]([^">]+)[">]', source.read_text(encoding="utf-8"), re.MULTILINE) if source.exists() else None
    return found.group(1) if found else ""


def not_first_in_its_source(root: pathlib.Path, header: str) -> bool:
    """Whether no source of the header's own includes it before anything else."""
    return first_include((root / header).with_suffix(".cpp")) != header


def compile_alone(root: pathlib.Path, header: str) -> str:
    """The compiler's complaint about a source file that includes nothing but `header`, or nothing."""
    compiler = shlex.split(os.environ.get("CELLPROOF_CXX", "c++"))
    command = [*compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-I", str(root)]
    command += ['-DCELLPROOF_SOURCE_DIR=""', '-DCELLPROOF_BINARY_DIR=""', "-x", "c++", "-"]  # as every target of ours defines them
    done = subprocess.run(command, input=f'#include "{header}"\n', text=True, capture_output=True, check=False)
    return done.stderr if done.returncode else ""


def main() -> int:
    root = pathlib.Path.cwd()
    headers = [h for h in sys.argv[1:] if not_first_in_its_source(root, h)]
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        complaints = [c for c in pool.map(lambda header: compile_alone(root, header), headers) if c]
    print("\n".join([*complaints, f"{len(headers)} headers compiled alone, {len(complaints)} with complaints"]))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
