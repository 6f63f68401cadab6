#!/usr/bin/env python3
"""Asks numpy about a sample of what Cellproof says of an engine, without Cellproof: python confirm.py FINDINGS EXPORTED ENGINE [--verdict V] [--sample N] [--seed S].

FINDINGS: `cellproof report STORE --format json`. EXPORTED: `cellproof export --suite SUITE -o EXPORTED` of the suites that ran. ENGINE: onnxruntime,
onnx-reference, openvino, openvino@bf16 or onnxruntime-qnn, by a Python that has it. Runs each drawn model by the engine's own interface, computes it in float64
from ONNX's page (numpy_node.py), under each way to read the page, and prints how many times farther the engine is from all of them than numpy is in the
node's own type, or in float16 for onnxruntime-qnn, which computes so. Needs numpy, onnx and the engine.

openvino@bf16 computes in bfloat16, so its measure is numpy in bfloat16 (stochastic.py): the farthest of 16 computations whose every operation is rounded up
or down by chance. ENGINE numpy@bf16 asks one such computation instead of an engine, which tries the measure itself: nothing may be off then.

A result is "off" where it is more than 16 times as far (4 times as far as that farthest of 16), a shape is another, or one has NaN where no other has; "same"
otherwise. Exits with 1 where a wrong one is the same, or, with --verdict CONFORMS, where one is off.
"""

import argparse
import functools
import json
import pathlib
import random
import sys

import numpy as np
import onnx
from onnx import numpy_helper

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parents[1] / "installed_engines")]
import compare  # noqa: E402
import numpy_node  # noqa: E402 (the path comes first)
import stochastic  # noqa: E402

FAR, FAR_IN_BFLOAT16 = 16, 4
# What an engine's arithmetic is worth, as a share of the largest output: another code of 8 bits may be right as well.
UNITS = {"float64": 2.0**-52, "float32": 2.0**-23, "float16": 2.0**-10, "bfloat16": 2.0**-7, "DynamicQuantizeLSTM": 2.0**-8}
NARROW = {"onnxruntime-qnn": "float16"}  # what an engine computes in, whatever the node's type

onnxruntime_by = functools.cache(compare.onnxruntime)  # registers its plug-in once


def run_by(engine, path, feeds):
    if engine == "onnx-reference":
        from onnx.reference import ReferenceEvaluator

        return ReferenceEvaluator(str(path)).run(None, feeds)
    if engine.startswith("openvino"):
        return run_by_openvino(path, feeds, "bf16" if engine.endswith("@bf16") else "f32")
    return onnxruntime_by(engine if engine in compare.PLUG_INS else None)(str(path), feeds)


def run_by_openvino(path, feeds, precision):
    import openvino

    compiled = openvino.Core().compile_model(str(path), "CPU", {"INFERENCE_PRECISION_HINT": precision})
    if compiled.get_property("INFERENCE_PRECISION_HINT").to_string() != precision:
        sys.exit(f"confirm.py: OpenVINO does not compute in {precision} on this processor")
    request = compiled.create_infer_request()
    for name, array in feeds.items():
        narrow = array.dtype.name == "bfloat16"
        request.set_tensor(name, openvino.Tensor(array.view(np.uint16), array.shape, openvino.Type.bf16) if narrow else openvino.Tensor(array))
    request.infer()
    answers = [request.get_output_tensor(k) for k in range(len(compiled.outputs))]
    return [stochastic.from_bits(a.data) if a.element_type == openvino.Type.bf16 else a.data.copy() for a in answers]


def tensor_in(path):
    tensor = onnx.TensorProto()
    tensor.ParseFromString(path.read_bytes())
    return numpy_helper.to_array(tensor)


class Example:
    """A backend-test directory of one recurrent node."""

    def __init__(self, folder):
        self.path = folder / "model.onnx"
        model = onnx.load(self.path)
        graph = model.graph
        recurrent = [n for n in graph.node if n.op_type in numpy_node.GATES]
        if len(recurrent) != 1 or len(graph.node) != 1:
            raise ValueError("more than the node alone")
        self.node = recurrent[0]
        known = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
        fed = [v.name for v in graph.input if v.name not in known]
        self.feeds = {name: tensor_in(folder / "test_data_set_0" / f"input_{k}.pb") for k, name in enumerate(fed)}
        known |= self.feeds
        self.attributes = {a.name: onnx.helper.get_attribute_value(a) for a in self.node.attribute}
        for name, value in self.attributes.items():
            if isinstance(value, bytes):
                self.attributes[name] = value.decode()
            elif isinstance(value, list):
                self.attributes[name] = [v.decode() if isinstance(v, bytes) else v for v in value]
        if self.attributes.get("layout", 0) not in (0, 1):
            raise ValueError(f"the page knows no layout {self.attributes['layout']}")
        names = "X W R B sequence_lens initial_h initial_c P W_scale W_zero_point R_scale R_zero_point".split()
        self.inputs = {names[k]: known[name] for k, name in enumerate(self.node.input) if name}
        self.outputs = [("Y", "Y_h", "Y_c")[k] for k, name in enumerate(self.node.output) if name]
        if "X" not in self.inputs:
            raise ValueError("no X")
        self.type = self.inputs["X"].dtype

    def computed(self, reading, dtype):
        with np.errstate(all="ignore"):
            all_outputs = numpy_node.computed(self.node.op_type, self.inputs, self.attributes, reading, dtype)
            return [all_outputs[name].astype(self.type) for name in self.outputs]

    def rounded_by_chance(self, reading, seed):
        with np.errstate(all="ignore"), stochastic.drawn_from(seed):
            inputs = {name: stochastic.rounded(value) for name, value in self.inputs.items()}
            all_outputs = numpy_node.computed(self.node.op_type, inputs, self.attributes, reading, np.float32)
            return [stochastic.rounded(all_outputs[name]) for name in self.outputs]


def distance(actual, right):
    """The largest distance of any output; infinite for another shape, and where one alone is finite or they are infinite otherwise."""
    if [np.shape(a) for a in actual] != [r.shape for r in right]:
        return np.inf
    worst = 0.0
    for a, r in zip(actual, right):
        a, r = np.asarray(a).astype(np.float64), r.astype(np.float64)
        same = (a == r) | (np.isnan(a) & np.isnan(r))
        if not (np.isfinite(a) & np.isfinite(r) | same).all():
            return np.inf
        with np.errstate(invalid="ignore"):
            worst = max(worst, np.where(same, 0, np.abs(a - r)).max(initial=0))
    return worst


def times_off(example, engine):
    in_bfloat16 = engine.endswith("@bf16")
    actual = None if engine == "numpy@bf16" else run_by(engine, example.path, example.feeds)
    lengths = example.inputs.get("sequence_lens")
    ratios = []
    for reading in numpy_node.variants(example.node.op_type, example.attributes, lengths):
        right = example.computed(reading, np.float64)
        size = max((np.abs(r[np.isfinite(r)]).max(initial=0) for r in right), default=0)
        unit = UNITS.get(example.node.op_type) or UNITS[NARROW.get(engine, example.type.name)]
        narrow = NARROW.get(engine, "float64" if example.type == np.float64 else "float32")
        ordinary = distance(example.computed(reading, narrow), right)
        ordinary = (ordinary if np.isfinite(ordinary) else 0) + unit * max(size, 2.0**-126)
        if in_bfloat16:
            ordinary = max([ordinary] + [distance(example.rounded_by_chance(reading, k), right) for k in range(1, 17)])
        far = distance(example.rounded_by_chance(reading, 0) if actual is None else actual, right)
        ratios.append(far / ordinary if np.isfinite(ordinary) else 0)  # where rounding alone may overflow, nothing is off
    return min(ratios)


def drawn(findings, engine, verdict, sample, seed):
    rows = [json.loads(line) for line in pathlib.Path(findings).read_text(encoding="utf-8").splitlines()]
    names = sorted((r["suite"], r["case_name"].replace("/", "_")) for r in rows if r["engine"] == engine and r["judgement"]["verdict"] == verdict)
    random.Random(seed).shuffle(names)
    return names if sample == 0 else names[:sample]


def main(arguments):
    parser = argparse.ArgumentParser(prog="confirm.py", description="Asks numpy about a sample of what Cellproof says of an engine.")
    parser.add_argument("findings")
    parser.add_argument("exported", type=pathlib.Path)
    parser.add_argument("engine", choices=["onnxruntime", "onnx-reference", "openvino", "openvino@bf16", "onnxruntime-qnn", "numpy@bf16"])
    parser.add_argument("--verdict", default="DIVERGES")
    parser.add_argument("--sample", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    counts = {"off": 0, "same": 0, "not asked": 0}
    for suite, name in drawn(chosen.findings, chosen.engine, chosen.verdict, chosen.sample, chosen.seed):
        try:
            example = Example(chosen.exported / suite / name)
        except (OSError, ValueError) as error:
            counts["not asked"] += 1
            print(f"not asked  {suite} {name}: {error}")
            continue
        times = times_off(example, chosen.engine)
        said = "off" if times > (FAR_IN_BFLOAT16 if chosen.engine.endswith("@bf16") else FAR) else "same"
        counts[said] += 1
        print(f"{said:<9} {times:9.1e} {suite} {name}", flush=True)
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    against = counts["off"] if chosen.verdict == "CONFORMS" else counts["same"]
    return 1 if against or not counts["off"] + counts["same"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
