"""Judges a folder of backend tests, each with an `origin.json`, and compares what `check` says with what that expects.

    python3 lab/real_nodes/expectations.py FOLDER --cellproof build/full/bin/cellproof [--outputs DIR]

`expect` in origin.json is a sentence for people; the table shows what is compared of it: a verdict, and words that the report must hold. A sentence that this script does
not understand is a difference. With --outputs, those parts of the sentences are compared that begin with "with --outputs". Exits with 1 where anything differs.
"""

import argparse
import json
import pathlib
import subprocess
import sys

# Of what a sentence asks for beside the verdict: a part of it, and what any one of these words in the report shows.
ASKED = {
    "axes": ["batch-taken-for-time"],
    "integer products saturate": ["saturate"],
    "sequence_lens = 6,4,2": ["with sequence_lens 6,4,2"],
    "bf16 inside": ["f32-in-bf16", "f32-by-bf16"],
    "f16 inside": ["f32-in-f16", "f32-by-f16"],
    "gate order rzh": ["gate-order-rzh"],
    "gate order": ["gate-order-"],
    "linear_before_reset": ["linear-before-reset", "linear_before_reset"],
    "h0 for c0": ["initial-states-exchanged"],
    "layout of states": ["layout-ignored-in-states"],
    "shape of Y_h": ["Y_h has shape"],
    "DIVERGES reverse starts in padding": ["reverse-starts-in-padding"],
    "lengths-ignored": ["lengths-ignored"],
    "DIVERGES sequence_lens": ["lengths-ignored"],
    "DIVERGES reverse": ["of the reverse direction"],
    "DIVERGES initial state": ["states-of-first-sequence"],
    "invalid model accepted": ["must be refused"],
    "no recurrent operator": ["no recurrent operator"],
    "recurrence in a Loop": ["Loop"],
}
VERDICTS = {"invalid model accepted": "ACCEPTED_INVALID", "said plainly": "UNREADABLE", "a verdict for": "CONFORMS"}


def asked_of(sentence: str, with_outputs: bool) -> tuple[str | None, list[list[str]]]:
    """The verdict that a sentence asks for, and what it asks to be said."""
    parts = [part.strip() for part in sentence.split(";")]
    marked = [part for part in parts if part.startswith("with --outputs")]
    if with_outputs:
        sentence = marked[0].split(":", 1)[1].split(".")[0].strip() if marked else ""
    elif marked:
        sentence = parts[0]
    verdict = next((ours for words, ours in VERDICTS.items() if sentence.startswith(words)), None)
    if verdict is None and sentence:
        verdict = sentence.split()[0].strip(":,;")
    found = [asks for asks in ASKED if asks in sentence]
    words = [ASKED[asks] for asks in found if not any(asks != other and asks in other for other in found)]
    return verdict, words


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--cellproof", type=pathlib.Path, required=True)
    parser.add_argument("--outputs", type=pathlib.Path, help="outputs at the same paths below this folder")
    arguments = parser.parse_args()
    differing = compared = 0
    print("| case | expected | said | equal |\n| --- | --- | --- | --- |")
    for origin in sorted(arguments.folder.glob("*/origin.json")):
        case = origin.parent
        if arguments.outputs and not (arguments.outputs / case.name).is_dir():
            continue
        expected = json.loads(origin.read_text())["expect"]
        verdict, words = asked_of(expected, arguments.outputs is not None)
        more = ["--outputs", arguments.outputs / case.name] if arguments.outputs else []
        done = subprocess.run([arguments.cellproof, "check", case, *more], capture_output=True, text=True, check=False)
        report = done.stdout + done.stderr
        json_line = subprocess.run([arguments.cellproof, "check", case, *more, "--json", "-"], capture_output=True, text=True, check=False).stdout.splitlines()[0]
        record = json.loads(json_line)
        said = record.get("verdict") or "UNREADABLE"
        missing = [alternatives[0] for alternatives in words if not any(word in report for word in alternatives)]
        is_equal = said == verdict and not missing
        named = [alternatives[0] for alternatives in words if alternatives[0] not in missing]
        compared += 1
        differing += not is_equal
        print(f"| {case.name} | {expected} | {' '.join([said, *named])} | {'yes' if is_equal else 'NO: ' + ', '.join(missing or [str(verdict)])} |", flush=True)
    print(f"{compared} compared, {differing} differ")
    sys.exit(1 if differing or not compared else 0)


if __name__ == "__main__":
    main()
