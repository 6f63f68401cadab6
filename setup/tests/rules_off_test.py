"""The rules that setup/rules_off.py switches off must be where it looks for them, or it would switch off nothing."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import rules_off  # noqa: E402 (the path comes first)


class RulesOff(unittest.TestCase):
    def test_every_rule_stands_once_in_its_source(self):
        self.assertGreater(len(rules_off.RULES), 50)
        for rule, (source, text, instead) in rules_off.RULES.items():
            with self.subTest(rule):
                self.assertEqual((rules_off.ROOT / source).read_text(encoding="utf-8").count(text), 1)
                self.assertNotEqual(text, instead)


if __name__ == "__main__":
    unittest.main()
