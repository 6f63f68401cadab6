"""What installed engines' messages are taken for: a lack of the engine, or a judgement on the model. The messages are theirs."""

import numpy as np
import pytest

import cellproof
from cellproof._engines import openvino_worker, tract_worker

CONVERSION = """Exception from src/inference/src/cpp/core.cpp:97:
Check 'false' failed at src/frontends/common/src/unconverted_ops_report.cpp:230:
FrontEnd API failed with OpConversionFailure:
Model wasn't fully converted. Failed operations detailed log:
-- {op} with a message:
{message}
Summary:
-- Conversion is failed for: {op}
"""


def converting(op, message):
    return CONVERSION.format(op=op, message=message)


OPENVINO = [
    (converting("com.microsoft.DynamicQuantizeLSTM", "DynamicQuantizeLSTM peephole input 'P' is not supported."), True),
    ("CALLBACK HAS THROWN: Exception from src/common/transformations/src/transformations/utils/utils.cpp:131:\nUnsupported activation function\n", True),
    ("-> (f32[1,1,1,1]) CALLBACK HAS THROWN: Unknown activation function: thresholdedrelu\n", True),
    ("OpenVINO does not support the following ONNX operations: Recurrence\nTo facilitate the conversion of unsupported operations, refer to the documentation", True),
    ("-> (f32[1,1,1,1]) CALLBACK HAS THROWN: Unknown activation function: sigmund\n", False),
    ("Reorder node with name 'Broadcast_59' could not create reorder primitive: unsupported reorder case.", False),
    (converting("LSTM-14", "Second dimension of W input shape is required to be compatible with 20. Got shape: 24."), False),
    (converting("GRU-14", '"backward" is not a member of enum ov::op::RecurrentSequenceDirection'), False),
    (converting("LSTM-14", "Element not supported"), False),
]
TRACT = [
    ('Failed analyse for node #5 "DynamicQuantizeLSTM" Unimplemented(DynamicQuantizeLSTM)\n\nCaused by:\n    Wrong number of outputs. Op says 1, node says 3.', True),
    ('Translating node #4 "RNN" RNN ToTypedTranslator\n\nCaused by:\n    Non constant seq_len is not supported', True),
    ("Unknown DatumType Bfloat16", True),
    ('Failed analyse for node #3 "LSTM" LSTM\n\nCaused by:\n    0: Infering facts\n    1: Impossible to unify Val(20) with Val(24).', False),
    ("Building node LSTM: a clip of -1 is not supported", False),
    ("Evaluating: Unsupported stride: this is a fault", False),
]


@pytest.mark.parametrize("module, message, is_gap", [(openvino_worker, *row) for row in OPENVINO] + [(tract_worker, *row) for row in TRACT])
def test_a_lack_is_told_from_a_judgement(module, message, is_gap):
    refusal = module.refusal(RuntimeError(message))
    assert isinstance(refusal, cellproof.NotSupported) == is_gap
    assert str(refusal) and "\n" not in str(refusal)


def test_openvino_is_quoted_without_what_differs_from_case_to_case():
    message = "[ConvertLSTMSequenceToTensorIterator] END: node: opset5::LSTMSequence LSTMSequence_55 (opset1::Parameter X[0]:f32[1,1,1]) -> (f32[1,1,1,1]) CALLBACK HAS THROWN: Unknown activation function: elu"
    assert str(openvino_worker.refusal(RuntimeError(message))) == "[ConvertLSTMSequenceToTensorIterator] of opset5::LSTMSequence: Unknown activation function: elu"
    assert str(openvino_worker.refusal(RuntimeError(converting("LSTM-14", "Element not supported")))) == "Element not supported"


def test_bfloat16_keeps_its_bits():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    as_given = np.array([1.5], ml_dtypes.bfloat16).view(np.float16)
    assert openvino_worker.of_its_type(as_given, "bf16").astype(np.float32) == 1.5
    assert openvino_worker.of_its_type(as_given, "f16") is as_given
