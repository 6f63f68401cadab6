#!/usr/bin/env python3
"""Measures the sentences of the project's pages and follows their links.

    python3 setup/tests/sentences.py [PAGE...]

prints a row a page: sentences, mean and longest in words. Below it stand sentences that are too long and links that lead nowhere, and how many doc comments
begin with a question word. Code blocks and headings are no sentences, an inline code is one word. Text that ends without a full stop or colon (a label, a
table's cell, a short list item) is held to the longest length, but is no part of a page's mean.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LONGEST, MEAN = 35, 18

NO_PAGES = ("build", ".deps", ".git", "approved", "cellproof-report")

FENCE = re.compile(r"^(\s*)(```|~~~)")
ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+")
TABLE_RULE = re.compile(r"^\s*\|?\s*:?-{3,}:?\s*(\|\s*:?-{3,}:?\s*)*\|?\s*$")
CODE = re.compile(r"(`+)(.+?)\1")
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
END = re.compile(r"(?<=[.!?])[\"')*_]*\s+(?=[\"'(*_]*[A-Z0-9~/-])")
ABBREVIATION = re.compile(r"(\b(e\.g|i\.e|cf|vs|Dr|No|[A-Z])\.)$")
WORD = re.compile(r"[^\W_]")
QUESTION = re.compile(r"^\s*///\s+(What|How|Whether|Where|Of)\b")


def pages(root: pathlib.Path) -> list[pathlib.Path]:
    found = (p for p in root.rglob("*.md") if not set(p.relative_to(root).parts) & set(NO_PAGES))
    return sorted(found)


def without_code_blocks(text: str) -> list[str]:
    """The lines of a page; those of fenced and indented code blocks are empty."""
    lines, fenced, before = [], "", ""
    in_list = False
    for line in text.splitlines():
        fence = FENCE.match(line)
        if fence and (not fenced or fence.group(2) == fenced):
            fenced = "" if fenced else fence.group(2)
            lines.append("")
            continue
        in_list = bool(ITEM.match(line)) or (in_list and (not line.strip() or line.startswith(" ")))
        indented = line.startswith("    ") and not in_list and not before.strip()
        lines.append("" if fenced or indented else line)
        before = "" if indented else line
    return lines


def texts(page: str) -> list[str]:
    """The paragraphs, list items and table cells of a page, one string each."""
    found, open_text = [], []

    def close():
        if open_text:
            found.append(" ".join(open_text))
            open_text.clear()

    for line in without_code_blocks(page):
        bare = re.sub(r"^\s*>\s?", "", line).strip()
        if not bare or bare.startswith("#") or TABLE_RULE.match(bare):
            close()
        elif bare.startswith("|"):
            close()
            cells = CODE.sub(lambda code: code.group(0).replace("|", "/"), bare.replace(r"\|", "/"))
            found.extend(cell.strip() for cell in cells.strip("|").split("|") if cell.strip())
        else:
            if ITEM.match(line):
                close()
            open_text.append(ITEM.sub("", line).strip())
    close()
    return found


def sentences(text: str) -> list[str]:
    text = CODE.sub("CODE", LINK.sub(lambda link: "" if link.group(1) else link.group(2), text))
    parts, pieces = [], END.split(text)
    for piece in pieces:
        if parts and ABBREVIATION.search(parts[-1]):
            parts[-1] += " " + piece
        else:
            parts.append(piece)
    return [p for p in (part.strip() for part in parts) if WORD.search(p)]


def words(sentence: str) -> int:
    return sum(1 for word in sentence.split() if WORD.search(word))


def is_whole(sentence: str) -> bool:
    return sentence.rstrip("\"')*_ ").endswith((".", "!", "?", ":"))


def measure(page: str) -> tuple[list[int], list[str]]:
    """The lengths of a page's whole sentences, and all that is longer than LONGEST."""
    every = [s for text in texts(page) for s in sentences(text)]
    return [words(s) for s in every if is_whole(s)], [s for s in every if words(s) > LONGEST]


def anchors(page: str) -> set[str]:
    """The anchors of a page's headings, made as GitHub makes them."""
    found: set[str] = set()
    for line in without_code_blocks(page):
        if heading := re.match(r"^#{1,6}\s+(.*?)\s*#*$", line):
            text = LINK.sub(lambda link: link.group(2), heading.group(1)).replace("`", "").lower()
            slug = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
            name, number = slug, 0
            while name in found:
                number += 1
                name = f"{slug}-{number}"
            found.add(name)
    return found


def broken_links(page: pathlib.Path) -> list[str]:
    """The relative links of a page that lead nowhere."""
    broken = []
    for line in without_code_blocks(page.read_text(encoding="utf-8")):
        for link in LINK.finditer(CODE.sub("", line)):
            address = link.group(3)
            if re.match(r"[a-z]+:", address):
                continue
            path, _, anchor = address.partition("#")
            target = (page.parent / path) if path else page
            if not target.exists() or (anchor and (target.suffix != ".md" or anchor not in anchors(target.read_text(encoding="utf-8")))):
                broken.append(address)
    return broken


def question_comments(root: pathlib.Path) -> int:
    """The number of doc comments that begin with a question word (they begin with a verb, or name the thing)."""
    count = 0
    for source in root.rglob("*.[hc][pu]*"):
        if source.suffix not in (".hpp", ".cpp", ".cu") or set(source.relative_to(root).parts) & set(NO_PAGES):
            continue
        before = ""
        for line in source.read_text(encoding="utf-8").splitlines():
            count += bool(QUESTION.match(line)) and not before.lstrip().startswith("///")
            before = line
    return count


def faults(root: pathlib.Path, page: pathlib.Path) -> list[str]:
    """All that the rules find against one page, a line each."""
    name = page.relative_to(root).as_posix()
    lengths, long = measure(page.read_text(encoding="utf-8"))
    found = [f"{name}: {words(s)} words, at most {LONGEST}: {s}" for s in long]
    if lengths and sum(lengths) / len(lengths) > MEAN:
        found.append(f"{name}: {sum(lengths) / len(lengths):.1f} words a sentence, at most {MEAN}")
    return found + [f"{name}: {address} leads nowhere" for address in broken_links(page)]


def main(arguments: list[str]) -> int:
    asked = [pathlib.Path(a).resolve() for a in arguments] or pages(ROOT)
    print(f"{'page':<36} {'sentences':>9} {'mean':>6} {'longest':>8}")
    found = []
    for page in asked:
        lengths, long = measure(page.read_text(encoding="utf-8"))
        longest = max([*lengths, *(words(s) for s in long)], default=0)
        mean = sum(lengths) / len(lengths) if lengths else 0
        print(f"{page.relative_to(ROOT).as_posix():<36} {len(lengths):>9} {mean:>6.1f} {longest:>8}")
        found += faults(ROOT, page)
    print("\n".join(found))
    if not arguments:
        print(f"doc comments that begin with What, How, Whether, Where or Of: {question_comments(ROOT)}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
