"""Adds up what `./cellproof test` has run: summarise_tests.py DIRECTORY.

DIRECTORY holds ctest's JUnit files, one per preset, steps.tsv (passed|failed, name, remark) and times.tsv (name, seconds). Names every
failed and skipped test, says how long the parts and the slowest tests took, and ends with `N passed, N failed, N skipped`. A JUnit file
without a test is itself a failure, and so is no test at all.
"""

import pathlib
import sys
import xml.etree.ElementTree as ET


def read_junit(path: pathlib.Path) -> list[tuple[str, str, str]]:
    """(outcome, name, remark) of each test of one ctest run."""
    found = []
    try:
        cases = list(ET.parse(path).getroot().iter("testcase"))
    except ET.ParseError as error:
        return [("failed", f"{path.stem}: the tests", f"ctest's {path.name} cannot be read: {error}")]
    for case in cases:
        name = f"{path.stem}: {case.get('name')}"
        status, skipped, failure = case.get("status"), case.find("skipped"), case.find("failure")
        if status == "run" and failure is None and skipped is None:
            found.append(("passed", name, ""))
        elif status == "disabled":
            found.append(("skipped", name, "disabled"))
        elif skipped is not None and skipped.get("message", "").startswith("SKIP_"):
            found.append(("skipped", name, skip_reason(case, skipped)))
        else:
            remark = skipped.get("message", "") if skipped is not None else failure.get("message", "") if failure is not None else ""
            found.append(("failed", name, remark))
    return found or [("failed", f"{path.stem}: the tests", "ctest ran no test")]


def skip_reason(case: ET.Element, skipped: ET.Element) -> str:
    """GoogleTest prints the reason on the line after `Skipped`; without one, ctest's own word serves."""
    lines = [line.strip() for line in (case.findtext("system-out") or "").splitlines()]
    for line, following in zip(lines, lines[1:]):
        if line.endswith("Skipped") and following and not following.startswith("["):
            return following
    return skipped.get("message", "")


def read_steps(path: pathlib.Path) -> list[tuple[str, str, str]]:
    return [tuple(line.split("\t")) for line in path.read_text().splitlines()] if path.exists() else []


def read_times(path: pathlib.Path) -> str:
    parts = [line.split("\t") for line in path.read_text().splitlines()] if path.exists() else []
    return ", ".join(f"{name} {int(seconds) // 60} min {int(seconds) % 60} s" for name, seconds in parts)


def slowest_tests(files: list[pathlib.Path], count: int = 8) -> str:
    """What is worth making shorter; nothing where a file cannot be read, which is a failure that read_junit tells of."""
    times = []
    for path in files:
        try:
            times += [(float(case.get("time", 0)), f"{path.stem}: {case.get('name')}") for case in ET.parse(path).getroot().iter("testcase")]
        except ET.ParseError:
            continue
    return ", ".join(f"{name} {seconds:.0f} s" for seconds, name in sorted(times, reverse=True)[:count] if seconds >= 1)


def main(directory: pathlib.Path) -> int:
    results = [result for path in sorted(directory.glob("*.xml")) for result in read_junit(path)]
    results += read_steps(directory / "steps.tsv")
    count = {outcome: sum(r[0] == outcome for r in results) for outcome in ("passed", "failed", "skipped")}
    for outcome in ("skipped", "failed"):
        for _, name, remark in (r for r in results if r[0] == outcome):
            print(f"{outcome}: {name}" + (f" ({remark})" if remark else ""))
    if not any(directory.glob("*.xml")):
        print("failed: no test ran")
        count["failed"] = max(count["failed"], 1)
    if times := read_times(directory / "times.tsv"):
        print(f"time: {times}")
    if slowest := slowest_tests(sorted(directory.glob("*.xml"))):
        print(f"slowest: {slowest}")
    print(f"{count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped", flush=True)
    return 1 if count["failed"] or not count["passed"] else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__.splitlines()[0])
    sys.exit(main(pathlib.Path(sys.argv[1])))
