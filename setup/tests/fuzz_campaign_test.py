"""How setup/fuzz_campaign.sh starts the fuzz targets, and what it makes of what they print. A copy of it runs in a temporary checkout with
the targets' real files of options; the build is a fake that does nothing, and each target one that notes how it was started.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGETS = sorted(folder.name for folder in (ROOT / "corpus/seeds").iterdir() if folder.is_dir())
FAKE = """#!/bin/sh
echo "$ASAN_OPTIONS" >"$0.asan"
echo "$@" >"$0.arguments"
echo "$TMPDIR" >"$0.folder"
finds=$(echo "$@" | sed -n 's/.*-artifact_prefix=\\([^ ]*\\).*/\\1/p')
[ ! -e "$0.instead" ] || . "$0.instead"
echo '#2 DONE cov: 17 ft: 18' >&2
echo 'stat::number_of_executed_units: 1234' >&2
echo 'stat::average_exec_per_sec: 99' >&2
"""


def words(options: str) -> dict[str, str]:
    """What a sanitizer makes of its options: the last value of each name counts."""
    return dict(option.split("=", 1) for option in options.strip().split(":"))


class FuzzCampaign(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.root = pathlib.Path(holder.name)
        (self.root / "setup").mkdir()
        for name in ("fuzz_campaign.sh", "fuzz_options.sh", "common.sh"):
            shutil.copy(ROOT / "setup" / name, self.root / "setup" / name)
        (self.root / "setup/build.sh").write_text("exit 0\n")
        shutil.copytree(ROOT / "lab/fuzz_targets", self.root / "lab/fuzz_targets", ignore=shutil.ignore_patterns("*.cpp", "*.hpp"))
        self.programs = self.root / "build/fuzz/bin"
        self.programs.mkdir(parents=True)
        for target in TARGETS:
            (self.root / "corpus/seeds" / target).mkdir(parents=True)
            self.program(target).write_text(FAKE)
            self.program(target).chmod(0o755)

    def program(self, target: str) -> pathlib.Path:
        return self.programs / f"cellproof-fuzz-{target.replace('_', '-')}"

    def noted(self, target: str, what: str) -> str:
        return pathlib.Path(f"{self.program(target)}.{what}").read_text(encoding="utf-8")

    def let(self, target: str, instead: str):
        """What the fake does before it prints anything; $finds is where it leaves what it finds."""
        pathlib.Path(f"{self.program(target)}.instead").write_text(instead, encoding="utf-8")

    def row(self, done: subprocess.CompletedProcess, target: str) -> list[str]:
        return next(line for line in done.stdout.splitlines() if line.split()[0] == target).split()

    def run_script(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess:
        settings = {k: v for k, v in os.environ.items() if k not in ("ASAN_OPTIONS", "TMPDIR")} | environment
        command = ["bash", str(self.root / "setup/fuzz_campaign.sh"), *arguments]
        return subprocess.run(command, env=settings, capture_output=True, text=True, check=False, timeout=60)

    def test_starts_every_target_with_the_options_of_its_file(self):
        done = self.run_script("--time", "7")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(done.stdout.splitlines()), 1 + len(TARGETS))
        for target in TARGETS:
            with self.subTest(target):
                arguments = self.noted(target, "arguments").split()
                self.assertIn("-max_total_time=7", arguments)
                self.assertTrue(any(a.startswith("-max_len=") for a in arguments), arguments)
                self.assertFalse([a for a in arguments if "malloc" in a or "quarantine" in a], "ASan's options are not libFuzzer's")
                self.assertEqual(self.row(done, target)[1:4], ["1234", "99", "17"])
        self.assertIn("-dict=lab/fuzz_targets/case_text.dict", self.noted("case_text", "arguments").split())

    def test_gives_address_sanitizer_its_own_options(self):
        self.run_script("--time", "1")
        for target in TARGETS:
            with self.subTest(target):
                options = words(self.noted(target, "asan"))
                self.assertEqual(options["malloc_context_size"], "1")
                self.assertEqual(options["quarantine_size_mb"], "8")
                self.assertEqual(options["allocator_may_return_null"], "0")
                self.assertEqual(options["detect_leaks"], "1")

    def test_lets_who_calls_it_ask_for_longer_stacks(self):
        self.run_script("--time", "1", "store", ASAN_OPTIONS="malloc_context_size=30")
        self.assertEqual(words(self.noted("store", "asan"))["malloc_context_size"], "30")
        self.assertEqual(words(self.noted("store", "asan"))["detect_leaks"], "1")

    def test_lets_targets_write_into_memory_unless_told_otherwise(self):
        self.run_script("--time", "1", "store")
        self.assertEqual(self.noted("store", "folder").strip(), "/dev/shm" if os.access("/dev/shm", os.W_OK) else "")
        self.run_script("--time", "1", "store", TMPDIR=str(self.root))
        self.assertEqual(self.noted("store", "folder").strip(), str(self.root))

    def test_merges_with_the_same_options_of_address_sanitizer(self):
        self.assertEqual(self.run_script("--merge", "store").returncode, 0)
        self.assertIn("-merge=1", self.noted("store", "arguments").split())
        self.assertEqual(words(self.noted("store", "asan"))["quarantine_size_mb"], "8")

    def test_merges_with_the_same_options_of_libfuzzer(self):
        self.assertEqual(self.run_script("--merge", "differential").returncode, 0)
        self.assertIn("-use_counters=0", self.noted("differential", "arguments").split())

    def test_says_which_input_was_found_and_goes_on(self):
        self.let("case_text", 'echo x >"${finds}crash-1"; echo "artifact; Test unit written to ${finds}crash-1" >&2; exit 77\n')
        done = self.run_script("--time", "1", "case_text", "store")
        self.assertEqual(done.returncode, 1)
        self.assertIn("case_text: found build/fuzz/finds/case_text/crash-1", done.stderr)
        self.assertEqual(self.row(done, "case_text"), ["case_text", "-", "-", "-", "0", "1"])
        self.assertEqual(self.row(done, "store")[1:4], ["1234", "99", "17"])

    def test_does_not_count_an_earlier_find_again(self):
        finds = self.root / "build/fuzz/finds/store"
        finds.mkdir(parents=True)
        (finds / "crash-of-yesterday").write_text("x")
        done = self.run_script("--time", "1", "store")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.row(done, "store")[5], "0")

    def test_does_not_take_a_slow_input_for_a_find(self):
        self.let("store", 'echo "artifact; Test unit written to ${finds}slow-unit-1" >&2\n')
        done = self.run_script("--time", "1", "store")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.row(done, "store")[5], "0")

    def test_names_a_target_that_was_killed_or_did_not_start_and_goes_on(self):
        for instead, status in (("kill -9 $$\n", 137), ("echo 'cannot start' >&2; exit 127\n", 127), ("exit 1\n", 1)):
            with self.subTest(status):
                self.let("case_text", instead)
                done = self.run_script("--time", "1", "case_text", "store")
                self.assertEqual(done.returncode, 1)
                self.assertIn(f"case_text: ended with status {status} before its time and left no find", done.stderr)
                self.assertEqual(self.row(done, "case_text"), ["case_text", "-", "-", "-", "0", "0"])
                self.assertEqual(self.row(done, "store")[1], "1234")

    def test_ends_with_the_target_when_it_is_interrupted(self):
        # As a terminal does it: the signal goes to all of the group, and libFuzzer ends with a status of its own.
        self.let("case_text", f"trap 'exit 72' INT; touch '{self.root}/started'; while :; do sleep 0.05; done\n")
        command = ["bash", str(self.root / "setup/fuzz_campaign.sh"), "--time", "1", "case_text", "store"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True) as script:
            while not (self.root / "started").exists() and script.poll() is None:
                time.sleep(0.02)
            os.killpg(script.pid, signal.SIGINT)
            said = script.communicate(timeout=30)[1]
        self.assertEqual(script.returncode, 130)
        self.assertIn("interrupted", said)
        self.assertFalse(pathlib.Path(f"{self.program('store')}.arguments").exists(), "the next target was not to begin")

    def test_ends_when_only_the_target_is_interrupted(self):
        self.let("case_text", "exit 72\n")
        self.assertEqual(self.run_script("--time", "1", "case_text", "store").returncode, 130)

    def test_refuses_a_time_that_is_none(self):
        for seconds in ("0", "-1", "x", ""):
            with self.subTest(seconds):
                self.assertEqual(self.run_script("--time", seconds).returncode, 2)

    def test_refuses_an_unknown_target(self):
        done = self.run_script("no_such_target")
        self.assertEqual(done.returncode, 2)
        self.assertIn("usage:", done.stderr)


if __name__ == "__main__":
    unittest.main()
