"""Small changes of C++ sources, made by machine: the text is read line by line, laid out as clang-format leaves it."""

import dataclasses
import pathlib
import re

# An operator has a blank on both sides; brackets of templates, references and signs do not.
OPERATORS = {
    "+": "-", "-": "+", "*": "/", "/": "*",
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
    "&&": "||", "||": "&&", "&": "|", "|": "&",
    "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "|=": "&=", "&=": "|=",
}  # fmt: skip
WORDS = {
    "min(": "max(", "max(": "min(", "plain_lesser(": "plain_greater(", "plain_greater(": "plain_lesser(",
    "true": "false", "false": "true",
}  # fmt: skip
OPERATOR = re.compile(r"(?<= )(%s)(?= )" % "|".join(re.escape(o) for o in sorted(OPERATORS, key=len, reverse=True)))
WORD = re.compile(r"\b(%s)" % "|".join(re.escape(w) for w in WORDS))
NUMBER = re.compile(r"(?<![\w.])(0x[0-9a-fA-F.]+p[+-]?\d+|\d+\.\d+|\d+)(?![\w.])")
SIGN = re.compile(r"(?<=[(,=?:] )-(?=[\w(])|(?<=[({])-(?=[\w(])|(?<=return )-(?=[\w(])")
NOT = re.compile(r"(?<![\w)])!(?=[\w(])")
CONDITION = re.compile(r"\b(?:if|while) \(")
STATEMENT = re.compile(r"^\s+(?:[\w.:>\[\]()*-]+ (?:[-+*/|&]?=) .+;|[\w.:>-]+\(.*\);|(?:\+\+|--)\w+;)$")
# Lines that hold no code of their own, or code that the compiler alone sees.
SKIPPED = re.compile(r"^\s*(#|//|template\b|extern\b|using\b|namespace\b|static_assert\b|typename\b|case\b|\}?$)")


@dataclasses.dataclass(frozen=True)
class Mutation:
    """One line of a source, and what stands there instead."""

    path: str
    line: int  # from 1
    kind: str
    was: str
    instead: str

    def name(self) -> str:
        return f"{self.path}:{self.line}: {self.kind}: {self.instead.strip() or self.was.strip()}"

    def applied(self, text: str) -> str:
        lines = text.split("\n")
        lines[self.line - 1] = self.instead
        return "\n".join(lines)


def code_of(line: str) -> str:
    """The line up to its comment, with the insides of literals blanked."""
    line = re.sub(r'"(\\.|[^"\\])*"', lambda m: '"' + " " * (len(m[0]) - 2) + '"', line)
    return line.split(" //")[0]


def other_number(number: str) -> str:
    return {"0": "1", "1": "0"}.get(number, f"({number} + 1)")


def closing(code: str, opening: int) -> int:
    """Where the bracket that opens at `opening` closes; -1 if not on this line."""
    depth = 0
    for k in range(opening, len(code)):
        depth += (code[k] == "(") - (code[k] == ")")
        if depth == 0:
            return k
    return -1


def of_line(path: str, number: int, line: str) -> list[Mutation]:
    if SKIPPED.match(line):
        return []
    code = code_of(line)
    found = []

    def add(kind: str, start: int, end: int, instead: str) -> None:
        found.append(Mutation(path, number, kind, line, line[:start] + instead + line[end:]))

    for m in OPERATOR.finditer(code + " "):
        add("operator", *m.span(), OPERATORS[m[0]])
    for m in WORD.finditer(code):
        add("word", *m.span(), WORDS[m[0]])
    for m in NUMBER.finditer(code):
        add("constant", *m.span(), other_number(m[0]))
    for m in SIGN.finditer(code):
        add("sign", *m.span(), "")
    for m in NOT.finditer(code):
        add("negation", *m.span(), "")
    for m in CONDITION.finditer(code):
        end = closing(code, m.end() - 1)
        if end > 0:
            add("condition", m.end(), end, f"!({line[m.end() : end]})")
    if STATEMENT.match(code.rstrip()) and not code.lstrip().startswith("return"):
        add("dropped", 0, len(line), "")
    return found


def of_text(path: str, text: str) -> list[Mutation]:
    return [m for k, line in enumerate(text.split("\n"), 1) for m in of_line(path, k, line)]


def of_files(root: pathlib.Path, paths: list[pathlib.Path]) -> list[Mutation]:
    return [m for path in paths for m in of_text(str(path), (root / path).read_text(encoding="utf-8"))]
