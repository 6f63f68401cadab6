"""What setup/wheel.py promises of an archive; the whole wheel is made by setup/wheel.sh, which builds everything once more."""

import base64
import ctypes
import fnmatch
import hashlib
import importlib.util
import os
import pathlib
import re
import shutil
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
_spec = importlib.util.spec_from_file_location("wheel", ROOT / "setup/wheel.py")
wheel = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(wheel)


class Wheel(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name) / "staged"
        for name in ("bin", "lib"):
            (self.folder / "cellproof" / name).mkdir(parents=True)
        shutil.copy("/bin/ls", self.folder / "cellproof/bin/cellproof")
        (self.folder / "cellproof/b.py").write_text("b")
        (self.folder / "cellproof/a.py").write_text("a")
        self.archive = pathlib.Path(holder.name) / "some.whl"

    def written(self) -> bytes:
        wheel.write(self.folder, self.archive)
        return self.archive.read_bytes()

    def test_the_same_files_give_the_same_bytes(self):
        first = self.written()
        for file in self.folder.rglob("*"):
            os.utime(file, (0, 0))
        self.assertEqual(self.written(), first)
        (self.folder / "cellproof/a.py").write_text("c")
        self.assertNotEqual(self.written(), first)

    def test_the_record_names_every_file_and_programs_may_run(self):
        self.written()
        with zipfile.ZipFile(self.archive) as archive:
            names = archive.namelist()
            rows = [row.split(",") for row in archive.read(names[-1]).decode().splitlines()]
            self.assertEqual([row[0] for row in rows], names)
            for name, digest, size in rows[:-1]:
                data = archive.read(name)
                self.assertEqual(digest, "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode())
                self.assertEqual(int(size), len(data))
            self.assertEqual(archive.getinfo("cellproof/bin/cellproof").external_attr >> 16, 0o100755)
            self.assertEqual(archive.getinfo("cellproof/a.py").external_attr >> 16, 0o100644)

    def test_what_would_not_run_elsewhere_is_refused(self):
        newest = wheel.newest(self.folder / "cellproof/bin/cellproof", "GLIBC")
        self.assertEqual(wheel.newest(self.folder / "cellproof/bin/cellproof", "GLIBCXX"), ())
        self.addCleanup(setattr, wheel, "NEWEST", wheel.NEWEST)
        wheel.NEWEST = {"GLIBC": newest}
        wheel.check(self.folder)
        wheel.NEWEST = {"GLIBC": (newest[0], newest[1] - 1)}
        with self.assertRaisesRegex(SystemExit, "cellproof asks for GLIBC_"):
            wheel.check(self.folder)
        wheel.NEWEST = {"GLIBC": newest}
        with (self.folder / "cellproof/bin/cellproof").open("ab") as program:
            program.write(f"{ROOT}/engines".encode())
        with self.assertRaisesRegex(SystemExit, "holds the path"):
            wheel.check(self.folder)

    def test_the_programs_say_which_processor_the_wheel_is_for(self):
        program = self.folder / "cellproof/bin/cellproof"
        self.assertEqual(wheel.target_of(program).tag, "py3-none-manylinux_2_34_x86_64")
        image = bytearray(program.read_bytes())
        image[18] = 183
        program.write_bytes(image)
        self.assertEqual(wheel.target_of(program).tag, "py3-none-manylinux_2_34_aarch64")
        image[18] = 40
        program.write_bytes(image)
        with self.assertRaisesRegex(SystemExit, "for machine 40 of ELF"):
            wheel.target_of(program)

    def test_libraries_travel_with_their_own_and_by_their_package(self):
        target = wheel.target_of(pathlib.Path("/bin/ls"))
        libraries = wheel.libraries_of(pathlib.Path("/bin/ls"), target)
        self.assertEqual(sorted(libraries), ["libpcre2-8.so.0", "libselinux.so.1"])  # the second asks for the first
        self.assertEqual({wheel.package_of(path, target) for path in libraries.values()}, {"libpcre2-8-0", "libselinux1"})
        with self.assertRaisesRegex(SystemExit, "no package holds"):
            wheel.package_of(self.archive, target)

    def test_a_library_that_nothing_calls_has_a_stand_in(self):
        target = wheel.target_of(pathlib.Path("/bin/ls"))
        flint, ntl = (next(pathlib.Path("/usr/lib/x86_64-linux-gnu").glob(name)).resolve() for name in ("libflint.so.1*", "libntl.so.*"))
        travelling = wheel.libraries_of(flint, target)
        self.assertIn(ntl, travelling.values())
        self.assertFalse([name for name in travelling if name.startswith("libgf2x")], "NTL alone asks for it")
        library = self.folder / "cellproof/lib" / next(name for name, path in travelling.items() if path == ntl)
        wheel.stand_in.write(ntl, [flint], target.compiler, library)
        asked = wheel.stand_in.symbols(flint, defined=False).keys() & wheel.stand_in.symbols(ntl, defined=True).keys()
        self.assertGreater(len(asked), 10)
        self.assertEqual(wheel.stand_in.symbols(library, defined=True).keys(), asked)
        self.assertEqual(wheel.newest(library, "GLIBCXX"), ())
        self.assertEqual(wheel.output("patchelf", "--print-needed", str(library)), "")
        ctypes.CDLL(str(library))

    def test_the_container_recipe_fits_the_wheel(self):
        recipe = (ROOT / "docs/ci/Containerfile").read_text()
        pattern = re.search(r"^COPY (\S+) /tmp/wheel/$", recipe, re.MULTILINE).group(1)
        for target in wheel.TARGETS.values():
            self.assertTrue(fnmatch.fnmatch(f"cellproof-{wheel.version()}-{target.tag}.whl", pattern))
        for extra in re.search(r"^ARG EXTRAS=(\S+)$", recipe, re.MULTILINE).group(1).split(","):
            self.assertIn(extra, wheel.EXTRAS)
        user = re.search(r"--uid (\d+) cellproof$", recipe, re.MULTILINE).group(1)
        self.assertIn(f"fsGroup: {user}}}", (ROOT / "docs/ci/kubernetes.yml").read_text())
        self.assertIn('ENTRYPOINT ["cellproof"]', recipe)
        self.assertIn(f"user {user} may write", (ROOT / "docs/how-to/container.md").read_text())

    def test_the_manual_is_what_the_program_writes(self):
        program, prefix = self.folder / "program", self.folder / "data"
        program.write_text('#!/bin/sh\necho "$@"\n')
        program.chmod(0o755)
        wheel.write_manual([str(program)], prefix)
        self.assertEqual((prefix / "share/man/man1/cellproof.1").read_text(), "help --man\n")
        self.assertEqual((prefix / "share/zsh/site-functions/_cellproof").read_text(), "completion zsh\n")
        listed = (ROOT / "cli/CMakeLists.txt").read_text()
        for command, place in wheel.MANUAL.items():
            self.assertIn(f'"{" ".join(command)}" {place}\n', listed)

    def test_the_metadata_is_that_of_the_project(self):
        lines = wheel.metadata(["LICENSE"]).splitlines()
        self.assertIn(f"Version: {wheel.version()}", lines)
        self.assertIn('Requires-Dist: onnxruntime>=1.19; extra == "onnxruntime"', lines)
        self.assertIn("License-File: LICENSE", lines)


if __name__ == "__main__":
    unittest.main()
