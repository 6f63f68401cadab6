"""One row of the GPU benchmark in PyTorch: torch_row.py CELL ELEMENT T N H ragged|full

Prints {"version", "seconds": [median of each round]}, timed by the device's events after a warm-up. What PyTorch cannot compute, and
where there is no PyTorch with a device, ends with exit code 77 and one line that says so.
"""

import json
import sys

ROUNDS = 7
SECONDS_OF_A_ROUND = 0.03


def absent(why):
    print(why, file=sys.stderr)
    sys.exit(77)


def lengths_of(steps, batch):
    """As grid.cpp's Row::lengths."""
    if batch == 1:
        return [(steps + 1) // 2]
    return [1 + n * 7 % batch * (steps - 1) // (batch - 1) for n in range(batch)]


def main():
    if len(sys.argv) != 7:
        sys.exit(f"{__doc__}")
    cell, element, steps, batch, hidden = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6])
    if cell == "gru-before":
        absent("PyTorch's GRU applies the reset gate after the product only")
    try:
        import torch
    except ImportError as error:
        absent(f"no PyTorch: {error}")
    if not torch.cuda.is_available():
        absent("PyTorch sees no CUDA device")
    # As the other subjects: no TF32.
    torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = False
    kind = {"lstm": torch.nn.LSTM, "gru-after": torch.nn.GRU, "rnn": torch.nn.RNN}[cell]
    dtype = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}[element]
    layer = kind(hidden, hidden).to("cuda", dtype).eval()
    x = torch.rand(steps, batch, hidden, device="cuda").mul_(2).sub_(1).to(dtype)
    if sys.argv[6] == "ragged":
        x = torch.nn.utils.rnn.pack_padded_sequence(x, lengths_of(steps, batch), enforce_sorted=False)

    def seconds_of(calls):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for _ in range(calls):
            layer(x)
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) * 1e-3 / calls

    with torch.inference_mode():
        seconds_of(4)
        calls = int(SECONDS_OF_A_ROUND / max(seconds_of(1), 1e-7)) + 1
        seconds = [seconds_of(calls) for _ in range(ROUNDS)]
    name = torch.cuda.get_device_name()
    print(json.dumps({"version": f"PyTorch {torch.__version__}, cuDNN {torch.backends.cudnn.version()}, {name}", "seconds": seconds}))


if __name__ == "__main__":
    main()
