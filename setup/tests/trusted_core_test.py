"""The trusted core is where lab/trusted_core looks for it, and is changed there as it says."""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "lab" / "trusted_core"))

import core  # noqa: E402 (the path comes first)
import equivalent  # noqa: E402
import mutations  # noqa: E402
import rules  # noqa: E402

INCLUDE = re.compile(r'^#include "(oracle/[^"]+)"', re.MULTILINE)


def changes(line: str) -> set[str]:
    return {m.instead.strip() for m in mutations.of_line("a.cpp", 1, line)}


class Core(unittest.TestCase):
    def test_every_file_is_there(self):
        self.assertGreater(len(core.files()), 50)
        self.assertEqual([p for p in core.files() if not (ROOT / p).is_file()], [])

    def test_it_takes_nothing_of_the_oracle_from_outside_but_what_is_named(self):
        inside = {str(p) for p in core.files()}
        found = {(str(p), target) for p in core.files() for target in INCLUDE.findall((ROOT / p).read_text("utf-8")) if target not in inside}
        self.assertEqual({target for _, target in found}, core.NOT_TRUSTED)

    def test_lines_without_code_do_not_count(self):
        self.assertEqual(core.code_lines("// a\n\nint b;  // c\n  /// d\n}\n"), 2)


class Rules(unittest.TestCase):
    def test_every_rule_stands_once_in_its_source(self):
        self.assertGreater(len(rules.RULES), 50)
        for rule, (source, text, instead) in rules.RULES.items():
            with self.subTest(rule):
                self.assertEqual((ROOT / source).read_text(encoding="utf-8").count(text), 1)
                self.assertNotEqual(text, instead)


class Mutations(unittest.TestCase):
    def test_operators_and_numbers(self):
        self.assertEqual(
            changes("  const double y = a + 0.5 * b;"),
            {"const double y = a - 0.5 * b;", "const double y = a + 0.5 / b;", "const double y = a + (0.5 + 1) * b;"},
        )
        self.assertEqual(changes("  if (a <= b && !c) return -d;"), {
            "if (a < b && !c) return -d;", "if (a <= b || !c) return -d;", "if (a <= b && c) return -d;", "if (a <= b && !c) return d;",
            "if (!(a <= b && !c)) return -d;",
        })  # fmt: skip
        self.assertEqual(changes("  return std::min(a, true);"), {"return std::max(a, true);", "return std::min(a, false);"})

    def test_statements(self):
        self.assertEqual(changes("    total += x;"), {"total -= x;", ""})
        self.assertEqual(changes("  sums.reset(rows);"), {""})
        self.assertEqual(changes("  int k = n;"), set())

    def test_neither_templates_nor_references_nor_comments(self):
        for line in ["template <class Real>", "  const Set& h = in.h;  // a + b", "  // a + b", "#include <cmath>", "  f<double>(a);  // 1"]:
            self.assertEqual(changes(line) - {""}, set(), line)

    def test_a_change_is_of_its_line_alone(self):
        text = "int f(int a) {\n  return a + a;\n}\n"
        (only,) = mutations.of_text("f.cpp", text)
        self.assertEqual(only.applied(text), "int f(int a) {\n  return a - a;\n}\n")
        self.assertEqual(only.name(), "f.cpp:2: operator: return a - a;")

    def test_equivalent_ones_exist(self):
        names = {equivalent.key_of(m.name()) for m in mutations.of_files(ROOT, core.files())}
        self.assertEqual(set(equivalent.EQUIVALENT) - names, set())


if __name__ == "__main__":
    unittest.main()
