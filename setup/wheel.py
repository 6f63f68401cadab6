"""Packs a portable build as a Python wheel: python3 setup/wheel.py BUILD FOLDER. The same files give the same bytes (SOURCE_DATE_EPOCH).

The build says by its programs which processor the wheel is for: this machine's, or aarch64 (cmake/Aarch64.cmake).
In it: the package of python/, the programs, the shared libraries that not every system has, the files that suites read, the licences of all that is inside,
and a bill of materials (CycloneDX). Fails where a program asks for more than glibc 2.34 or GCC 11's libstdc++, where a path of this machine is left, or beyond
30 MB.
"""

import base64
import dataclasses
import datetime
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "setup"))

import stand_in  # noqa: E402 (the path comes first)

PROGRAMS = ("cellproof", "cellproof-keeper", "cellproof-engine-reference", "cellproof-engine-cpu", "cellproof-engine-onnxruntime")
# RHEL 9's: the name that a version of symbols has -> the newest allowed.
NEWEST = {"GLIBC": (2, 34), "GLIBCXX": (3, 4, 29)}
MOST_BYTES = 30_000_000
# Every system that runs programs has these, in its own version.
OF_THE_SYSTEM = re.compile(r"(linux-vdso|ld-linux-[a-z0-9_-]+|libc|libm|libdl|libpthread|librt|libgcc_s|libstdc\+\+)\.so")
# Asked for by a library that travels, and never called.
STOOD_IN_FOR = re.compile(r"libntl\.so")
# What is compiled or linked into the programs, by its Debian package.
INSIDE = ("libprotobuf-dev", "libfmt-dev", "libsqlitecpp-dev", "nlohmann-json3-dev", "libcli11-dev", "libboost1.81-dev")
# What `cellproof` writes of itself -> where shells and man look for it, below the prefix that it is installed to. cli/CMakeLists.txt lists the same.
MANUAL = {
    ("help", "--man"): "share/man/man1/cellproof.1",
    ("completion", "bash"): "share/bash-completion/completions/cellproof",
    ("completion", "zsh"): "share/zsh/site-functions/_cellproof",
    ("completion", "fish"): "share/fish/vendor_completions.d/cellproof.fish",
}
OPENVINO = next(
    package["version"]
    for install in json.loads((ROOT / "python/cellproof/engines.json").read_text())["installs"]
    for package in install["packages"]
    if package["name"] == "openvino"
)
EXTRAS = {
    "onnxruntime": ["onnxruntime>=1.19"],
    "openvino": [f"openvino>={OPENVINO}", "ml_dtypes"],
    "bfloat16": ["ml_dtypes"],
    "backend": ["onnx>=1.16"],
    "pytest": ["pytest>=7"],
    "ray": ["ray>=2.60"],
}


@dataclasses.dataclass(frozen=True)
class Target:
    """What the programs of a build are for: a processor, and the folder that is the root of its Debian."""

    processor: str
    debian: str
    root: pathlib.Path
    strip: str
    compiler: str
    inside: tuple[str, ...]  # packages besides INSIDE; the library of a cross compiler is a package of this machine
    emulator: tuple[str, ...] = ()

    @property
    def tag(self) -> str:
        return f"py3-none-manylinux_2_34_{self.processor}"


SYSROOT = ROOT / ".deps/sysroot-arm64"
# By e_machine of an ELF file.
TARGETS = {
    62: Target("x86_64", "amd64", pathlib.Path("/"), "strip", "cc", ("libstdc++-12-dev", "libhwy-dev")),
    183: Target(
        "aarch64",
        "arm64",
        SYSROOT,
        "aarch64-linux-gnu-strip",
        "aarch64-linux-gnu-gcc",
        ("libstdc++-12-dev-arm64-cross",),
        ("qemu-aarch64-static", "-L", str(SYSROOT)),
    ),
}


def target_of(program: pathlib.Path) -> Target:
    machine = int.from_bytes(program.read_bytes()[18:20], "little")
    if machine not in TARGETS:
        raise SystemExit(f"setup/wheel.py: {program.name} is for machine {machine} of ELF, and wheels are for x86-64 and aarch64 alone")
    return TARGETS[machine]


def output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def version() -> str:
    return re.search(r"project\(cellproof VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def libraries_of(file: pathlib.Path, target: Target) -> dict[str, pathlib.Path]:
    """The shared libraries that travel, by their names, those of libraries included, but for what only one that nothing calls asks for."""
    found: dict[str, pathlib.Path] = {}
    for name in output("patchelf", "--print-needed", str(file)).split():
        if not OF_THE_SYSTEM.match(name):
            path = (target.root / f"usr/lib/{target.processor}-linux-gnu" / name).resolve(strict=True)
            found |= {name: path} | ({} if STOOD_IN_FOR.match(name) else libraries_of(path, target))
    return found


def newest(file: pathlib.Path, family: str) -> tuple[int, ...]:
    """The newest version of a family of symbols that a file asks for."""
    found = re.findall(rf"\b{family}_(\d+(?:\.\d+)+)", output("readelf", "--wide", "--version-info", str(file)))
    return max((tuple(map(int, text.split("."))) for text in found), default=())


def packages(root: pathlib.Path, *command: str) -> str:
    return output("dpkg-query", f"--admindir={root / 'var/lib/dpkg'}", *command)


def package_of(library: pathlib.Path, target: Target) -> str:
    """The Debian package that holds a library."""
    inside = "/" + str(library.relative_to(target.root))
    for path in (inside, inside.replace("/usr/lib/", "/lib/")):
        try:
            return packages(target.root, "-S", path).split(":")[0]
        except subprocess.CalledProcessError:
            pass
    raise SystemExit(f"setup/wheel.py: no package holds {library}, so its licence is unknown")


def component(package: str, inside: bool, root: pathlib.Path, architecture: str) -> dict:
    fields = packages(root, "-W", "-f=${Version}\t${source:Package}\t${source:Version}\t${Homepage}\n", package).splitlines()[0].split("\t")
    return {
        "type": "library",
        "name": package,
        "version": fields[0],
        "purl": f"pkg:deb/debian/{package}@{fields[0]}?arch={architecture}&distro=bookworm",
        "description": f"{'inside the programs' if inside else 'a shared library beside them'}; source package {fields[1]} {fields[2]}",
        "externalReferences": [{"type": "website", "url": fields[3]}] if fields[3] else [],
    }


def bill(components: list[dict], epoch: int) -> dict:
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc).isoformat(),
            "component": {"type": "application", "name": "cellproof", "version": version()},
        },
        "components": components,
    }


def metadata(licences: list[str]) -> str:
    lines = [
        "Metadata-Version: 2.4",
        "Name: cellproof",
        f"Version: {version()}",
        "Summary: Proves whether an implementation of ONNX's recurrent operators computes what the specification says",
        "Requires-Python: >=3.9",
        "Requires-Dist: numpy>=1.22",
    ]
    for extra, wanted in EXTRAS.items():
        lines += [f"Provides-Extra: {extra}"] + [f'Requires-Dist: {name}; extra == "{extra}"' for name in wanted]
    return "\n".join(lines + [f"License-File: {name}" for name in licences]) + "\n"


def write_manual(program: list[str], prefix: pathlib.Path) -> None:
    for command, place in MANUAL.items():
        (prefix / place).parent.mkdir(parents=True)
        (prefix / place).write_text(output(*program, *command))


def stage(build: pathlib.Path, target: Target, folder: pathlib.Path) -> None:
    """Puts all files of the wheel where they will be."""
    package, info = folder / "cellproof", folder / f"cellproof-{version()}.dist-info"
    shutil.copytree(ROOT / "python/cellproof", package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "bin").mkdir()
    (package / "lib").mkdir()
    libraries: dict[str, pathlib.Path] = {}
    for name in PROGRAMS:
        libraries |= libraries_of(build / "bin" / name, target)
        shutil.copy(build / "bin" / name, package / "bin" / name)
        subprocess.run([target.strip, package / "bin" / name], check=True)
        subprocess.run(["patchelf", "--set-rpath", "$ORIGIN/../lib", package / "bin" / name], check=True)
    stood_in_for = {name: libraries.pop(name) for name in list(libraries) if STOOD_IN_FOR.match(name)}
    for name, path in libraries.items():
        shutil.copyfile(path, package / "lib" / name)
        subprocess.run(["patchelf", "--set-rpath", "$ORIGIN", package / "lib" / name], check=True)
    for name, path in stood_in_for.items():
        stand_in.write(path, list(libraries.values()), target.compiler, package / "lib" / name)
    write_manual([*target.emulator, str(build / "bin/cellproof")], folder / f"cellproof-{version()}.data/data")
    # Without .stamp, which is for set-up alone.
    shutil.copytree(ROOT / ".deps/backend-tests", package / "root/.deps/backend-tests", ignore=shutil.ignore_patterns(".stamp"))
    for data in ("corpus/regressions", "corpus/vectors"):
        shutil.copytree(ROOT / data, package / "root" / data)
    info.mkdir()
    write_info(info, target, {package_of(path, target) for path in libraries.values()})


def write_info(info: pathlib.Path, target: Target, beside: set[str]) -> None:
    """The licences of all that is inside, the bill of materials, and what pip reads. `beside` are the packages of the shared libraries."""
    components = []
    for name in sorted({*beside, *INSIDE, *target.inside}):
        root, architecture = (pathlib.Path("/"), "all") if name.endswith("-cross") else (target.root, target.debian)
        licence = info / "licenses" / name / "copyright"
        licence.parent.mkdir(parents=True)
        shutil.copyfile(root / f"usr/share/doc/{name}/copyright", licence)
        components.append(component(name, name not in beside, root, architecture))
    shutil.copyfile(ROOT / "LICENSE", info / "licenses/LICENSE")
    onnx = next((ROOT / ".deps").glob("onnx-reference-*/lib/python3*/site-packages/onnx-*.dist-info/licenses/LICENSE"))
    (info / "licenses/onnx").mkdir()
    shutil.copyfile(onnx, info / "licenses/onnx/LICENSE")  # its messages are compiled in, its node tests are among the files
    pin = re.search(r"^onnx==(\S+)", (ROOT / "setup/onnx-reference.lock").read_text(), re.MULTILINE).group(1)
    components.append({"type": "library", "name": "onnx", "version": pin, "purl": f"pkg:pypi/onnx@{pin}"})
    (info / "sboms").mkdir()
    (info / "sboms/cellproof.cdx.json").write_text(json.dumps(bill(components, epoch()), indent=1) + "\n")
    licences = sorted(str(p.relative_to(info / "licenses")) for p in (info / "licenses").rglob("*") if p.is_file())
    (info / "METADATA").write_text(metadata(licences))
    (info / "WHEEL").write_text(f"Wheel-Version: 1.0\nGenerator: setup/wheel.py\nRoot-Is-Purelib: false\nTag: {target.tag}\n")
    (info / "entry_points.txt").write_text("[console_scripts]\ncellproof = cellproof._launcher:main\n\n[pytest11]\ncellproof = cellproof._pytest\n")


def epoch() -> int:
    return int(os.environ.get("SOURCE_DATE_EPOCH", "0"))


def check(folder: pathlib.Path) -> None:
    """Ends the program where a file would not run elsewhere."""
    for file in sorted([*(folder / "cellproof/bin").iterdir(), *(folder / "cellproof/lib").iterdir()]):
        for family, allowed in NEWEST.items():
            needs = newest(file, family)
            if needs > allowed:
                asked, most = (".".join(map(str, version)) for version in (needs, allowed))
                raise SystemExit(f"setup/wheel.py: {file.name} asks for {family}_{asked}, and {most} is the newest allowed")
        if str(ROOT).encode() + b"/" in file.read_bytes():
            raise SystemExit(f"setup/wheel.py: {file.name} holds the path {ROOT}")


def write(folder: pathlib.Path, wheel: pathlib.Path) -> None:
    """The archive: entries in order, one time, no owner."""
    when = datetime.datetime.fromtimestamp(max(epoch(), 315532800), datetime.timezone.utc).timetuple()[:6]  # zip begins in 1980
    record = []
    record_name = f"cellproof-{version()}.dist-info/RECORD"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:

        def add(name: str, data: bytes, mode: int) -> None:
            entry = zipfile.ZipInfo(name, when)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = (0o100000 | mode) << 16
            archive.writestr(entry, data)

        for file in sorted(p for p in folder.rglob("*") if p.is_file()):
            name, data = str(file.relative_to(folder)), file.read_bytes()
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(data)}")
            add(name, data, 0o755 if file.parent.name == "bin" else 0o644)
        add(record_name, "\n".join([*record, f"{record_name},,"]).encode() + b"\n", 0o644)


def main(arguments: list[str]) -> int:
    if arguments == ["--programs"]:
        print("\n".join(PROGRAMS))
        return 0
    if len(arguments) != 2:
        print("usage: setup/wheel.py BUILD FOLDER", file=sys.stderr)
        return 2
    build, out = pathlib.Path(arguments[0]), pathlib.Path(arguments[1])
    out.mkdir(parents=True, exist_ok=True)
    target = target_of(build / "bin" / PROGRAMS[0])
    wheel = out / f"cellproof-{version()}-{target.tag}.whl"
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        stage(build, target, folder)
        check(folder)
        write(folder, wheel)
    size = wheel.stat().st_size
    if size > MOST_BYTES:
        wheel.unlink()
        raise SystemExit(f"setup/wheel.py: the wheel has {size} bytes, and {MOST_BYTES} is the most")
    print(f"{wheel} {size} bytes, sha256 {hashlib.sha256(wheel.read_bytes()).hexdigest()}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
