"""A header's change must reach every source that sees it, or `./cellproof lint --since` would promise what CI does not keep."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import touched_sources  # noqa: E402 (the path comes first)


class TouchedSources(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("spec/low.hpp", "int low();\n")
        self.write("spec/middle.hpp", '#include "spec/low.hpp"\n')
        self.write("spec/top.cpp", '  #  include "spec/middle.hpp"\n')
        self.write("spec/apart.cpp", "#include <vector>\n")
        self.git("init", "-q")
        self.commit()

    def write(self, path: str, text: str):
        (self.root / path).parent.mkdir(exist_ok=True)
        (self.root / path).write_text(text, encoding="utf-8")

    def git(self, *arguments: str):
        subprocess.run(["git", "-C", self.root, *arguments], check=True, capture_output=True)

    def commit(self):
        self.git("add", ".")
        self.git("-c", "user.name=test", "-c", "user.email=test@example.com", "commit", "-qm", "Test")

    def touched(self) -> list[str]:
        return touched_sources.touched_sources(self.root, "HEAD")

    def test_nothing_where_nothing_changed(self):
        self.assertEqual(self.touched(), [])

    def test_a_header_and_all_that_see_it(self):
        self.write("spec/low.hpp", "int low(int);\n")
        self.assertEqual(self.touched(), ["spec/low.hpp", "spec/middle.hpp", "spec/top.cpp"])

    def test_a_source_alone(self):
        self.write("spec/apart.cpp", "int apart();\n")
        self.assertEqual(self.touched(), ["spec/apart.cpp"])

    def test_what_git_does_not_know_yet(self):
        self.write("spec/new.cpp", "int fresh();\n")
        self.assertEqual(self.touched(), ["spec/new.cpp"])

    def test_those_that_name_a_header_that_has_gone(self):
        (self.root / "spec/low.hpp").unlink()
        self.assertEqual(self.touched(), ["spec/middle.hpp", "spec/top.cpp"])

    def test_a_commit_that_is_not_there_is_one_line(self):
        with self.assertRaises(SystemExit) as raised:
            touched_sources.touched_sources(self.root, "nowhere")
        self.assertIn("nowhere", str(raised.exception))


if __name__ == "__main__":
    unittest.main()
