"""Tests that the recipes still find their places, without building what they make: setup/tests/recipes.py does, in ./cellproof test --full."""

import pathlib
import tempfile
import unittest

import recipes

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Recipes(unittest.TestCase):
    def test_each_finds_its_places(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            scratch = pathlib.Path(folder)
            recipes.copy_tracked(ROOT, scratch)
            for recipe in recipes.RECIPES:
                recipes.apply(recipe, scratch)
                for path, _, text in recipe.edits:
                    self.assertIn(text, (scratch / path).read_text(encoding="utf-8"))

    def test_none_touches_more_than_it_may(self) -> None:
        for recipe in recipes.RECIPES:
            self.assertLessEqual(len(recipes.touched(recipe)), recipe.most_edits, recipe.name)

    def test_a_place_that_has_gone_is_an_error(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "a.cpp").write_text("one\none\n", encoding="utf-8")
            for line in ("none", "one"):
                with self.assertRaises(ValueError):
                    recipes.apply(recipes.Recipe("r", (("a.cpp", line, "x"),)), pathlib.Path(folder))


if __name__ == "__main__":
    unittest.main()
