"""`cellproof install`: with the real pip, a wheel of this file's making, and no network; and the list that it reads."""

import base64
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import types
import zipfile

import pytest

from cellproof import _install, _pins, _program

SETUP = pathlib.Path(__file__).resolve().parents[2] / "setup"
sys.path.insert(0, str(SETUP))
import engine_pins


def make_wheel(folder: pathlib.Path, name: str, version: str) -> str:
    """A wheel with one module; its SHA-256."""
    info = f"{name}-{version}.dist-info"
    files = {
        f"{name}.py": f"version = '{version}'\n",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nRequires-Dist: nobody-has-this\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    digests = {path: base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode() for path, text in files.items()}
    files[f"{info}/RECORD"] = "".join(f"{path},sha256={digest},\n" for path, digest in digests.items()) + f"{info}/RECORD,,\n"
    wheel = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    return hashlib.sha256(wheel.read_bytes()).hexdigest()


@pytest.fixture
def registry(tmp_path, monkeypatch):
    """An engine `toy` whose wheel lies in a folder."""
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    digest = make_wheel(wheels, "toy", "1.5")

    def write(**changes):
        package = {"name": "toy", "version": "1.5", "sha256": [digest], **changes}
        pins = {
            "installs": [{"name": "toy", "packages": [package], "beside": []}],
            "engines": [
                {"name": name, "install": "toy", "what": "Toy {toy}", "command": ["{folder}/bin/python", "-c", "raise SystemExit(77)"]}
                for name in ("toy", "toy@other")
            ],
        }
        (tmp_path / "pins.json").write_text(json.dumps(pins))

    write()
    monkeypatch.setenv("CELLPROOF_ENGINE_PINS", str(tmp_path / "pins.json"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))
    return write


def contents(tmp_path):
    return sorted(path.name for path in (tmp_path / "data/cellproof/engines").glob("*"))


def test_installs_into_the_users_folder_once(tmp_path, registry, capsys):
    assert _install.main(["toy", "toy@other"]) == 0
    folder = tmp_path / "data/cellproof/engines/toy-1.5"
    assert capsys.readouterr().out == f"toy 1.5 is installed: {folder}\n"
    assert contents(tmp_path) == ["toy-1.5"]
    assert (folder / "site/toy.py").read_text() == "version = '1.5'\n"
    done = subprocess.run([folder / "bin/python", "-c", "import toy; print(toy.version)"], capture_output=True, text=True, check=True)
    assert done.stdout == "1.5\n"
    before = (folder / "site/toy.py").stat().st_mtime_ns
    assert _install.main(["toy@other"]) == 0 and (folder / "site/toy.py").stat().st_mtime_ns == before
    assert "installing" not in capsys.readouterr().err


def test_what_cannot_be_had_leaves_nothing(tmp_path, registry, capsys):
    registry(sha256=["0" * 64])
    assert _install.main(["toy"]) == 2
    message = capsys.readouterr().err.splitlines()[-1]
    assert message.startswith("cellproof: fetching toy 1.5 failed: "), message
    assert contents(tmp_path) == []


def test_says_why_a_command_failed():
    with pytest.raises(_install.Failed, match="^fetching toy failed: ERROR: No matching distribution$"):
        _install._run("fetching toy", [sys.executable, "-c", "import sys; print('note'); sys.exit('ERROR: No matching distribution')"])
    with pytest.raises(_install.Failed, match="^fetching toy failed: exit code 3$"):
        _install._run("fetching toy", [sys.executable, "-c", "raise SystemExit(3)"])


def test_says_that_the_index_cannot_be_reached(registry, capsys, monkeypatch):
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.delenv("PIP_FIND_LINKS")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")  # nothing listens there
    monkeypatch.setenv("PIP_RETRIES", "1")
    assert _install.main(["toy"]) == 2
    assert capsys.readouterr().err.splitlines()[-1].endswith("; the package index cannot be reached: [Errno 111] Connection refused")


def test_says_that_the_disk_is_full(tmp_path, registry, capsys, monkeypatch):
    monkeypatch.setattr(_install.shutil, "disk_usage", lambda _: types.SimpleNamespace(free=5_000_000))
    monkeypatch.setattr(_install.sys, "executable", "/bin/false")
    assert _install.main(["toy"]) == 2
    engines = tmp_path / "data/cellproof/engines"
    assert capsys.readouterr().err.splitlines()[-1].endswith(f"failed: exit code 1; the disk of {engines} has 5 MB left")
    assert contents(tmp_path) == []


def test_names_what_can_be_installed(tmp_path, registry, capsys):
    assert _install.main(["toy", "tory"]) == 2
    assert "'tory' is no engine that can be installed: expected one of toy, toy@other" in capsys.readouterr().err
    assert not (tmp_path / "data").exists(), "all names are looked at first"


def test_the_program_says_how_to_install(tmp_path, registry):
    def run(*words):
        return subprocess.run([_program.program_path(), *words], capture_output=True, text=True, check=False)

    command = ("run", "--suite", "onnx-backend", "--engine", "toy@other", "-o", str(tmp_path / "report"))
    done = run(*command)
    assert done.returncode == 77
    assert done.stderr == "toy@other: absent: toy 1.5 is not installed: `cellproof install toy`\n"
    assert "absent: toy 1.5 is not installed: `cellproof install toy`" in run("list", "engines").stdout
    assert not (tmp_path / "data").exists(), "nothing is installed on its own"
    folder = tmp_path / "data/cellproof/engines/toy-1.5/bin"
    folder.mkdir(parents=True)
    (folder / "python").symlink_to(sys.executable)
    done = run(*command)
    assert done.returncode == 77 and "is not installed" not in done.stderr, "its worker has been started"


def test_the_program_hands_install_on(tmp_path, registry, monkeypatch):
    monkeypatch.setenv("CELLPROOF_ENGINE_PYTHON", sys.executable)
    done = subprocess.run([_program.program_path(), "install", "tory"], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert "'tory' is no engine" in done.stderr


def test_the_list_is_whole():
    pins = _pins.Pins(_pins.FILE)
    assert pins.names() == ["openvino", "openvino@bf16", "tract", "onnxruntime-ggml", "onnxruntime-qnn"]
    for name in pins.names():
        for package in pins.install_of(name).packages:
            assert re.fullmatch(r"\d+(\.\d+)+", package["version"])
            assert package["sha256"] and all(re.fullmatch("[0-9a-f]{64}", digest) for digest in package["sha256"])
    assert pins.install_of("nobody") is None
    for row in pins.data["engines"]:
        for word in row["command"]:
            if word.startswith("{package}/"):
                assert (_pins.FILE.parent / word[len("{package}/") :]).exists(), word


def test_pins_come_from_what_uv_has_resolved():
    lock = "numpy==2.4.6 \\\n    --hash=sha256:" + "c" * 64 + "\ntoy==1.6 \\\n    --hash=sha256:" + "b" * 64 + " \\\n    --hash=sha256:" + "a" * 64 + "\n"
    assert engine_pins.packages_in(lock, ["toy"]) == [{"name": "toy", "version": "1.6", "sha256": ["a" * 64, "b" * 64]}]
    with pytest.raises(SystemExit, match="other is not in what uv has resolved"):
        engine_pins.packages_in(lock, ["other"])


def test_pins_judge_old_and_new_side_by_side(tmp_path, registry, monkeypatch):
    """Fakes for the registry and the program; the order of what is asked of them."""
    asked = []
    monkeypatch.setattr(_pins, "FILE", tmp_path / "pins.json")
    monkeypatch.setattr(engine_pins, "OUTPUT", tmp_path / "out")
    monkeypatch.setattr(engine_pins, "resolved", lambda install: [{"name": "toy", "version": "1.6", "sha256": ["a" * 64]}])
    monkeypatch.setattr(_install, "put", lambda install: asked.append(("install", install.version)) or "")
    monkeypatch.setattr(engine_pins, "judged", lambda engine, pins, folder: asked.append(("run", engine, folder.name)) or 1)
    monkeypatch.setattr(subprocess, "run", lambda command, **_: asked.append(("report", *[pathlib.Path(word).parent.name for word in command[2:5:2]])))
    assert engine_pins.main(["toy"]) == 0
    assert asked == [
        ("install", "1.5"),
        ("install", "1.6"),
        ("run", "toy", "toy-1.5"),
        ("run", "toy", "toy-1.6"),
        ("report", "toy-1.6", "toy-1.5"),
        ("run", "toy@other", "toy@other-1.5"),
        ("run", "toy@other", "toy@other-1.6"),
        ("report", "toy@other-1.6", "toy@other-1.5"),
    ]
    assert _pins.Pins(tmp_path / "pins.json").installs["toy"].version == "1.6"
    assert _pins.Pins(tmp_path / "out/old.json").installs["toy"].version == "1.5"
    asked.clear()
    assert engine_pins.main([]) == 0 and asked == [], "nothing new, nothing to judge"


def test_a_wheels_program_is_told_of_runtimes_beside_it(tmp_path, monkeypatch):
    package, site = tmp_path / "cellproof", tmp_path / "site"
    (package / "bin").mkdir(parents=True)
    (package / "bin/cellproof").touch()
    monkeypatch.setattr(_program, "_HERE", package)
    monkeypatch.delenv("CELLPROOF_BESIDE", raising=False)
    monkeypatch.setenv("CELLPROOF_ENGINE_PYTHON", "/some/python")
    assert _program.environment()["CELLPROOF_BESIDE"] == ""
    (site / "tract").mkdir(parents=True)
    (site / "tract/__init__.py").touch()
    (site / "tract-1.2.dist-info").mkdir()
    (site / "tract-1.2.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: tract\nVersion: 1.2\n")
    monkeypatch.syspath_prepend(site)
    known = _program.environment()
    assert known["CELLPROOF_BESIDE"] == "tract=1.2" and known["CELLPROOF_ENGINE_PYTHON"] == "/some/python"
    assert known["CELLPROOF_PYTHON_PACKAGE"] == str(package)
