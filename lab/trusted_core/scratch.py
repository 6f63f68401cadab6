"""A copy of the checkout, in which sources are changed and the oracle's tests built and run. What was built stays from run to run."""

import functools
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess

from core import ROOT

PLACE = ROOT / "build" / "trusted_core"
SOURCE, BUILD = PLACE / "source", PLACE / "build"
PROGRAMS = ["oracle/oracle_test", "oracle/quantized/quantized_test", "oracle/crosscheck/crosscheck_test"]
# Tests of at most so many seconds run first: most changes are noticed by them.
QUICK = 0.25
MEMORY = 8 << 30
# The same properties at every run.
ENVIRONMENT = dict(os.environ, RC_PARAMS="seed=20261121 max_success=200")


def run(command: list[str], **more) -> subprocess.CompletedProcess:
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **more)


def checked(command: list[str], **more) -> None:
    result = run(command, **more)
    if result.returncode:
        raise SystemExit(f"trusted_core: {' '.join(command)}: failed\n{result.stdout[-3000:]}")


def copy_sources() -> None:
    """Brings the copy up to date; a file that is the same keeps its time, and what was built of it stays."""
    names = subprocess.run(["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    wanted = {n for n in names.stdout.split("\0") if n and (ROOT / n).is_file()}
    for name in wanted:
        here, there = ROOT / name, SOURCE / name
        if there.exists() and there.read_bytes() == here.read_bytes():
            continue
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(here, there)
    for folder in {name.split("/")[0] for name in wanted if "/" in name}:
        for there in (SOURCE / folder).rglob("*"):
            if there.is_file() and str(there.relative_to(SOURCE)) not in wanted:
                there.unlink()
    if not (SOURCE / ".deps").exists():
        (SOURCE / ".deps").symlink_to(ROOT / ".deps")


def build() -> subprocess.CompletedProcess:
    return run(["cmake", "--build", str(BUILD), "-j1", "--target", *[pathlib.Path(p).name for p in PROGRAMS]])


def limit_to(seconds: int) -> None:
    """Limits the own process to so many seconds of computing, however busy the machine is."""
    for what, most in ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CORE, 0)):
        resource.setrlimit(what, (most, most))


class Snapshot:
    """What was built of the sources as they are, to be put back without compiling: a build tool goes by times alone."""

    def __init__(self) -> None:
        self.folder = PLACE / "snapshot"
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(BUILD / "oracle", self.folder, copy_function=shutil.copy2)
        self.files = [p.relative_to(self.folder) for p in self.folder.rglob("*") if p.is_file()]

    def restore(self) -> None:
        for name in self.files:
            here, there = self.folder / name, BUILD / "oracle" / name
            if not there.exists() or there.stat().st_mtime_ns != here.stat().st_mtime_ns:
                shutil.copy2(here, there)


class Tests:
    """The oracle's tests in the scratch build, the quick ones first."""

    def __init__(self) -> None:
        self.stages = []  # (program, filter, seconds)
        quick, slow = [], []
        for program in PROGRAMS:
            seconds = self.measure(program)
            short = [name for name, s in seconds.items() if s <= QUICK]
            quick.append((program, ":".join(short), sum(seconds[n] for n in short)))
            slow.append((program, "-" + ":".join(short), sum(s for n, s in seconds.items() if n not in short)))
        self.stages = quick + slow
        self.snapshot = Snapshot()

    def measure(self, program: str) -> dict[str, float]:
        """The seconds that each test takes; all must pass."""
        report = PLACE / (pathlib.Path(program).name + ".json")
        checked([str(BUILD / program), "--gtest_brief=1", f"--gtest_output=json:{report}"], env=ENVIRONMENT)
        suites = json.loads(report.read_text(encoding="utf-8"))["testsuites"]
        return {f"{s['name']}.{t['name']}": float(t["time"].rstrip("s")) for s in suites for t in s["testsuite"]}

    def first_failure(self) -> str | None:
        """The first test that fails, or None."""
        for program, which, seconds in self.stages:
            flags = PLACE / "flags"
            flags.write_text(f"--gtest_filter={which}\n--gtest_fail_fast\n--gtest_brief=1\n", encoding="utf-8")
            name = pathlib.Path(program).name
            most = 60 + int(10 * seconds)
            result = run([str(BUILD / program), f"--gtest_flagfile={flags}"], env=ENVIRONMENT, preexec_fn=functools.partial(limit_to, most))
            if result.returncode:
                failed = re.search(r"\[  FAILED  \] ([^\s,]+)", result.stdout)
                return failed.group(1) if failed else f"{name} (died or did not end)"
        return None


def prepare() -> Tests:
    """The scratch build of the checkout as it is, with all tests passing."""
    SOURCE.mkdir(parents=True, exist_ok=True)
    copy_sources()
    if not (BUILD / "build.ninja").exists():
        # Neither warnings nor several sources at once: a change is to be compiled alone, and whatever the compiler thinks of it.
        checked(["cmake", "--preset", "test", "-B", str(BUILD), "-DCMAKE_BUILD_TYPE=Mutants", "-DCMAKE_CXX_FLAGS_MUTANTS=-O1 -DNDEBUG",
                 "-DCMAKE_COMPILE_WARNING_AS_ERROR=OFF", "-DCELLPROOF_UNITY=OFF"], cwd=SOURCE)  # fmt: skip
    result = build()
    if result.returncode:
        raise SystemExit(f"trusted_core: the sources do not compile\n{result.stdout[-3000:]}")
    return Tests()


def verdict_of(path: str, changed: str, tests: Tests) -> tuple[str, str]:
    """What becomes of the tests with this text in a source: killed, survived or uncompiled; and by what."""
    source = SOURCE / path
    original, times = source.read_text(encoding="utf-8"), source.stat()
    try:
        source.write_text(changed, encoding="utf-8")
        built = build()
        if built.returncode:
            errors = [line for line in built.stdout.splitlines() if "error" in line]
            return "uncompiled", (errors or ["?"])[0]
        failure = tests.first_failure()
        return ("killed", failure) if failure else ("survived", "")
    finally:
        source.write_text(original, encoding="utf-8")
        os.utime(source, ns=(times.st_atime_ns, times.st_mtime_ns))
        tests.snapshot.restore()
