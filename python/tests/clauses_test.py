"""The drafts of docs/clauses/ say of ONNX Runtime and ONNX's evaluator what these answer to the drafts' cases."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "lab" / "clauses" / "runtimes.py"
sys.path.insert(0, str(SCRIPT.parent))

import runtimes  # noqa: E402 (the path comes first)


def check(pages=None):
    code = "import pathlib, sys; import runtimes; runtimes.PAGES = pathlib.Path(sys.argv.pop(1)); sys.exit(runtimes.main())"
    command = [sys.executable, "-c", code, str(pages or runtimes.PAGES), os.environ["CELLPROOF_PROGRAM"], "--check"]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(SCRIPT.parent)})


def test_both_runtimes_answer_as_the_pages_say():
    done = check()
    assert done.returncode == 0 and done.stderr == "", done.stdout + done.stderr
    assert done.stdout.count("\n") == sum(len(page.cases) for page in runtimes.pages()) >= 20


def test_a_page_that_says_something_else_is_named(tmp_path):
    text = (runtimes.PAGES / "padding.md").read_text(encoding="utf-8")
    assert text.count("| `padding-of-y` | `zero` | other |") == 1
    (tmp_path / "padding.md").write_text(text.replace("| `padding-of-y` | `zero` | other |", "| `padding-of-y` | `carry` | other |"), encoding="utf-8")
    done = check(tmp_path)
    assert done.returncode == 1 and "padding.md: padding-of-y: onnxruntime says zero, the page says carry" in done.stdout


def test_every_answer_in_the_pages_is_a_listed_one():
    for page in runtimes.pages():
        assert set(page.said) == set(page.cases) == set(page.readings)
        for clause, answers in page.said.items():
            assert answers and set(answers.values()) <= {*page.readings[clause], "refuses", "other", "crashes", "-"}, clause
