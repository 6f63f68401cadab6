"""How setup/fuzz_campaign.sh starts the fuzz targets, and what it makes of what they print. A copy of it runs in a temporary checkout with
the targets' real files of options; the build is a fake that does nothing, and each target one that notes how it was started.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGETS = sorted(folder.name for folder in (ROOT / "corpus/seeds").iterdir() if folder.is_dir())
FAKE = """#!/bin/sh
echo "$ASAN_OPTIONS" >"$0.asan"
echo "$@" >"$0.arguments"
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
        for name in ("fuzz_campaign.sh", "common.sh"):
            shutil.copy(ROOT / "setup" / name, self.root / "setup" / name)
        (self.root / "setup/build.sh").write_text("exit 0\n")
        shutil.copytree(ROOT / "fuzz/targets", self.root / "fuzz/targets", ignore=shutil.ignore_patterns("*.cpp", "*.hpp"))
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

    def run_script(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess:
        settings = {k: v for k, v in os.environ.items() if k != "ASAN_OPTIONS"} | environment
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
                row = next(line for line in done.stdout.splitlines() if line.split()[0] == target)
                self.assertEqual(row.split()[1:4], ["1234", "99", "17"])
        self.assertIn("-dict=fuzz/targets/case_text.dict", self.noted("case_text", "arguments").split())

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

    def test_merges_with_the_same_options_of_address_sanitizer(self):
        self.assertEqual(self.run_script("--merge", "store").returncode, 0)
        self.assertIn("-merge=1", self.noted("store", "arguments").split())
        self.assertEqual(words(self.noted("store", "asan"))["quarantine_size_mb"], "8")

    def test_refuses_an_unknown_target(self):
        done = self.run_script("no_such_target")
        self.assertEqual(done.returncode, 2)
        self.assertIn("usage:", done.stderr)


if __name__ == "__main__":
    unittest.main()
