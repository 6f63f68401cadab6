"""Brings the versions in python/cellproof/engines.json up to date and judges old and new side by side.

    python3 setup/engine_pins.py [INSTALL...] [--no-run]    INSTALL: openvino, tract, onnxruntime-ggml, onnxruntime-qnn (default: all)

The newest versions on PyPI that fit together come by uv (`setup/dependencies.sh tools`), with the hashes of all their wheels. Then suite `quick` runs on each
engine in its old and its new version, and `report NEW --baseline OLD` says what has changed. engines.json is rewritten in any case; commit it with what the
report says. Installs what is missing into the user's folder; --no-run only rewrites the file.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "python"))

from cellproof import _install, _pins

OUTPUT = ROOT / "build/engine-pins"
PROGRAM = os.environ.get("CELLPROOF_PROGRAM") or str(ROOT / "cellproof")


def resolved(install: _pins.Install) -> list[dict]:
    """The packages in their newest versions: the first decides, the others are those that it takes."""
    wanted = "\n".join(package["name"] for package in install.packages)
    command = [str(ROOT / ".deps/tools/bin/uv"), "pip", "compile", "-", "--quiet", "--generate-hashes", "--no-header", "--no-annotate"]
    command += ["--python-version", "3.11", "--python-platform", "x86_64-manylinux_2_35", "--upgrade"]
    text = subprocess.run(command, input=wanted, check=True, capture_output=True, text=True).stdout
    return packages_in(text, [package["name"] for package in install.packages])


def packages_in(lock: str, names: list[str]) -> list[dict]:
    """Rows of engines.json for these packages of a lock file."""
    rows = []
    for name in names:
        found = re.search(rf"^{re.escape(name)}==(\S+)((?: \\\n\s+--hash=\S+)+)", lock, re.MULTILINE)
        if not found:
            raise SystemExit(f"setup/engine_pins.py: {name} is not in what uv has resolved")
        rows.append({"name": name, "version": found.group(1), "sha256": sorted(re.findall(r"sha256:(\w+)", found.group(2)))})
    return rows


def judged(engine: str, pins: pathlib.Path, folder: pathlib.Path) -> int:
    """Runs quick on one engine as one list of pins has it."""
    environment = {**os.environ, "CELLPROOF_ENGINE_PINS": str(pins)}
    command = [PROGRAM, "run", "--suite", "quick", "--engine", engine, "-o", str(folder)]
    return subprocess.run(command, env=environment, check=False).returncode


def compared(before: _pins.Pins, after: _pins.Pins, name: str) -> None:
    """Both versions of an installation, judged and compared on stdout."""
    for pins in (before, after):
        print(_install.put(pins.installs[name]), flush=True)
    for row in after.data["engines"]:
        if row["install"] != name:
            continue
        folders = [OUTPUT / f"{row['name']}-{pins.installs[name].version}" for pins in (before, after)]
        codes = [judged(row["name"], pins.file, folder) for pins, folder in zip((before, after), folders)]
        if 77 in codes:
            print(f"{row['name']}: cannot run here, so nothing is compared", flush=True)
            continue
        stores = [str(folder / "run.sqlite") for folder in folders]
        report = [PROGRAM, "report", stores[1], "--baseline", stores[0], "-o", str(OUTPUT / f"{row['name']}-report")]
        subprocess.run(report, check=False)


def main(arguments: list[str]) -> int:
    try:
        return update(arguments)
    except _install.Failed as error:
        print(f"cellproof: {error}", file=sys.stderr)
        return _install.BAD


def update(arguments: list[str]) -> int:
    """Rewrites the list, and judges what it has changed. Raises Failed where something cannot be installed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("installs", nargs="*", metavar="INSTALL")
    parser.add_argument("--no-run", action="store_true")
    asked = parser.parse_args(arguments)
    before = _pins.Pins(_pins.FILE)
    unknown = set(asked.installs) - set(before.installs)
    if unknown:
        parser.error(f"{', '.join(sorted(unknown))}: expected some of {', '.join(before.installs)}")
    names = asked.installs or list(before.installs)
    OUTPUT.mkdir(parents=True, exist_ok=True)
    old = OUTPUT / "old.json"
    old.write_bytes(_pins.FILE.read_bytes())
    for row in before.data["installs"]:
        if row["name"] in names:
            row["packages"] = resolved(before.installs[row["name"]])
    _pins.FILE.write_text(json.dumps(before.data, indent=2) + "\n", encoding="utf-8")
    before, after = _pins.Pins(old), _pins.Pins(_pins.FILE)
    for name in names:
        versions = [pins.installs[name].version for pins in (before, after)]
        print(f"{name}: {versions[0]} -> {versions[1]}" if versions[0] != versions[1] else f"{name}: {versions[0]} is the newest", flush=True)
        if not asked.no_run and before.installs[name].packages != after.installs[name].packages:
            compared(before, after, name)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
