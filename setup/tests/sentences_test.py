"""The project's pages keep to their lengths and their links lead somewhere; and the rules find what breaks them."""

import pathlib
import tempfile
import unittest

import sentences

ROOT = pathlib.Path(__file__).resolve().parents[2]
LONG = "word " * 40


class Sentences(unittest.TestCase):
    def test_every_page_keeps_to_the_rules(self):
        self.assertEqual([fault for page in sentences.pages(ROOT) for fault in sentences.faults(ROOT, page)], [])

    def test_the_scan_reads_this_checkout(self):
        names = {page.relative_to(ROOT).as_posix() for page in sentences.pages(ROOT)}
        self.assertGreaterEqual(names, {"README.md", "CONTRIBUTING.md", "docs/verdicts.md", "corpus/seeds/README.md"})

    def test_sentences_end_where_a_reader_sees_it(self):
        self.assertEqual(sentences.sentences("One. Two! Is it N. Higham's? Yes: `a. B` is one word"), ["One.", "Two!", "Is it N. Higham's?", "Yes: CODE is one word"])
        self.assertEqual(sentences.words("See the page (v1.31 - or `x`) now."), 7)

    def test_code_and_headings_are_no_sentences(self):
        page = f"# {LONG}\n\n```sh\n{LONG}\n```\n\n    {LONG}\n\nShort.\n"
        self.assertEqual(sentences.measure(page), ([1], []))

    def test_long_sentences_are_found_wherever_they_stand(self):
        for place in (f"{LONG}.", f"- {LONG}.", f"Lead:\n- short\n- {LONG}", f"| a | b |\n| --- | --- |\n| x | {LONG} |", "word\n" * 40):
            with self.subTest(place=place[:20]):
                self.assertEqual(len(sentences.measure(place + "\n")[1]), 1)

    def test_labels_do_not_lower_the_mean(self):
        self.assertEqual(sentences.measure("- label\n- another label\n\nThis is whole.\n")[0], [3])

    def test_the_rules_find_what_breaks_them(self):
        with tempfile.TemporaryDirectory() as directory:
            root = pathlib.Path(directory)
            page = root / "page.md"
            (root / "other.md").write_text("# A heading, with `code`\n")
            page.write_text("[a](other.md) [b](other.md#a-heading-with-code) [c](#none) [d](missing.md) [e](other.md#gone) [f](https://example.org/x)\n")
            self.assertEqual(sentences.broken_links(page), ["#none", "missing.md", "other.md#gone"])
            self.assertEqual(len(sentences.faults(root, page)), 3)
            page.write_text(("Word " * 19).strip() + ".\n")
            self.assertEqual(sentences.faults(root, page), ["page.md: 19.0 words a sentence, at most 18"])

    def test_no_doc_comment_begins_with_a_question_word(self):
        self.assertEqual(sentences.question_comments(sentences.ROOT), 0, "begin with a verb, or name the thing; see setup/tests/sentences.py")

    def test_question_words_of_doc_comments_are_counted(self):
        with tempfile.TemporaryDirectory() as directory:
            (pathlib.Path(directory) / "a.hpp").write_text("/// How fast.\n/// What goes on is no beginning.\nint a;\n/// Returns it.\n")
            self.assertEqual(sentences.question_comments(pathlib.Path(directory)), 1)


if __name__ == "__main__":
    unittest.main()
