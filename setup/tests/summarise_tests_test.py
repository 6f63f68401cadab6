"""What `./cellproof test` says at its end: every skip and failure by name, and nothing run is never a success."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import summarise_tests  # noqa: E402

PASSED = '<testcase name="a.Passes" status="run"><system-out/></testcase>'
SKIPPED = """<testcase name="a.Skips" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
<system-out>[ RUN      ] a.Skips
a_test.cpp:4: Skipped
no such device
[  SKIPPED ] a.Skips (0 ms)</system-out></testcase>"""
FAILED = '<testcase name="a.Fails" status="fail"><failure message=""/></testcase>'
ABSENT = '<testcase name="a.Absent" status="notrun"><skipped message="Unable to find executable"/></testcase>'


class Summary(unittest.TestCase):
    def summary(self, junit: str | None, steps: str = "", times: str = "") -> tuple[int, list[str]]:
        with tempfile.TemporaryDirectory() as name, contextlib.redirect_stdout(io.StringIO()) as out:
            directory = pathlib.Path(name)
            if junit is not None:
                (directory / "test.xml").write_text(f'<?xml version="1.0"?><testsuite>{junit}</testsuite>')
            if steps:
                (directory / "steps.tsv").write_text(steps)
            if times:
                (directory / "times.tsv").write_text(times)
            code = summarise_tests.main(directory)
        return code, out.getvalue().splitlines()

    def test_all_passed(self):
        self.assertEqual(self.summary(PASSED, "passed\tclang-tidy\t3 s\n"), (0, ["2 passed, 0 failed, 0 skipped"]))

    def test_a_skip_is_named_with_its_reason_and_is_no_pass(self):
        self.assertEqual(self.summary(PASSED + SKIPPED), (0, ["skipped: test: a.Skips (no such device)", "1 passed, 0 failed, 1 skipped"]))

    def test_says_how_long_the_parts_and_the_slowest_tests_took(self):
        slow = PASSED.replace("a.Passes", "a.Sleeps").replace("status", 'time="61.2" status')
        lines = self.summary(PASSED + slow, times="build\t130\nin all\t200\n")[1]
        self.assertEqual(lines, ["time: build 2 min 10 s, in all 3 min 20 s", "slowest: test: a.Sleeps 61 s", "2 passed, 0 failed, 0 skipped"])

    def test_only_skips_is_a_failure(self):
        self.assertEqual(self.summary(SKIPPED)[0], 1)

    def test_failures_are_named(self):
        code, lines = self.summary(PASSED + FAILED, "failed\tclang-format\tits messages are above\n")
        self.assertEqual(code, 1)
        self.assertEqual(lines, ["failed: test: a.Fails", "failed: clang-format (its messages are above)", "1 passed, 2 failed, 0 skipped"])

    def test_a_program_that_was_not_built_is_a_failure_not_a_skip(self):
        self.assertEqual(self.summary(PASSED + ABSENT)[1][-1], "1 passed, 1 failed, 0 skipped")

    def test_nothing_run_is_a_failure(self):
        self.assertEqual(self.summary("")[1][-1], "0 passed, 1 failed, 0 skipped")
        self.assertEqual(self.summary(None, "passed\tclang-tidy\t3 s\n")[0], 1)

    def test_an_unreadable_result_is_a_failure(self):
        self.assertEqual(self.summary("<testcase")[1][-1], "0 passed, 1 failed, 0 skipped")


if __name__ == "__main__":
    unittest.main()
