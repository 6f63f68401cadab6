"""What setup/fuzz_package.sh packs: a copy of it in a temporary checkout, with programs that are copies of one of the system's and a fake of patchelf."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


@unittest.skipUnless(shutil.which("zip"), "zip is not installed")
class FuzzPackage(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.root = pathlib.Path(holder.name)
        for folder in ("setup", "lab/fuzz_targets", "corpus/seeds/some_target", "build/bin", "tools"):
            (self.root / folder).mkdir(parents=True)
        for name in ("fuzz_package.sh", "common.sh"):
            shutil.copy(ROOT / "setup" / name, self.root / "setup" / name)
        for suffix in ("cpp", "options", "dict"):
            (self.root / "lab/fuzz_targets" / f"some_target.{suffix}").write_text(suffix)
        (self.root / "corpus/seeds/some_target/seed").write_text("a seed")
        shutil.copy("/bin/ls", self.root / "build/bin/cellproof-fuzz-some-target")
        self.tool("patchelf", "exit 0")

    def tool(self, name: str, does: str):
        (self.root / "tools" / name).write_text(f"#!/bin/sh\n{does}\n")
        (self.root / "tools" / name).chmod(0o755)

    def package(self, out: str) -> subprocess.CompletedProcess:
        command = ["bash", "setup/fuzz_package.sh", "build", out]
        settings = os.environ | {"PATH": f"{self.root / 'tools'}:{os.environ['PATH']}"}
        return subprocess.run(command, env=settings, cwd=self.root, capture_output=True, text=True, check=False, timeout=60)

    def test_packs_program_seeds_and_options_into_a_folder_named_from_here(self):
        done = self.package("some folder/out")
        self.assertEqual(done.returncode, 0, done.stderr)
        out = self.root / "some folder/out"
        self.assertEqual({f.name for f in out.iterdir()}, {"some_target", "some_target.options", "some_target.dict", "some_target_seed_corpus.zip", "lib"})
        with zipfile.ZipFile(out / "some_target_seed_corpus.zip") as seeds:
            self.assertEqual(seeds.namelist(), ["seed"])
        self.assertIn("1 fuzzers in ", done.stderr)

    def test_names_a_library_that_is_not_there(self):
        self.tool("ldd", "echo '  libc.so.6 => /lib/libc.so.6 (0x1)'; echo '  libwanted.so.7 => not found'")
        done = self.package("out")
        self.assertEqual(done.returncode, 3)
        self.assertIn("needs libwanted.so.7, which this system does not have", done.stderr)


if __name__ == "__main__":
    unittest.main()
