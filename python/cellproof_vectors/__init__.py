"""Vectors of ONNX's recurrent operators: `check(backend)` judges any ONNX Backend by them. No tolerance to choose.

from cellproof_vectors import check
print(check(onnxruntime.backend))
"""

from __future__ import annotations

import gzip
import json
import os
import pathlib
from typing import Any, Dict, Iterator, List, NamedTuple, Optional

from cellproof_vectors._judge import array, judge, load

__all__ = ["Report", "Result", "check", "model_of", "vectors"]

IR_OF_INITIALIZERS = 4  # before that, each had to be a graph input, too
RIGHT, WRONG, REFUSED, CRASHED = "right", "wrong", "refused", "crashed"


class Result(NamedTuple):
    """One vector in one version of its operator."""

    name: str
    version: int
    verdict: str  # right, wrong, refused or crashed
    text: str  # what is wrong, or what the backend said

    @property
    def failed(self) -> bool:
        return self.verdict in (WRONG, CRASHED)

    def __str__(self) -> str:
        return f"{self.name} in opset {self.version}: {self.verdict}{': ' if self.text else ''}{self.text}"


class Report(List[Result]):
    """All results, in order."""

    def of(self, verdict: str) -> List[Result]:
        return [each for each in self if each.verdict == verdict]

    def __str__(self) -> str:
        counts = ", ".join(f"{len(self.of(verdict))} {verdict}" for verdict in (RIGHT, WRONG, REFUSED, CRASHED))
        return "\n".join([*(str(each) for each in self if each.failed), counts])


def vectors(path: Optional[str] = None) -> Dict[str, Any]:
    """The set: of a file, of that which CELLPROOF_VECTORS names, or of this package. Raises ValueError where it is damaged, or of another format."""
    name = path or os.environ.get("CELLPROOF_VECTORS") or str(pathlib.Path(__file__).with_name("vectors.json.gz"))
    try:
        data = pathlib.Path(name).read_bytes()
        return load((gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode(), name)
    except (OSError, EOFError) as error:
        raise ValueError(f"{name}: {error}") from None


def _tensor(each: Dict[str, Any]) -> Any:
    from onnx import TensorProto, helper

    types = {"float": TensorProto.FLOAT, "double": TensorProto.DOUBLE, "float16": TensorProto.FLOAT16, "bfloat16": TensorProto.BFLOAT16}
    types.update({"int8": TensorProto.INT8, "uint8": TensorProto.UINT8, "int32": TensorProto.INT32})
    return helper.make_tensor(each["name"], types[each["type"]], each["shape"], array(each["bits"], each["type"], each["shape"]).tobytes(), raw=True)


def _attribute(name: str, each: Dict[str, Any]) -> Any:
    from onnx import AttributeProto, helper

    value = each.get("value")
    if "bits" in each:
        floats = [float(x) for x in array(each["bits"], "float", [-1])]
        value = floats if each["type"] == "floats" else floats[0]
    return helper.make_attribute(name, value, attr_type=getattr(AttributeProto, each["type"].upper()))


def model_of(vector: Dict[str, Any], version: int) -> Any:
    """A model of one node, in the opset in which the version came."""
    from onnx import helper

    given = [each for each in vector["inputs"] if each["name"]]
    tensors = {each["name"]: _tensor(each) for each in given}
    node = helper.make_node(vector["operator"], [each["name"] for each in vector["inputs"]], vector["outputs"], domain=vector["domain"])
    node.attribute.extend(_attribute(name, each) for name, each in vector["attributes"].items())
    first = vector["ways"][0]["outputs"]

    def declared(name: str, kind: int, shape: List[int]) -> Any:
        return helper.make_tensor_value_info(name, kind, [f"{name}_{k}" for k in range(len(shape))] if vector["symbolic"] else shape)

    fed = [declared(e["name"], tensors[e["name"]].data_type, e["shape"]) for e in given if not e["initializer"]]
    got = [declared(name, tensors["X"].data_type, first[name]["shape"]) for name in vector["outputs"] if name]
    graph = helper.make_graph([node], vector["name"], fed, got, [tensors[e["name"]] for e in given if e["initializer"]])
    opsets = [helper.make_opsetid("", version if not vector["domain"] else 14)]
    if vector["domain"]:
        opsets.append(helper.make_opsetid(vector["domain"], version))
    return helper.make_model(graph, opset_imports=opsets, ir_version=max(IR_OF_INITIALIZERS, helper.find_min_ir_version_for(opsets, ignore_unknown=True)))


def result_of(backend: Any, vector: Dict[str, Any], version: int, device: str = "CPU") -> Result:
    """Runs one vector, in a process of its own where the system can: a runtime's crash then ends that alone."""
    if not hasattr(os, "fork"):
        return _result_here(backend, vector, version, device)
    ours, its = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(its, json.dumps(_result_here(backend, vector, version, device)).encode())
        finally:
            os._exit(0)
    os.close(its)
    with os.fdopen(ours, "rb") as pipe:
        said = pipe.read()
    _, status = os.waitpid(child, 0)
    if said:
        return Result(*json.loads(said))
    return Result(vector["name"], version, CRASHED, f"the backend ended the process (status {status})")


def _result_here(backend: Any, vector: Dict[str, Any], version: int, device: str) -> Result:
    from onnx import numpy_helper

    names = [name for name in vector["outputs"] if name]
    inputs = [numpy_helper.to_array(_tensor(each)) for each in vector["inputs"] if each["name"] and not each["initializer"]]
    said = []
    try:
        prepared = backend.prepare(model_of(vector, version), device)
        for _ in range(2):  # what is kept from a call may spoil the next
            said.append(judge(vector, dict(zip(names, prepared.run(inputs)))))
    except Exception as error:  # runtimes raise types of their own; a refusal is none of our business
        return Result(vector["name"], version, REFUSED, " ".join(str(error).split())[:200])
    wrong = next(filter(None, said), "")
    return Result(vector["name"], version, WRONG if wrong else RIGHT, wrong)


def results(backend: Any, found: Dict[str, Any], device: str = "CPU") -> Iterator[Result]:
    """Each vector in each version it holds for."""
    for vector in found["vectors"]:
        for version in vector["versions"]:
            yield result_of(backend, vector, version, device)


def check(backend: Any, device: str = "CPU", path: Optional[str] = None) -> Report:
    """Runs every vector, in every version it holds for, through `backend.prepare(model, device).run(inputs)`, twice each."""
    return Report(results(backend, vectors(path), device))
