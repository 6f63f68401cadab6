"""clang-tidy over sources: tidy.py BUILD SOURCE... from the root of the checkout, BUILD being a build folder configured with CELLPROOF_UNITY.

Most of what clang-tidy does is reading headers. So it is given what jumbo compilation compiles at once, as one file: the text of the sources
one after the other, not `#include` of each, since its analyzer looks at the main file only. Places are printed as those of the sources. Ends
with 1 where there is a complaint.
"""

import bisect
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

INCLUDED = re.compile(r'^#include "(.*)"$', re.MULTILINE)
COUNTS = re.compile(r"^(\d+ warnings? (generated|treated as)|\d+ warnings? and \d+ errors? generated|Suppressed \d+ |Use -header-filter|Error while processing)")


class Batch:
    """Sources that are read as one file, and where each begins in it."""

    def __init__(self, sources: list[pathlib.Path]):
        self.begins, self.sources, text = [], sources, ""
        for source in sources:
            self.begins.append(text.count("\n") + 1)
            text += source.read_text(encoding="utf-8").rstrip("\n") + "\n"
        self.text = text

    def place(self, line: int) -> tuple[pathlib.Path, int]:
        """The source that has a line (from 1) of the whole, and its line there."""
        index = bisect.bisect_right(self.begins, line) - 1
        return self.sources[index], line - self.begins[index] + 1

    def with_places(self, file: pathlib.Path, report: str) -> str:
        """A report in which places in `file`, which holds the batch, are those of its sources."""

        def of_source(match: re.Match) -> str:
            source, line = self.place(int(match.group(1)))
            return f"{source}:{line}"

        report = re.sub(re.escape(str(file)) + r":(\d+)", of_source, report)
        # The number of the line beside the quoted text is that of the file; the one above it says it rightly.
        return re.sub(r"^ *\d+ \|", "      |", report, flags=re.MULTILINE)


def batches(build: pathlib.Path, wanted: set[pathlib.Path]) -> list[tuple[Batch, dict]]:
    """What jumbo compilation compiles at once, as far as it is wanted, and how it is compiled."""
    found, left = [], set(wanted)
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        file = pathlib.Path(entry["directory"], entry["file"])
        parts = [pathlib.Path(p) for p in INCLUDED.findall(file.read_text(encoding="utf-8"))] if "Unity" in file.parts else [file]
        parts = [p for p in parts if p in left]
        if parts:
            left -= set(parts)  # a source of two targets is looked at once
            found.append((Batch(parts), entry))
    return found


def look(tool: pathlib.Path, place: pathlib.Path, name: str, batch: Batch, entry: dict) -> tuple[bool, str]:
    """Whether clang-tidy ended well over a batch, and what it printed."""
    file = place / name / "batch.cpp"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(batch.text, encoding="utf-8")
    command = entry["command"].replace(entry["file"], str(file))
    (file.parent / "compile_commands.json").write_text(json.dumps([{**entry, "file": str(file), "command": command}]), encoding="utf-8")
    done = subprocess.run([tool, "--quiet", "-p", file.parent, file], capture_output=True, text=True, check=False)
    # stderr is mostly the count of warnings that are hidden, but it is also where a clang-tidy that cannot run says so.
    errors = "".join(line + "\n" for line in done.stderr.splitlines() if not COUNTS.match(line))
    return done.returncode == 0, batch.with_places(file, done.stdout) + errors


def main() -> int:
    root = pathlib.Path.cwd()
    build = root / sys.argv[1]
    wanted = [root / source for source in sys.argv[2:]]
    work = batches(build, set(wanted))
    seen = {source for batch, _ in work for source in batch.sources}
    others = [str(source.relative_to(root)) for source in wanted if source not in seen]
    if others:  # with or without a CUDA toolkit
        print("clang-tidy: not compiled in this configuration, so not looked at:", *others)
    tool, complaints, failed = root / ".deps/lint/bin/clang-tidy", 0, False
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        runs = [pool.submit(look, tool, build / "batches", str(i), *of) for i, of in enumerate(work)]
        for run in concurrent.futures.as_completed(runs):
            well, report = run.result()
            failed |= not well
            complaints += len(re.findall(r"(?:warning|error): ", report))
            print(report, end="", flush=True)
    print(f"clang-tidy: {len(seen)} files, {complaints} complaints")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
