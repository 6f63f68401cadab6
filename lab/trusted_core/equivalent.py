"""Changes that no test can notice, with the reason: they alter nothing that an output could show."""

# By file and changed line.
EQUIVALENT: dict[str, str] = {
    "oracle/quantized/evaluation.cpp: operator: if (only && (b != only->b || only->last + 1 <= f.lengths[at(b)])) continue;": (
        "a row that does not confirm its last state is followed by the whole evaluation in balls, which does: it takes longer"
    ),
}


def key_of(name: str) -> str:
    """A mutation's name without the number of its line."""
    path, _, rest = name.partition(":")
    return f"{path}: {rest.partition(': ')[2]}"


def reason_for(name: str) -> str | None:
    return EQUIVALENT.get(key_of(name))
