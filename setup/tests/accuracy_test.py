"""The formulas of docs/accuracy are proved by gappa, and its worked numbers are those that the formulas give."""

import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "lab" / "accuracy"))

import prove  # noqa: E402 (the path comes first)

ROW = re.compile(r"^\| ([^|]+) \| [0-9.]+ \| ([0-9.]+) \|$", re.MULTILINE)


def with_bounds(script: str, factor: float) -> str:
    """The script with other bounds in its goals, which stand between the first arrow and the brace."""
    given, goals, rest = re.split(r"(-> [^}]*)", script, maxsplit=1)
    return given + re.sub(r"<= ([-+.e0-9]+)", lambda m: f"<= {factor * float(m[1])!r}", goals) + rest


class Proofs(unittest.TestCase):
    def test_every_claim_is_proved(self):
        done = subprocess.run([sys.executable, ROOT / "lab/accuracy/prove.py"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (0, "every claim is proved"), done.stdout + done.stderr)
        self.assertGreater(done.stdout.count(" proved\n"), 25)

    def test_a_formula_that_says_too_little_is_not_proved(self):
        scripts = dict(prove.scripts())
        for name in ("gamma-8", "rnn-2-2", "lstm-1-1", "gru-1-1", "gru-linear-1-1"):
            with self.subTest(name):
                self.assertTrue(prove.proves(with_bounds(scripts[name], 1.25))[0])
                self.assertFalse(prove.proves(with_bounds(scripts[name], 0.25))[0])

    def test_a_wrong_rewriting_is_noticed(self):
        self.assertFalse(prove.proves(prove.GAMMA_STEP.replace("-> -((n + 1)", "-> -((n + 2)"))[0])

    def test_a_script_can_be_read(self):
        show = lambda name: subprocess.run([sys.executable, ROOT / "lab/accuracy/prove.py", "--print", name], capture_output=True, text=True, check=False)
        self.assertIn("float<ieee_32, ne>", show("lstm-4-3").stdout)
        unknown = show("lstm")
        self.assertEqual((unknown.returncode, unknown.stderr.count("\n")), (2, 1))


class WorkedNumbers(unittest.TestCase):
    def test_the_chapters_have_them(self):
        for chapter in ("rnn", "gru", "lstm"):
            with self.subTest(chapter):
                written = ROW.findall((ROOT / f"docs/accuracy/{chapter}.md").read_text(encoding="utf-8"))
                names = {"h": "h'", "C": "C'", "tanh C": "tanh C'", "C in Y_c": "C' in Y_c"}
                computed = [(names.get(what, what), f"{error / prove.U:.2f}") for of, what, error in prove.numbers() if of == chapter]
                self.assertEqual(written, computed)


if __name__ == "__main__":
    unittest.main()
