"""Follows docs/how-to/check-an-exporter.md with a real framework: PYTHON lab/exporters/walk_through.py FRAMEWORK FOLDER --cellproof PROGRAM

FRAMEWORK is a heading of that page: Keras, Paddle or torch; PYTHON has it, its exporter, numpy and onnx. The page's own code exports a layer and saves what it computed; the
program must find that right. Then the layer is run in another way than the file says, and the program must say which.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/how-to/check-an-exporter.md"
# What is run otherwise behind the page's code, and what must be said of it.
OTHERWISE = {
    "Keras": (
        "save([x], [np.flip(keras.ops.convert_to_numpy(model(np.ascontiguousarray(x[:, ::-1]))), 1)])",
        "with direction=reverse",
    ),
    "Paddle": (
        "y, _ = layer(paddle.to_tensor(x), sequence_length=paddle.to_tensor([9, 5, 2]))\nsave([x], [y.numpy()])",
        "with sequence_lens 9,5,2",
    ),
    "torch": (
        "layer.bias_hh_l1.data.zero_()\nlayer.bias_hh_l1_reverse.data.zero_()\nsave([x.numpy()], [layer(x)[0].detach().numpy()])",
        "rb-ignored",
    ),
}


def code_of(heading):
    """The Python of the page's first chapter and of that under the heading."""
    chapters = re.split(r"^## ", PAGE.read_text(), flags=re.MULTILINE)
    wanted = [chapter for chapter in chapters if chapter.splitlines()[0] in ("Lay out the folder", heading)]
    if len(wanted) != 2:
        sys.exit(f"{PAGE}: no chapter '{heading}', expected Keras, Paddle or torch")
    return "\n".join(block for chapter in wanted for block in re.findall(r"^```python\n(.*?)^```", chapter, re.MULTILINE | re.DOTALL))


def check(program):
    done = subprocess.run([program, "check", "layer"], capture_output=True, text=True, check=False)
    said = done.stdout.strip() + done.stderr.strip()
    print(f"exit code {done.returncode}\n{said}\n", flush=True)
    return done.returncode, said


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("framework")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--cellproof", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    code, program = code_of(arguments.framework), arguments.cellproof.resolve()
    if arguments.folder.exists():
        sys.exit(f"{arguments.folder}: is there already, expected a new folder")
    arguments.folder.mkdir(parents=True)
    os.chdir(arguments.folder)
    names = {}
    try:
        exec(code, names)
    except ImportError as error:
        sys.exit(f"{arguments.framework}: {error} (in {sys.executable})")
    is_right = check(program)[0] == 0
    otherwise, expected = OTHERWISE[arguments.framework]
    exec(otherwise, names)
    exit_code, said = check(program)
    is_named = exit_code == 1 and expected in said
    print(f"{arguments.framework}: as exported {'right' if is_right else 'NOT RIGHT'}; run otherwise {'named' if is_named else 'NOT NAMED'} ({expected})")
    return 0 if is_right and is_named else 1


if __name__ == "__main__":
    sys.exit(main())
