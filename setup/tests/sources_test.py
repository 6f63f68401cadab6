"""Rules about source files as such: none too long, no folder too large, none that no CMakeLists.txt lists, nothing that runs beside others names a
temporary file itself, nothing but spec/ knows versions by number.
"""

import pathlib
import re
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("spec", "reference", "optimized", "corpus", "engines", "oracle", "causes", "fuzz", "reports", "campaign", "cli", "lab", "python")
LONGEST = 350
MOST_LINES_OF = {"cli": 2500}  # without tests: a command parses, calls and prints
LIST_COMMAND = re.compile(r"#[^\n]*|\"[^\"]*\"|[\w./${}-]+")


def sources(root: pathlib.Path, *suffixes: str) -> list[pathlib.Path]:
    return sorted(p for folder in FOLDERS for p in (root / folder).rglob("*") if p.suffix in suffixes)


def too_long(root: pathlib.Path) -> list[str]:
    lengths = {p: len(p.read_text(encoding="utf-8").splitlines()) for p in sources(root, ".hpp", ".cpp", ".py")}
    return [f"{p.relative_to(root)}: {n} lines, at most {LONGEST}" for p, n in lengths.items() if n > LONGEST]


def too_large(root: pathlib.Path) -> list[str]:
    """The folders that hold more lines than they may, tests and fixtures not counted."""
    found = []
    for folder, most in MOST_LINES_OF.items():
        own = [p for p in sources(root, ".hpp", ".cpp") if p.is_relative_to(root / folder) and not p.name.endswith("_test.cpp") and "testing" not in p.parts]
        lines = sum(len(p.read_text(encoding="utf-8").splitlines()) for p in own)
        if lines > most:
            found.append(f"{folder}: {lines} lines, at most {most}")
    return found


def unlisted(root: pathlib.Path) -> list[str]:
    """The .cpp files that no CMakeLists.txt between them and the root names."""
    listed = set()
    for lists in (p for folder in FOLDERS for p in (root / folder).rglob("CMakeLists.txt")):
        words = (w for w in LIST_COMMAND.findall(lists.read_text(encoding="utf-8")) if not w.startswith("#"))
        listed |= {(lists.parent / w.strip('"')).resolve() for w in words if w.endswith(".cpp")}
    return [str(p.relative_to(root)) for p in sources(root, ".cpp") if p.resolve() not in listed]


# An operator's newest version by number, or their count in words. Version tables are spec/'s.
VERSIONS_OUTSIDE_SPEC = re.compile(r"since_version\D*\b22\b|Operator::\w+, ?22\b|\bfourteen\b", re.IGNORECASE)


def versions_outside_spec(root: pathlib.Path) -> list[str]:
    """Lines of sources that will be wrong when an operator gets another version. Tests and fixtures may name one."""
    asked = (p for p in sources(root, ".cpp") + sources(root, ".hpp") if not p.name.endswith("_test.cpp") and "testing" not in p.parts)
    own = [p for p in asked if p.relative_to(root).parts[0] != "spec"]
    return [f"{p.relative_to(root)}: {line.strip()}" for p in own for line in p.read_text("utf-8").splitlines() if VERSIONS_OUTSIDE_SPEC.search(line)]


MOST_DISPATCHES = 15


def dispatches(root: pathlib.Path) -> list[str]:
    """The lines outside tests that branch on an operator. What is known of operators is a row in spec/operator.cpp or spec/rules/."""
    asked = (p for p in sources(root, ".hpp", ".cpp", ".cu", ".cuh") if not p.name.endswith("_test.cpp") and "testing" not in p.parts)
    return [f"{p.relative_to(root)}: {line.strip()}" for p in asked for line in p.read_text("utf-8").splitlines() if "case Operator::" in line]


def own_temporary_names(root: pathlib.Path) -> list[str]:
    """The tests and fuzz targets that choose a name in the directory for temporary files themselves: two that choose alike race."""
    asks = re.compile(r"\b(TempDir\(|temp_directory_path\(|mkdtemp\(|mkstemp\()")
    run_at_once = (p for p in sources(root, ".cpp") if p.name.endswith("_test.cpp") or p.parent == root / "lab/fuzz_targets")
    return [str(p.relative_to(root)) for p in run_at_once if asks.search(p.read_text(encoding="utf-8"))]


CONFLICT = re.compile(r"^(<{7}|>{7}|\|{7})( |$)")
TEXTS = (".md", ".hpp", ".cpp", ".cu", ".py", ".sh", ".txt", ".cmake", ".yml", ".json", ".js", ".css")


def conflicts(root: pathlib.Path) -> list[str]:
    """The lines of any text that a merge has left; hidden folders and builds are not ours."""
    own = (p for p in root.rglob("*") if p.suffix in TEXTS and not any(part.startswith(".") or part == "build" for part in p.relative_to(root).parts))
    return [f"{p.relative_to(root)}: {line}" for p in own for line in p.read_text("utf-8", "replace").splitlines() if CONFLICT.match(line)]


class Sources(unittest.TestCase):
    def test_no_merge_is_left_half_done(self):
        self.assertEqual(conflicts(ROOT), [])

    def test_no_file_is_too_long(self):
        self.assertEqual(too_long(ROOT), [])

    def test_the_program_is_thin(self):
        self.assertEqual(too_large(ROOT), [], "what is not parse, call or print belongs to campaign/ or reports/")

    def test_every_source_is_listed(self):
        self.assertEqual(unlisted(ROOT), [])

    def test_versions_are_known_to_spec_alone(self):
        self.assertEqual(versions_outside_spec(ROOT), [])

    def test_few_places_branch_on_an_operator(self):
        self.assertLessEqual(len(dispatches(ROOT)), MOST_DISPATCHES, dispatches(ROOT))

    def test_no_test_and_no_fuzz_target_names_a_temporary_file_itself(self):
        self.assertEqual(own_temporary_names(ROOT), [], "spec/testing/temporary_folder.hpp gives everything that runs a folder of its own")

    def test_the_rules_find_what_breaks_them(self):
        with tempfile.TemporaryDirectory() as directory:
            root = pathlib.Path(directory)
            (root / "spec").mkdir()
            (root / "spec/long.cpp").write_text("\n" * (LONGEST + 1))
            (root / "cli/testing").mkdir(parents=True)
            (root / "cli/testing/run.hpp").write_text("\n" * LONGEST)
            for number in range(MOST_LINES_OF["cli"] // LONGEST + 1):
                (root / f"cli/{number}.hpp").write_text("\n" * LONGEST)
            (root / "spec/forgotten.cpp").write_text("// listed only in a comment\n")
            (root / "spec/branching.hpp").write_text("switch (op) {\n  case Operator::GRU:\n    return 3;\n}\n")
            (root / "spec/racing_test.cpp").write_text('auto file = testing::TempDir() + "file";\n')
            (root / "lab/fuzz_targets").mkdir(parents=True)
            (root / "lab/fuzz_targets/racing.cpp").write_text("const auto folder = fs::temp_directory_path();\nbool is_new = version.since_version >= 22;\n")
            (root / "lab/fuzz_targets/CMakeLists.txt").write_text("cellproof_library(targets SOURCES racing.cpp)\n")
            (root / "spec/CMakeLists.txt").write_text("cellproof_library(spec SOURCES long.cpp racing_test.cpp) # forgotten.cpp\n")
            (root / "notes.md").write_text("<" * 7 + " HEAD\nours\n" + "=" * 7 + "\ntheirs\n" + ">" * 7 + " theirs\n")
            self.assertEqual(conflicts(root), ["notes.md: <<<<<<< HEAD", "notes.md: >>>>>>> theirs"])
            self.assertEqual(too_long(root), [f"spec/long.cpp: {LONGEST + 1} lines, at most {LONGEST}"])
            self.assertEqual(dispatches(root), ["spec/branching.hpp: case Operator::GRU:"])
            self.assertEqual(too_large(root), [f"cli: {(MOST_LINES_OF['cli'] // LONGEST + 1) * LONGEST} lines, at most {MOST_LINES_OF['cli']}"])
            self.assertEqual(unlisted(root), ["spec/forgotten.cpp"])
            self.assertEqual(own_temporary_names(root), ["lab/fuzz_targets/racing.cpp", "spec/racing_test.cpp"])
            self.assertEqual(versions_outside_spec(root), ["lab/fuzz_targets/racing.cpp: bool is_new = version.since_version >= 22;"])


if __name__ == "__main__":
    unittest.main()
