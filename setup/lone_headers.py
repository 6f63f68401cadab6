"""Compiles headers alone: lone_headers.py HEADER... from the root of the checkout. Prints the compiler's complaints and ends with 1 if there are any.
"""

import concurrent.futures
import os
import pathlib
import shlex
import subprocess
import sys


def compile_alone(root: pathlib.Path, header: str) -> str:
    """The compiler's complaint about a source file that includes nothing but `header`, or nothing."""
    compiler = shlex.split(os.environ.get("CELLPROOF_CXX", "c++"))
    command = [*compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-I", str(root)]
    command += ["-isystem", str(root / "build/tidy/onnx-messages")]  # where lint.sh has made ONNX's messages
    command += ['-DCELLPROOF_SOURCE_DIR=""', '-DCELLPROOF_BINARY_DIR=""', "-x", "c++", "-"]  # as every target of ours defines them
    done = subprocess.run(command, input=f'#include "{header}"\n', text=True, capture_output=True, check=False)
    return done.stderr if done.returncode else ""


def main() -> int:
    root = pathlib.Path.cwd()
    headers = sys.argv[1:]
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        complaints = [c for c in pool.map(lambda header: compile_alone(root, header), headers) if c]
    print("\n".join([*complaints, f"{len(headers)} headers compiled alone, {len(complaints)} with complaints"]))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
