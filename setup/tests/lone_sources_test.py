"""Tests of setup/lone_sources.py on a made-up checkout."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class LoneSources(unittest.TestCase):
    def test_a_file_that_needs_another_is_named(self):
        with tempfile.TemporaryDirectory() as directory:
            root = pathlib.Path(directory)
            (root / "spec").mkdir()
            (root / "spec/needy.hpp").write_text("#pragma once\nstd::string name();\n")
            (root / "spec/whole.hpp").write_text("#pragma once\n#include <string>\nstd::string name();\n")
            (root / "spec/source.cpp").write_text('#include "spec/whole.hpp"\nstd::string name() { return CELLPROOF_VERSION; }\n')
            files = ["spec/needy.hpp", "spec/whole.hpp", "spec/source.cpp"]
            done = self.compile(root, files)
            self.assertEqual(done.returncode, 1)
            self.assertIn("string", done.stdout)
            self.assertTrue(done.stdout.endswith("3 files compiled alone, 1 with complaints\n"), done.stdout)
            self.assertEqual(self.compile(root, files[1:]).returncode, 0)

    def compile(self, root: pathlib.Path, files: list[str]) -> subprocess.CompletedProcess:
        return subprocess.run([sys.executable, ROOT / "setup/lone_sources.py", *files], cwd=root, capture_output=True, text=True, check=False)


if __name__ == "__main__":
    unittest.main()
