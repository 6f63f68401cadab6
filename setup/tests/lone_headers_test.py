"""Tests of setup/lone_headers.py on a made-up checkout."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class LoneHeaders(unittest.TestCase):
    def test_a_header_that_needs_another_is_named(self):
        with tempfile.TemporaryDirectory() as directory:
            root = pathlib.Path(directory)
            (root / "spec").mkdir()
            (root / "spec/needy.hpp").write_text("#pragma once\nstd::string name();\n")
            (root / "spec/whole.hpp").write_text("#pragma once\n#include <string>\nstd::string name();\n")
            headers = ["spec/needy.hpp", "spec/whole.hpp"]
            done = self.compile(root, headers)
            self.assertEqual(done.returncode, 1)
            self.assertIn("string", done.stdout)
            self.assertTrue(done.stdout.endswith("2 headers compiled alone, 1 with complaints\n"), done.stdout)
            self.assertEqual(self.compile(root, headers[1:]).returncode, 0)

    def compile(self, root: pathlib.Path, headers: list[str]) -> subprocess.CompletedProcess:
        return subprocess.run([sys.executable, ROOT / "setup/lone_headers.py", *headers], cwd=root, capture_output=True, text=True, check=False)


if __name__ == "__main__":
    unittest.main()
