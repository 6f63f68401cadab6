"""Compiles headers and sources alone, since builds compile several sources of a library as one: lone_sources.py FILE... from the root of the checkout.

Prints the compiler's complaints and ends with 1 if there are any.
"""

import concurrent.futures
import os
import pathlib
import shlex
import subprocess
import sys

# What CMake defines for one target of ours or another.
DEFINED = ["BINARY_DIR", "BUILD_TYPE", "COMPILER", "CUDA_WHY_NOT", "ROOT_DIRECTORY", "SOURCE_DIR", "VERSION"]


def compile_alone(root: pathlib.Path, source: str) -> str:
    """The compiler's complaint about a source file that includes nothing but `source`, or nothing."""
    compiler = shlex.split(os.environ.get("CELLPROOF_CXX", "c++"))
    command = [*compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-I", str(root)]
    command += ["-isystem", str(root / "build/tidy/onnx-messages")]  # where lint.sh has made ONNX's messages
    command += [f'-DCELLPROOF_{name}=""' for name in DEFINED] + ["-x", "c++", "-"]
    done = subprocess.run(command, input=f'#include "{source}"\n', text=True, capture_output=True, check=False)
    return done.stderr if done.returncode else ""


def main() -> int:
    root = pathlib.Path.cwd()
    sources = sys.argv[1:]
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        complaints = [c for c in pool.map(lambda source: compile_alone(root, source), sources) if c]
    print("\n".join([*complaints, f"{len(sources)} files compiled alone, {len(complaints)} with complaints"]))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
