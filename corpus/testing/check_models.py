"""Asks ONNX's checker, full shape inference included, about models: check_models.py DIRECTORY. Prints a line for each that it refuses."""

import pathlib
import sys

import onnx

for path in sorted(pathlib.Path(sys.argv[1]).glob("*.onnx")):
    try:
        # Custom domains have no schema in ONNX: all but the node's own rules are checked there.
        onnx.checker.check_model(onnx.load(path), full_check=True)
    except Exception as error:  # whatever it is, it is the checker's word on this model
        print(f"{path.stem}: {' '.join(str(error).split())}")
