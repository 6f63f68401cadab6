"""What a runtime makes of the models of models.py, by its own interface: python compare.py RUNTIME FOLDER. Needs the runtime; knows nothing of Cellproof.

RUNTIME: openvino, openvino@bf16, tract, onnxruntime, onnxruntime-ggml or onnxruntime-qnn. Prints for each model the largest distance of any output from what is
right, and from the node without its attributes and P. Each runs in a process of its own.
"""

import os
import pathlib
import sys

import numpy as np

PLUG_INS = {
    "onnxruntime-ggml": ("onnxruntime_ggml", "ggml", "library_path", {"device": "cpu"}),
    "onnxruntime-qnn": ("onnxruntime_qnn", "QNNExecutionProvider", "get_library_path", {"backend_type": "htp", "soc_model": "57", "htp_arch": "75"}),
}


def openvino(precision):
    import openvino

    core = openvino.Core()
    options = {"INFERENCE_PRECISION_HINT": "f32"} if precision == "f32" else {}

    def run(model, feeds):
        compiled = core.compile_model(core.read_model(model), "CPU", options)
        results = compiled(feeds)
        return [results[k] for k in range(len(compiled.outputs))]

    return run


def tract():
    os.environ["RUST_BACKTRACE"] = os.environ["RUST_LIB_BACKTRACE"] = "0"
    import tract

    onnx = tract.onnx()
    return lambda model, feeds: [output.to_numpy() for output in onnx.load(model).into_model().into_runnable().run(list(feeds.values()))]


def onnxruntime(plug_in=None):
    import importlib

    import onnxruntime

    onnxruntime.set_default_logger_severity(4)
    if plug_in is None:
        return lambda model, feeds: onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"]).run(None, feeds)
    module, name, library, options = PLUG_INS[plug_in]
    onnxruntime.register_execution_provider_library(name, getattr(importlib.import_module(module), library)())
    devices = [device for device in onnxruntime.get_ep_devices() if device.ep_name == name][:1]

    def run(model, feeds):
        settings = onnxruntime.SessionOptions()
        settings.add_provider_for_devices(devices, options)
        settings.add_session_config_entry("session.disable_cpu_ep_fallback", "1")
        return onnxruntime.InferenceSession(model, settings).run(None, feeds)

    return run


def runner(runtime):
    if runtime.startswith("openvino"):
        return openvino("bf16" if runtime.endswith("@bf16") else "f32")
    return tract() if runtime == "tract" else onnxruntime(runtime if runtime in PLUG_INS else None)


def distance(outputs, data, prefix):
    """The largest one of any output; "shape" where one differs."""
    right = [data[key] for key in data if key.startswith(prefix)]
    if [np.shape(output) for output in outputs] != [value.shape for value in right]:
        return "shape"
    return f"{max((np.abs(output - value).max(initial=0) for output, value in zip(outputs, right)), default=0):.1e}"


def row(run, model):
    data = np.load(model.with_suffix(".npz"))
    try:
        outputs = run(str(model), {"X": data["X"]})
    except Exception as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        return f"refused: {lines[-1 if 'Check' in lines[0] else 0][:100]}" if lines else f"refused: {type(error).__name__}"
    return f"{distance(outputs, data, 'right_'):>8} from right {distance(outputs, data, 'plain_'):>8} from plain"


def main(runtime, folder):
    for model in sorted(pathlib.Path(folder).glob("*.onnx")):
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            print(f"{model.stem:<16} {row(runner(runtime), model)}", flush=True)
            os._exit(0)
        status = os.waitpid(child, 0)[1]
        if status:
            print(f"{model.stem:<16} dies of signal {os.WTERMSIG(status)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
