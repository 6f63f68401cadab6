"""Follows the README's recipes on a scratch copy: a made-up LSTM-26, a reading, an activation, a law, a suite, a report format.

recipes.py ROOT applies each recipe to a copy of ROOT, counts what it had to touch, builds the copy once, and asks what was built whether each
addition is there and works. Exits with 1 where a recipe takes more edits than it may, or its addition does not work.
"""

import dataclasses
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile


@dataclasses.dataclass(frozen=True)
class Recipe:
    """What somebody who extends Cellproof writes."""

    name: str
    edits: tuple[tuple[str, str, str], ...]  # a file, a line of it, and what is written in front of that line
    new_files: tuple[tuple[str, str], ...] = ()
    most_edits: int = 2  # of files that are there already, CMake's source lists aside


RECIPES = (
    Recipe(
        "an operator version",
        (("spec/operator.cpp", "{Operator::GRU, 1},", "{Operator::LSTM, 26},"),),
        most_edits=1,
    ),
    Recipe(
        "a reading",
        (
            ("spec/clause_table.cpp", '{"off", "takes', '{"one", "takes 1 for a clip of 0"}, '),
            ("reference/settings.cpp", 'if (readings.is(Clause::ClipZero, "off"))', 'if (readings.is(Clause::ClipZero, "one")) return 1;\n    '),
            (
                "oracle/step/cell.cpp",
                "  cell.clip_scope = clip_scope_of(readings);",
                '  if (problem.attributes.clip == 0.0F && readings.is(Clause::ClipZero, "one")) cell.clip = 1;\n',
            ),
            (
                "oracle/crosscheck/readings_test.cpp",
                '    {"InputIsOneMinusForget"',
                '    {"ClipZeroOne", Clause::ClipZero, "one", Operator::GRU, [](Case& c) { c.attributes.clip = 0.0F; }},\n',
            ),
        ),
        most_edits=4,
    ),
    Recipe(
        "an activation",
        (
            ("spec/rules/activations.cpp", '    {"Softplus", "log', '    {"HardTanh", "min(max(x, -1), 1)"},\n'),
            ("reference/activation.hpp", "  Softplus,\n", "  HardTanh,\n"),
            ("reference/activation.hpp", "    case Function::Softplus:", "    case Function::HardTanh:\n      return x < -1 ? Real(-1) : x > 1 ? Real(1) : x;\n"),
            ("oracle/step/activation.hpp", "  Softplus,\n", "  HardTanh,\n"),
            ("oracle/step/activation_list.cpp", '      {"Softplus", Softplus},', '      {"HardTanh", HardTanh},\n'),
            (
                "oracle/step/image.cpp",
                "    case ActivationKind::Softplus:\n      return max(x",
                "    case ActivationKind::HardTanh:\n      return clamped<Real>(x, -1, 1);\n",
            ),
            (
                "oracle/step/image.cpp",
                "      case ActivationKind::Tanh:\n      case ActivationKind::Sigmoid:\n        return one(",
                "      case ActivationKind::HardTanh:\n        return one(stored(grazed(between_ends(), x_)));\n",
            ),
            ("optimized/node/activation.hpp", "  Softplus\n", "  HardTanh,\n"),
            ("optimized/node/activations.cpp", '    {"Softplus", Takes', '    {"HardTanh", Takes::Nothing, {Function::HardTanh, 0, 0}},\n'),
            ("optimized/cpu/kernels_scalar.cpp", "    case Function::Softplus:", "    case Function::HardTanh:\n      return x < -1 ? -1 : x > 1 ? 1 : x;\n"),
            (
                "optimized/cpu/simd_functions-inl.hpp",
                "    case Function::Softplus:",
                "    case Function::HardTanh:\n      return body([=](V x) HWY_ATTR { return AtMost(d, AtLeast(d, x, -1), 1); });\n",
            ),
            ("optimized/cuda/cell.hpp", "    case Function::Softplus:", "    case Function::HardTanh:\n      return x < -1 ? Real(-1) : x > 1 ? Real(1) : x;\n"),
        ),
        most_edits=10,
    ),
    Recipe(
        "a law",
        (
            (
                "fuzz/laws/absent.cpp",
                "}  // namespace\n\nstd::span<const Law> absent_laws()",
                "/// The same node twice.\nstd::optional<Experiment> as_itself(const Problem& problem) {\n  const Node node(problem);\n  return compare(node, node);\n}\n\n",
            ),
            ("fuzz/laws/absent.cpp", '      {"clip-beyond-everything"', '      {"as-itself", "a node computes what it computes", as_itself},\n'),
        ),
        most_edits=1,
    ),
    Recipe(
        "a suite",
        (
            ("corpus/suites/suites.hpp", "/// Cases of corpus/regressions,", "/// One plain case.\nstd::vector<SuiteCase> single();\n\n"),
            ("corpus/suite.cpp", '    Entry{{"readings"', '    Entry{{"single", "one plain case"}, catalogue::single},\n'),
            ("corpus/CMakeLists.txt", "    suites/smoke.cpp\n", "    suites/single.cpp\n"),
        ),
        new_files=(
            (
                "corpus/suites/single.cpp",
                '#include "corpus/suites/suites.hpp"\n\nnamespace cellproof::corpus::catalogue {\n\nstd::vector<SuiteCase> single() {\n'
                '  return {{"plain", plain_case({Operator::GRU, 14}, ElementType::Float, 3, 2, 4, 5)}};\n}\n\n}  // namespace cellproof::corpus::catalogue\n',
            ),
        ),
    ),
    Recipe(
        "a report format",
        (
            ("reports/render.hpp", "/// Renders what `run` prints at its end", "/// The number of findings.\nstd::string render_count(const ReportData& data);\n"),
            ("reports/formats.cpp", '{"junit", "junit.xml", render_junit}', '{"count", "count.txt", render_count},\n                                  '),
            ("reports/CMakeLists.txt", "    coverage_json.cpp\n", "    count.cpp\n"),
        ),
        new_files=(
            (
                "reports/count.cpp",
                '#include "reports/render.hpp"\n\nnamespace cellproof::reports {\n\nstd::string render_count(const ReportData& data) {\n'
                '  return std::to_string(data.findings.size()) + "\\n";\n}\n\n}  // namespace cellproof::reports\n',
            ),
        ),
    ),
)

BUILT = ("cellproof", "cellproof-engine-reference", "cellproof-engine-cpu", "crosscheck_test")


def touched(recipe: Recipe) -> set[str]:
    """The files that were there already and that somebody must find: CMake says by itself where a source is not listed."""
    return {path for path, _, _ in recipe.edits if not path.endswith("CMakeLists.txt")}


def apply(recipe: Recipe, root: pathlib.Path) -> None:
    """Raises ValueError where a line that the recipe names is not there, or more than once."""
    for path, line, text in recipe.edits:
        source = (root / path).read_text(encoding="utf-8")
        if source.count(line) != 1:
            raise ValueError(f"{recipe.name}: {path} has {source.count(line)} places like {line!r}, expected one")
        (root / path).write_text(source.replace(line, text + line), encoding="utf-8")
    for path, text in recipe.new_files:
        (root / path).write_text(text, encoding="utf-8")


def copy_tracked(root: pathlib.Path, scratch: pathlib.Path) -> None:
    files = subprocess.run(["git", "-C", root, "ls-files", "-z"], check=True, capture_output=True).stdout
    subprocess.run(["tar", "-C", root, "--null", "-T", "-", "-cf", scratch / "copy.tar"], input=files, check=True)
    subprocess.run(["tar", "-C", scratch, "-xf", scratch / "copy.tar"], check=True)
    (scratch / ".deps").symlink_to(root / ".deps")


class Copy:
    """The scratch copy, built."""

    def __init__(self, root: pathlib.Path) -> None:
        self.root = root
        self.build = root / "build/test"

    def run(self, *command: str, status: int = 0) -> str:
        done = subprocess.run(command, cwd=self.root, capture_output=True, text=True, env={**os.environ, "CELLPROOF_ROOT": str(self.root)}, check=False)
        if done.returncode != status:
            raise ValueError(f"{' '.join(command)} ended with {done.returncode}, expected {status}:\n{done.stdout}{done.stderr}")
        return done.stdout

    def cellproof(self, *arguments: str) -> str:
        return self.run(str(self.build / "bin/cellproof"), *arguments)


def expect(true: bool, what: str) -> None:
    if not true:
        raise ValueError(what)


def check_version(copy: Copy) -> None:
    expect("LSTM-26" in copy.cellproof("list", "operators"), "list operators does not name LSTM-26")
    copy.cellproof("run", "--suite", "smoke", "--engine", "reference", "--engine", "cellproof-cpu", "-o", "smoke", "--explain", "0")
    cases = {}
    for line in (copy.root / "smoke/findings.jsonl").read_text(encoding="utf-8").splitlines():
        finding = json.loads(line)
        expect(finding["pass"], f"{finding['engine']} fails {finding['case']}")
        if finding["engine"] == "reference" and finding["outcome"] == "RAN":
            cases[finding["operator"]] = cases.get(finding["operator"], 0) + 1
    expect(cases["LSTM-26"] >= 3 * cases["LSTM-22"], f"smoke does not test LSTM-26 deeply as the newest: {cases}")
    expect("CONFORMS" in copy.cellproof("replay", "cellproof-case/1 op=LSTM-26 type=bfloat16 T=3 N=2 I=4 H=5", "--engine", "reference"), "LSTM-26 is not judged")


def check_reading(copy: Copy) -> None:
    expect(re.search(r"clip-zero.*\bone\b", copy.cellproof("list", "readings", "--json"), re.DOTALL) is not None, "list readings does not name clip-zero=one")
    tests = copy.run(str(copy.build / "oracle/crosscheck/crosscheck_test"), "--gtest_filter=*ClipZero*")
    expect("[  PASSED  ] 2 tests" in tests, f"an engine that reads so is not recognised:\n{tests}")


def check_activation(copy: Copy) -> None:
    """Each operator, in the slots where its values are on both sides of the limits; smoke has tried it in every slot (check_version)."""
    for case in ("op=RNN-22 activations=HardTanh", "op=GRU-22 activations=Sigmoid,HardTanh", "op=LSTM-22 activations=HardTanh,HardTanh,HardTanh"):
        for engine in ("reference", "cellproof-cpu"):
            line = case.replace(" ", " type=float T=5 N=3 I=4 H=6 regime=saturating B=given ", 1)
            out = copy.cellproof("replay", f"cellproof-case/1 {line}", "--engine", engine)
            expect("CONFORMS" in out, f"{engine} does not conform on {case}:\n{out}")


def check_law(copy: Copy) -> None:
    expect("as-itself" in copy.cellproof("list", "laws"), "list laws does not name as-itself")
    out = copy.cellproof("fuzz", "--engine", "cellproof-cpu", "--law", "as-itself", "--time", "3", "-o", "fuzzed")
    expect("fuzz-laws below" in out and "CONFORMS" in out, f"fuzz does not try the law:\n{out}")


def check_suite(copy: Copy) -> None:
    out = copy.cellproof("run", "--suite", "single", "--engine", "reference", "-o", "single")
    expect("1 conform" in out, f"the suite does not run:\n{out}")


def check_format(copy: Copy) -> None:
    copy.cellproof("report", "single/run.sqlite", "-o", "counted", "--format", "count")
    expect((copy.root / "counted/count.txt").read_text(encoding="utf-8") == "1\n", "the format writes something else")


CHECKS = (check_version, check_reading, check_activation, check_law, check_suite, check_format)


def main() -> int:
    root = pathlib.Path(sys.argv[1]).resolve()
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        copy_tracked(root, scratch)
        for recipe in RECIPES:
            apply(recipe, scratch)
            count = len(touched(recipe))
            print(f"{recipe.name}: {count} files touched, {len(recipe.new_files)} written")
            if count > recipe.most_edits:
                print(f"{recipe.name}: may touch {recipe.most_edits}")
                failed = True
        copy = Copy(scratch)
        try:
            # The copy is built once and runs for seconds.
            copy.run("cmake", "--preset", "test", "-DCMAKE_CXX_FLAGS_RELEASE=-O0 -DNDEBUG")
            copy.run("cmake", "--build", "build/test", "--target", *BUILT)
        except ValueError as error:
            print(f"the copy does not build: {error}")
            return 1
        for recipe, check in zip(RECIPES, CHECKS, strict=True):
            try:
                check(copy)
                print(f"{recipe.name}: works")
            except ValueError as error:
                print(f"{recipe.name}: {error}")
                failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
