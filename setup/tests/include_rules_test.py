"""The include rules hold in this checkout, and the scan really finds what it is there to find."""

import pathlib
import re
import tempfile
import unittest

import include_rules

ROOT = pathlib.Path(__file__).resolve().parents[2]


class IncludeRules(unittest.TestCase):
    def scan(self, files: dict[str, str]) -> list[str]:
        with tempfile.TemporaryDirectory() as directory:
            for name, text in files.items():
                path = pathlib.Path(directory, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return include_rules.violations(pathlib.Path(directory))

    def test_this_checkout_keeps_to_the_rules(self):
        self.assertEqual(include_rules.violations(ROOT), [])

    def test_the_scan_reads_this_checkout(self):
        folders = [f for f in ("spec", "reference", "optimized", "corpus", "engines", "oracle", "causes", "fuzz", "reports", "campaign", "cli", "lab") if not list((ROOT / f).rglob("*.cpp"))]
        self.assertEqual(folders, [], "no sources there: is the scan looking in the right place?")

    def test_the_root_adds_the_folders_in_the_order_of_the_table(self):
        added = re.findall(r"^add_subdirectory\((\w+)\)$", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)
        self.assertEqual(added, ["setup", *dict.fromkeys(name.split("/")[0] for name in include_rules.ALLOWED), "python"])  # which includes nothing

    def test_forbidden_includes_are_found(self):
        forbidden = [
            ("spec/a.hpp", "reference/reference.hpp"),
            ("reference/a.cpp", "oracle/evaluate.hpp"),
            ("oracle/a.cpp", "reference/reference.hpp"),
            ("oracle/step/a.cpp", "reference/reference.hpp"),
            ("oracle/a.cpp", "oracle/crosscheck/crosscheck.hpp"),
            ("oracle/a.cpp", "engines/engine.hpp"),
            ("engines/a.cpp", "reference/reference.hpp"),
            ("engines/a_test.cpp", "reference/reference.hpp"),
            ("reports/a.cpp", "oracle/decide.hpp"),
            ("oracle/a.cpp", "causes/cover.hpp"),
            ("causes/a.cpp", "engines/engine.hpp"),
            ("campaign/a.cpp", "cli/command.hpp"),
            ("campaign/a.cpp", "lab/calibration/calibrate.hpp"),
            ("cli/a.cpp", "lab/command.hpp"),
            ("oracle/a.cpp", "lab/zoo/zoo.hpp"),
            ("cli/a_test.cpp", "lab/gpu/record.hpp"),
            ("reports/a.cpp", "spec/testing/approval.hpp"),
            ("cli/a.cpp", "spec/testing/approval.hpp"),
        ]
        for source, target in forbidden:
            with self.subTest(source=source, target=target):
                found = self.scan({source: f'#pragma once\n  #  include "{target}"\n'})
                self.assertEqual(len(found), 1)
                self.assertIn(f"{source}:2", found[0])

    def test_allowed_includes_are_not(self):
        allowed = [
            ("spec/a.cpp", "spec/values/regime.hpp"),
            ("reference/a.cpp", "spec/tensor.hpp"),
            ("engines/reference/a.cpp", "reference/reference.hpp"),
            ("engines/reference/a.cpp", "engines/engine.hpp"),
            ("oracle/crosscheck/a.cpp", "reference/reference.hpp"),
            ("oracle/crosscheck/a.cpp", "oracle/evaluate.hpp"),
            ("oracle/a_test.cpp", "lab/zoo/zoo.hpp"),
            ("oracle/testing/a.hpp", "lab/mutants/mutants.hpp"),
            ("campaign/a.cpp", "reports/store.hpp"),
            ("cli/a.cpp", "campaign/run.hpp"),
            ("lab/a.cpp", "cli/command.hpp"),
            ("lab/bench/a.cpp", "engines/node/node_description.hpp"),
            ("lab/a.cpp", "spec/testing/approval.hpp"),
            ("reports/testing/a.cpp", "spec/testing/approval.hpp"),
            ("reports/a_test.cpp", "spec/testing/approval.hpp"),
        ]
        for source, target in allowed:
            with self.subTest(source=source, target=target):
                self.assertEqual(self.scan({source: f'#include "{target}"\n'}), [])

    def test_angle_brackets_and_comments(self):
        self.assertEqual(len(self.scan({"spec/a.cpp": "#include <oracle/evaluate.hpp>\n"})), 1)
        self.assertEqual(self.scan({"spec/a.cpp": '// #include "oracle/evaluate.hpp"\n#include <onnx/onnx_pb.h>\n'}), [])
        self.assertEqual(len(self.scan({"spec/a.cpp": '#include "judge.hpp"\n'})), 1, "a path that does not start at the root")


class OracleFloors(unittest.TestCase):
    def scan(self, files: dict[str, list[str]]) -> list[str]:
        with tempfile.TemporaryDirectory() as directory:
            for name, targets in files.items():
                path = pathlib.Path(directory, "oracle", name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("".join(f'#include "oracle/{target}"\n' for target in targets))
            return include_rules.oracle_violations(pathlib.Path(directory))

    def test_this_checkout_keeps_to_them(self):
        self.assertEqual(include_rules.oracle_violations(ROOT), [])

    def test_every_room_on_the_list_is_there_once(self):
        rooms = [room for floor in include_rules.ORACLE_FLOORS for room in floor]
        self.assertEqual(len(rooms), len(set(rooms)))
        gone = [r for r in rooms if not (ROOT / "oracle" / r).is_dir() and not (ROOT / "oracle" / f"{r}.hpp").exists()]
        self.assertEqual(gone, [])

    def test_an_include_upwards_is_found(self):
        for source, target in [
            ("element_evaluation.cpp", "ladder.hpp"),
            ("step/cell.cpp", "fault_hooks.hpp"),
            ("evaluate.cpp", "search.hpp"),
            ("search.hpp", "decide.hpp"),
            ("ball/ball.cpp", "step/grid.hpp"),
            ("fault.cpp", "hypotheses.hpp"),
        ]:
            with self.subTest(source=source, target=target):
                found = self.scan({source: [target]})
                self.assertEqual(found, [f"oracle/{source}:1: oracle/{target.removesuffix('.hpp')} is on a higher floor"])

    def test_includes_downwards_or_beside_and_of_tests_are_not(self):
        self.assertEqual(self.scan({"search.cpp": ["search.hpp", "evaluate.hpp", "hypotheses.hpp"], "step/gru_step.cpp": ["step/step.hpp", "at.hpp"]}), [])
        self.assertEqual(self.scan({"course_test.cpp": ["decide.hpp"], "testing/judging.hpp": ["evaluate.hpp"]}), [])

    def test_a_circle_on_one_floor_is_found(self):
        files = {"run_evaluation.cpp": ["quantized/evaluation.hpp"], "quantized/evaluation.cpp": ["row_evaluation.hpp"], "row_evaluation.cpp": ["run_evaluation.hpp"]}
        self.assertEqual(self.scan(files), ["oracle: in a circle: quantized/evaluation -> row_evaluation -> run_evaluation -> quantized/evaluation"])

    def test_a_room_without_a_floor_is_found(self):
        self.assertEqual(self.scan({"attic.cpp": []}), ["oracle/attic.cpp: has no floor in ORACLE_FLOORS"])


if __name__ == "__main__":
    unittest.main()
