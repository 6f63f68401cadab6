"""What setup/minimise_seeds.sh keeps. A copy of it runs in a temporary checkout. The fake of libFuzzer has an input reach the edges that its letters
name, and each two letters of one are a mutant that the fake of `cellproof lab mutants` finds killed.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "setup"))
import keep_killers  # noqa: E402
TARGET = """#!/usr/bin/env python3
import pathlib, shutil, sys
folders = [pathlib.Path(a) for a in sys.argv[1:] if not a.startswith("-")]
pathlib.Path(sys.argv[0] + ".arguments").write_text(" ".join(sys.argv[1:]))
reached = set()
for file in sorted(f for folder in folders for f in folder.iterdir()):
    if "!" in file.read_text(): sys.exit("a crash")
    if not set(file.read_text()) <= reached and "-set_cover_merge=1" in sys.argv: shutil.copy(file, folders[0])
    reached |= set(file.read_text())
print(f"#1 DONE cov: {len(reached)} ft: 1", file=sys.stderr)
"""
SEEDS = """#!/usr/bin/env python3
import sys
print("".join(open(f).read() + "\\n" for f in sys.argv[2:]), end="")
"""
CELLPROOF = """#!/usr/bin/env python3
import json, sys
kills = {}
for number, line in enumerate(open(sys.argv[sys.argv.index("--cases") + 1]), 1):
    line = line.strip()
    for pair in zip(line, line[1:]): kills.setdefault("".join(pair), []).append(str(number))
print(json.dumps({"counted": 99, "mutants": [{"operator": "LSTM", "fault": f, "kills": k} for f, k in kills.items()]}))
"""


class KeepKillers(unittest.TestCase):
    def test_keeps_an_input_only_for_what_no_other_kept_one_kills(self):
        kills = {1: {1, 2}, 2: {2, 3}, 3: {4}, 5: {1, 2, 3}}
        self.assertEqual(keep_killers.besides(["a", "b", "c", "d", "e"], set(), kills), ["e", "c"])
        self.assertEqual(keep_killers.besides(["a", "b", "c", "d", "e"], {"a"}, kills), ["b", "c"])
        self.assertEqual(keep_killers.besides(["a", "b", "c", "d", "e"], {"c", "d", "e"}, kills), [])

    def test_leaves_out_what_those_that_came_later_make_needless(self):
        kills = {1: {1, 2, 3, 4}, 2: {1, 2, 5}, 3: {3, 4, 6}}
        self.assertEqual(keep_killers.besides(["a", "b", "c"], set(), kills), ["b", "c"])


class MinimiseSeeds(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.root = pathlib.Path(holder.name)
        (self.root / "setup").mkdir()
        for name in ("minimise_seeds.sh", "keep_killers.py", "fuzz_options.sh", "common.sh"):
            shutil.copy(ROOT / "setup" / name, self.root / "setup" / name)
        (self.root / "setup/build.sh").write_text("exit 0\n")
        shutil.copytree(ROOT / "lab/fuzz_targets", self.root / "lab/fuzz_targets", ignore=shutil.ignore_patterns("*.cpp", "*.hpp"))
        for name, text in (("cellproof-fuzz-differential", TARGET), ("cellproof-fuzz-store", TARGET), ("cellproof-fuzz-seeds", SEEDS), ("cellproof", CELLPROOF)):
            program = self.root / "build/fuzz/bin" / name
            program.parent.mkdir(parents=True, exist_ok=True)
            program.write_text(text)
            program.chmod(0o755)

    def put(self, folder: str, *contents: str):
        (self.root / folder).mkdir(parents=True, exist_ok=True)
        for number, text in enumerate(contents):
            (self.root / folder / f"given-{number}").write_text(text)

    def kept(self, target: str) -> list[str]:
        return sorted(file.read_text() for file in (self.root / "corpus/seeds" / target).iterdir())

    def run_script(self, *arguments: str) -> subprocess.CompletedProcess:
        settings = os.environ | {"CELLPROOF": str(self.root / "build/fuzz/bin/cellproof"), "PATH": f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"}
        command = ["bash", str(self.root / "setup/minimise_seeds.sh"), *arguments]
        return subprocess.run(command, env=settings, capture_output=True, text=True, check=False, timeout=60)

    def test_keeps_what_reaches_an_edge(self):
        self.put("corpus/seeds/store", "ab", "ba", "ab", "abc")
        done = self.run_script("store")
        self.assertEqual(done.returncode, 0, done.stderr)
        kept = self.kept("store")
        self.assertLess(len(kept), 3)
        self.assertEqual(set("".join(kept)), set("abc"))
        self.assertIn("store: 4 seeds reach 3 edges; of 3 inputs, which reach 3,", done.stderr)
        self.assertIn("which reach 3\n", done.stderr)

    def test_keeps_of_differential_what_kills_a_mutant_besides(self):
        self.put("corpus/seeds/differential", "abc", "cacb", "bb", "bba")
        done = self.run_script("differential")
        self.assertEqual(done.returncode, 0, done.stderr)
        pairs = {a + b for text in self.kept("differential") for a, b in zip(text, text[1:])}
        self.assertEqual(pairs, {"ab", "bc", "ca", "ac", "cb", "bb", "ba"})
        self.assertIn("mutants killed: 7 of 99 by 4 inputs", done.stderr)
        self.assertIn("-use_counters=0", (self.root / "build/fuzz/bin/cellproof-fuzz-differential.arguments").read_text().split())

    def test_takes_inputs_from_elsewhere(self):
        self.put("corpus/seeds/store", "ab")
        self.put("learnt/store", "xyz")
        self.assertEqual(self.run_script("--with", str(self.root / "learnt"), "store").returncode, 0)
        self.assertEqual(self.kept("store"), ["ab", "xyz"])

    def test_leaves_the_seeds_alone_where_a_target_fails(self):
        self.put("corpus/seeds/store", "ab", "a", "!")
        done = self.run_script("store")
        self.assertEqual(done.returncode, 3)
        self.assertIn("store ended with status 1", done.stderr)
        self.assertEqual(self.kept("store"), ["!", "a", "ab"])

    def test_refuses_what_it_does_not_know(self):
        self.put("corpus/seeds/store", "ab")
        for arguments in (["nonsense"], ["--with", "/no/such/folder"], ["--nonsense"]):
            with self.subTest(arguments):
                self.assertEqual(self.run_script(*arguments).returncode, 2)


if __name__ == "__main__":
    unittest.main()
