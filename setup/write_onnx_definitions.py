"""Writes what our build and tests need of the pinned onnx package: write_onnx_definitions.py DIRECTORY.

DIRECTORY/onnx/onnx-ml.proto   the messages of a model, for protoc
DIRECTORY/schemas.json         the newest opset, and each schema that ONNX has ever had for LSTM, GRU and RNN
"""

import json
import pathlib
import sys

import onnx
from onnx import defs, helper

RECURRENT = {"LSTM", "GRU", "RNN"}
# Our mutators and tests go through fields by reflection, which the lite runtime lacks.
LITE_RUNTIME = "option optimize_for = LITE_RUNTIME;"


def messages() -> str:
    text = (pathlib.Path(onnx.__file__).parent / "onnx-ml.proto").read_text(encoding="utf-8")
    if text.count(LITE_RUNTIME) != 1:
        sys.exit(f"onnx-ml.proto of onnx {onnx.__version__} does not ask for the lite runtime once")
    return text.replace(LITE_RUNTIME, "")


def argument(parameter: defs.OpSchema.FormalParameter) -> dict:
    return {"name": parameter.name, "type": parameter.type_str, "option": parameter.option.name}


def plain(value: object) -> object:
    """The value of an attribute as JSON has it."""
    if isinstance(value, bytes):
        return value.decode()
    return [plain(v) for v in value] if isinstance(value, list) else value


def attribute(definition: defs.OpSchema.Attribute) -> dict:
    entry = {"type": definition.type.name, "required": definition.required}
    if definition.default_value.type:
        entry["default"] = plain(helper.get_attribute_value(definition.default_value))
    return entry


def schema(definition: defs.OpSchema) -> dict:
    return {
        "name": definition.name,
        "since_version": definition.since_version,
        "inputs": [argument(i) for i in definition.inputs],
        "min_input": definition.min_input,
        "max_input": definition.max_input,
        "outputs": [argument(o) for o in definition.outputs],
        "min_output": definition.min_output,
        "max_output": definition.max_output,
        "types": {t.type_param_str: list(t.allowed_type_strs) for t in definition.type_constraints},
        "attributes": {name: attribute(a) for name, a in definition.attributes.items()},
    }


def main() -> None:
    directory = pathlib.Path(sys.argv[1])
    (directory / "onnx").mkdir(parents=True)
    (directory / "onnx/onnx-ml.proto").write_text(messages(), encoding="utf-8")
    every = (s for s in defs.get_all_schemas_with_history() if s.domain == "" and s.name in RECURRENT)
    schemas = sorted((schema(s) for s in every), key=lambda s: (s["name"], s["since_version"]))
    text = json.dumps({"newest_opset": defs.onnx_opset_version(), "schemas": schemas}, indent=1)
    (directory / "schemas.json").write_text(text + "\n", encoding="utf-8")


main()
