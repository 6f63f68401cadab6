"""The launcher on machines that this one is not: bare, offline, busy, interrupted. Every outside tool is a fake on PATH.

A copy of `cellproof` and `setup/` runs in a temporary checkout. The fakes write what they were called with to calls.log; what
they answer is set by files beside it, so that a test can change the machine between two calls.
"""

import fcntl
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from fake_machine import FAKES

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Every folder with a CMakeLists.txt of ours.
FOLDERS = sorted({p.parent.name for p in ROOT.glob("*/CMakeLists.txt")} | {"cmake"})


class Launcher(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="cellproof launcher ")).resolve()  # a blank in the path, on purpose
        self.addCleanup(shutil.rmtree, self.directory, True)
        self.root, self.machine = self.directory / "checkout", self.directory / "machine"
        self.root.mkdir()
        self.machine.mkdir()
        shutil.copy(ROOT / "cellproof", self.root)
        shutil.copytree(ROOT / "setup", self.root / "setup")
        for name in FOLDERS:
            (self.root / name).mkdir(exist_ok=True)
        (self.root / "CMakeLists.txt").touch()
        (self.root / "CMakePresets.json").touch()
        (self.root / "spec/tensor.cpp").write_text("int answer;\n")
        for name, body in FAKES.items():
            self.fake(name, body)

    def fake(self, name: str, body: str):
        path = self.machine / name
        path.write_text(f"#!/bin/bash\nmachine='{self.machine}'\n{body}")
        path.chmod(0o755)

    def flag(self, name: str, on: bool = True):
        (self.machine / name).touch() if on else (self.machine / name).unlink()

    @property
    def environment(self) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("CELLPROOF_", "PIP_", "UV_"))}
        return {**kept, "PATH": f"{self.machine}:{os.environ['PATH']}", "CELLPROOF_PYTHON": str(self.machine / "python"),
                "CELLPROOF_OS_RELEASE": str(self.machine / "os-release")}  # fmt: skip

    def start(self, *arguments: str) -> subprocess.Popen:
        return subprocess.Popen([self.root / "cellproof", *arguments], env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, cwd="/", start_new_session=True)  # fmt: skip

    def call(self, *arguments: str) -> subprocess.CompletedProcess:
        process = self.start(*arguments)
        out, err = process.communicate(timeout=60)
        return subprocess.CompletedProcess(arguments, process.returncode, out, err)

    def log_text(self) -> str:
        log = self.machine / "calls.log"
        return log.read_text() if log.exists() else ""

    def calls(self) -> list[str]:
        """What the fakes were called with since the last look."""
        lines = self.log_text().splitlines()
        (self.machine / "calls.log").unlink(missing_ok=True)
        return lines

    def wait_for(self, condition, what: str):
        end = time.monotonic() + 30
        while not condition():
            self.assertLess(time.monotonic(), end, f"waited 30 s for {what}")
            time.sleep(0.02)

    def unfinished(self) -> list[str]:
        """Names in .deps that a later run would take for finished things."""
        return sorted(p.name for p in (self.root / ".deps").iterdir() if not p.name.startswith(".") and p.name not in ("log", "uv-cache"))

    def assert_one_line(self, text: str, *words: str):
        line = text.splitlines()[-1]
        self.assertTrue(line.startswith("cellproof: "), text)
        for word in words:
            self.assertIn(word, line)

    def test_a_bare_machine_ends_in_the_program(self):
        self.flag("bare")
        first = self.call("list", "two words", "")
        self.assertEqual(first.returncode, 7, first.stderr)
        self.assertEqual(first.stdout, f"argument: list\nargument: two words\nargument: \nroot: {self.root}\n")
        self.assertIn("g++", first.stderr)
        self.assertIn("compiling", first.stderr)
        self.assertEqual(self.unfinished(), ["backend-tests", "onnx-definitions-1.23.2", "onnx-reference-1.23.2", "onnxruntime-1.32.0", "tools"])
        install = next(c for c in self.calls() if c.startswith("apt-get") and "install" in c)
        self.assertIn(" -y ", install)
        self.assertNotIn("libgtest-dev", install, "`run` needs no test package")

    def test_the_second_call_goes_straight_to_the_program(self):
        self.call()
        self.calls()
        self.assertEqual(self.call("doctor").returncode, 7)
        self.assertEqual(self.calls(), [])

    def test_the_laboratory_is_built_when_somebody_asks_for_it(self):
        self.call("list")
        self.assertNotIn("lab", "\n".join(self.calls()))
        self.assertEqual(self.call("lab", "bench", "rows").stdout.splitlines()[:2], ["argument: bench", "argument: rows"])
        self.assertIn("--target programs lab-programs", "\n".join(self.calls()))
        self.call("lab", "bench", "rows")
        self.call("list")
        self.assertEqual(self.calls(), [], "both are there now")

    def test_a_source_of_the_laboratory_concerns_nobody_else(self):
        self.call("lab")
        time.sleep(0.02)  # the clock that stamps files ticks coarsely
        (self.root / "lab/new.cpp").touch()
        self.calls()
        self.call("list")
        self.assertEqual(self.calls(), [])
        self.call("lab")
        self.assertIn("--target programs lab-programs", "\n".join(self.calls()))

    def test_onednn_is_fetched_by_its_own_command_only(self):
        self.call("list")
        self.call("lab", "bench", "engines")
        self.assertFalse((self.root / ".deps/onednn-3.2.0").exists())
        command = ["bash", self.root / "setup/dependencies.sh", "onednn"]
        subprocess.run(command, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, check=True)
        self.assertTrue((self.root / ".deps/onednn-3.2.0").exists())

    def test_a_changed_removed_or_new_source_builds_again(self):
        self.call()
        for change in (lambda: (self.root / "spec/tensor.cpp").write_text("int other;\n"), lambda: (self.root / "cli/new.cpp").touch(),
                       lambda: (self.root / "cli/new.cpp").unlink()):  # fmt: skip
            time.sleep(0.02)  # the clock that stamps files ticks coarsely
            change()
            self.calls()
            self.call()
            self.assertIn("cmake --build", "\n".join(self.calls()))
            self.call()
            self.assertEqual(self.calls(), [])

    def test_no_folder_of_sources_is_forgotten(self):
        self.call("lab")
        for name in FOLDERS:
            time.sleep(0.02)
            (self.root / name / "new.txt").touch()
            self.calls()
            self.call(*(["lab"] if name == "lab" else []))
            self.assertIn("cmake --build", "\n".join(self.calls()), name)

    def test_an_edit_during_the_build_is_not_lost(self):
        self.fake("cmake", FAKES["cmake"].replace('echo "[1/1] compiling"', f"sleep 0.05; echo edited >>'{self.root}/spec/tensor.cpp'"))
        self.call()
        self.calls()
        self.call()
        self.assertIn("cmake --build", "\n".join(self.calls()))

    def test_without_debians_server(self):
        self.flag("bare")
        self.flag("apt-offline")
        done = self.call("run")
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assert_one_line(done.stderr, "Debian's package server cannot be reached", "Temporary failure resolving", "offline", "same command again")
        self.flag("apt-offline", False)
        self.assertEqual(self.call("run").returncode, 7)

    def test_without_pypi(self):
        self.flag("offline")
        done = self.call("run")
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assert_one_line(done.stderr, "PyPI cannot be reached (Failed to establish a new connection)", "offline", "same command again")
        self.assertEqual(self.unfinished(), [])
        self.flag("offline", False)
        self.assertEqual(self.call("run").returncode, 7)

    def test_a_file_with_another_hash_is_not_used(self):
        self.flag("tampered")
        done = self.call("run")
        self.assertEqual(done.returncode, 3)
        self.assert_one_line(done.stderr, "pinned hash")
        self.assertEqual(self.unfinished(), [])

    def test_behind_a_proxy_that_signs_for_others(self):
        self.flag("untrusted")
        done = self.call("run")
        self.assertEqual(done.returncode, 3)
        self.assert_one_line(done.stderr, "the certificate of PyPI is not trusted here", "PIP_CERT")
        self.flag("untrusted", False)
        self.assertEqual(self.call("list").returncode, 7)

    def test_a_full_disk(self):
        self.flag("bare")
        self.flag("disk-full")
        done = self.call("run")
        self.assertEqual(done.returncode, 3)
        self.assert_one_line(done.stderr, "disk is full")

    def test_an_ordinary_user_is_never_asked_without_a_terminal(self):
        self.flag("bare")
        self.fake("id", "echo 1000")
        done = self.call("run")
        self.assertEqual(done.returncode, 3)
        self.assert_one_line(done.stderr, "needs root", "apt-get install", "./cellproof --no-install")
        self.assertEqual([c for c in self.calls() if c.startswith("sudo")], ["sudo -n true"])

    def test_without_installing_it_names_what_is_wanted_and_builds(self):
        self.flag("bare")
        self.fake("id", "echo 1000")
        done = self.call("--no-install", "list", "--no-install")
        self.assertEqual((done.returncode, done.stdout), (7, f"argument: list\nargument: --no-install\nroot: {self.root}\n"), done.stderr)
        self.assertIn("installing nothing; wanted, by Debian's names:\n  to compile (C++ compiler, CMake, Ninja): g++ cmake", done.stderr)
        self.assertEqual([c for c in self.calls() if c.startswith(("sudo", "apt-get"))], [])

    def test_each_system_is_asked_for_its_own_names(self):
        for codename, has, lacks in (("bookworm", "libboost1.81-dev", "libboost-dev"), ("trixie", "libboost-dev", "libboost1.81-dev")):
            self.flag("bare")
            (self.machine / "os-release").write_text(f"ID=some\nVERSION_CODENAME={codename}\n")
            done = self.call("--no-install", "list")
            words = done.stderr.split()
            self.assertIn(has, words)
            self.assertNotIn(lacks, words)
            self.assertNotIn("/", " ".join(w for w in words if w.startswith("lib")))
            shutil.rmtree(self.root / "build")

    def test_a_package_of_debian_12_alone_is_asked_for_nowhere_else(self):
        for codename, asked in (("bookworm", 1), ("noble", 0)):
            self.flag("bare")
            (self.machine / "os-release").write_text(f"ID=some\nVERSION_CODENAME={codename}\n")
            self.fake("id", "echo 0")
            done = subprocess.run(["bash", self.root / "setup/packages.sh", "bench"], env=self.environment, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr.count("libdnnl2")), (0, asked))
            self.assertEqual(sum("libdnnl2" in call for call in self.calls()), asked)

    def test_a_build_that_fails_does_not_run_an_old_program(self):
        self.call()
        time.sleep(0.02)
        (self.root / "spec/tensor.cpp").write_text("int answer\n")
        self.flag("broken-source")
        done = self.call("list")
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertIn("expected ';'", done.stderr)
        self.flag("broken-source", False)
        self.calls()
        self.assertEqual(self.call("list").returncode, 7)
        self.assertIn("cmake --build", "\n".join(self.calls()))

    def test_interrupted_set_up_leaves_nothing_under_its_final_name(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            with self.subTest(signal=number.name):
                self.flag("slow")
                process = self.start("run")
                self.wait_for(lambda: "pip install" in self.log_text(), "pip")
                os.killpg(process.pid, number)
                process.communicate(timeout=30)
                self.assertNotEqual(process.returncode, 0)
                self.assertEqual(self.unfinished(), [])
                self.flag("slow", False)
                self.calls()
        self.assertEqual(self.call("run").returncode, 7)
        self.assertEqual(list((self.root / ".deps").glob(".new.*")), [])

    def test_the_second_of_two_waits_for_the_first(self):
        for lock, words in ((self.root / ".deps/.lock", "setting up"), (self.root / "build/launcher/.lock", "building")):
            with self.subTest(lock=lock.name):
                shutil.rmtree(self.root / "build", ignore_errors=True)
                shutil.rmtree(self.root / ".deps/tools", ignore_errors=True)
                lock.parent.mkdir(parents=True, exist_ok=True)
                with open(lock, "w") as held:
                    fcntl.flock(held, fcntl.LOCK_EX)
                    process = self.start("run")
                    seen = process.stderr.readline()
                    while f"another cellproof is {words}" not in seen:
                        self.assertTrue(seen, "the launcher ended without waiting")
                        seen = process.stderr.readline()
                    self.assertIsNone(process.poll())
                process.communicate(timeout=60)
                self.assertEqual(process.returncode, 7)

    def test_help_does_not_wait_for_a_build(self):
        self.call()
        self.calls()
        time.sleep(0.02)
        (self.root / "spec/new.cpp").write_text("")
        for words in (("run", "--help"), ("help", "run"), ("-V",), ("version",)):
            self.assertEqual(self.call(*words).returncode, 7)
        self.assertEqual(self.calls(), [])
        self.assertEqual(self.call("run").returncode, 7)
        self.assertIn("cmake --build", "\n".join(self.calls()))

    def test_a_changed_pin_makes_its_environment_anew(self):
        self.call()
        self.calls()
        time.sleep(0.02)
        with open(self.root / "setup/onnx-reference.lock", "a") as lock:
            lock.write("# another version\n")
        self.assertEqual(self.call("list").returncode, 7)
        calls = "\n".join(self.calls())
        self.assertIn("uv pip sync", calls)
        self.assertIn("write_backend_tests.py", calls)
        self.assertNotIn("uv pip install", calls, "ONNX Runtime's pin has not changed")

    def test_a_moved_checkout_is_configured_anew(self):
        self.call()
        moved = self.directory / "elsewhere"
        self.root.rename(moved)
        self.root = moved
        self.calls()
        done = self.call("list")
        self.assertIn(f"root: {moved}\n", done.stdout)
        self.assertIn("cmake --preset launcher", "\n".join(self.calls()))

    def test_the_test_verb_knows_its_arguments(self):
        done = self.call("test", "--fast")
        self.assertEqual(done.returncode, 2)
        self.assertIn("usage: ./cellproof test [--full]", done.stderr)


if __name__ == "__main__":
    unittest.main()
