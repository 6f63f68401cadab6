"""Has engines with one mistake each, in one node each, answer for the nodes of real models, and shows what `check` names.

    python3 lab/real_nodes/planted_in_models.py WORK --bin build/full/bin [--only PART]     # after check_models.py WORK

The models are those of check_models.py. ONNX Runtime records what comes to each node; a mutant of the laboratory (`cellproof lab mutants engine`) computes the nodes.
Each mistake is in another of the nodes for which it is planted, in turn. Seconds are those of a whole `check`, the slow engine included.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

from check_models import PACKAGES

ANYWHERE = ["rb-ignored", "initial-h-ignored", "previous-input", "r-not-transposed", "state-reset-every-4", "reverse-by-default", "y-h-is-zero"]
TWO_DIRECTIONS = ["backward-takes-forward-parameters", "backward-not-reversed", "directions-swapped-in-y"]
MISTAKES = {
    "LSTM": [*ANYWHERE, *TWO_DIRECTIONS, "gate-order-ifco", "initial-c-ignored", "h-skipped", "forget-gate-ignored"],
    "GRU": [*ANYWHERE, *TWO_DIRECTIONS, "gate-order-rzh", "linear-before-reset-ignored", "lengths-ignored", "reverse-takes-last-steps"],
    "DynamicQuantizeLSTM": [*ANYWHERE, *TWO_DIRECTIONS, "w-scale-ignored", "codes-cut-off"],
}


def checked(command: list[str]) -> tuple[list[dict], float, float]:
    """The nodes that the run came to, seconds, and seconds of processors: its own and those of the engines that it has ended."""
    begin = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as run:
        printed = run.stdout.read()
        _, status, usage = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.monotonic() - begin
    nodes = [json.loads(line) for line in printed.splitlines()]
    return [node for node in nodes if node["node"] is not None and node["calls"] > 0], seconds, usage.ru_utime + usage.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--only", default="", help="models whose path holds this")
    arguments = parser.parse_args()
    missed: list[str] = []
    print("| model | nodes | mistakes that show | nodes that diverge | with a step | named as planted | named otherwise | not named | slowest, s | its seconds of processors |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for package, choices in PACKAGES.items():
        for model in sorted((arguments.work / "models" / package.split("==")[0]).glob("*.onnx")):
            options = choices.get(model.name, [[]])[0]
            if arguments.only not in str(model):
                continue
            command = [str(arguments.bin / "cellproof"), "check", str(model), "--json", "-", *options]
            right, _, _ = checked([*command, "--engine", "onnxruntime"])
            mistakes = list(dict.fromkeys(mistake for node in right for mistake in MISTAKES[node["operator"]]))
            shown = diverging = with_step = planted = otherwise = 0
            slowest = (0.0, 0.0)
            for turn, mistake in enumerate(mistakes):
                places = [k for k, node in enumerate(right) if mistake in MISTAKES[node["operator"]]]
                engine = f"wrong={arguments.bin / 'cellproof-lab'} mutants engine {mistake} --node {places[turn % len(places)]}"
                nodes, *seconds = checked([*command, "--engine", engine])
                wrong = [node for node in nodes if node["verdict"] != "CONFORMS"]
                slowest = max(slowest, tuple(seconds)) if wrong else slowest
                shown += bool(wrong)
                diverging += len(wrong)
                with_step += sum(bool(node["first"]) and node["first"]["step"] is not None for node in wrong)
                planted += sum(mistake in node["fault"] for node in wrong)
                otherwise += sum(bool(node["fault"]) and mistake not in node["fault"] for node in wrong)
                missed += [f"{model.name}, {node['node']}: {mistake} is {node['verdict']} {' '.join(node['fault'][:3])}" for node in wrong if mistake not in node["fault"]]
            if mistakes:
                counts = (len(right), f"{shown} of {len(mistakes)}", diverging, with_step, planted, otherwise, diverging - planted - otherwise)
                print(f"| {model.name} | {' | '.join(str(count) for count in counts)} | {slowest[0]:.1f} | {slowest[1]:.1f} |", flush=True)
    for line in missed:
        print(f"planted_in_models: {line}", file=sys.stderr)


if __name__ == "__main__":
    main()
