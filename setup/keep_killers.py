"""Which inputs of `differential` are kept for the mutants that they kill: those that kill one which no other kept one kills.

keep_killers.py FILES KEPT MATRIX: FILES names the inputs, a line each, in the order of the case lines of which MATRIX is what `cellproof lab mutants
--cases CASES --matrix --json` printed; KEPT the inputs that are kept whatever they kill. Prints the inputs that are kept besides, and to stderr
the mutation score of all, of KEPT and of what is kept in the end.
"""

import json
import pathlib
import sys


def killed_by(matrix: dict) -> dict[int, set[tuple[str, str]]]:
    """Of each case, by its number from 1, the mutants that it kills, each in an operator."""
    killed: dict[int, set[tuple[str, str]]] = {}
    for mutant in matrix["mutants"]:
        for case in mutant["kills"]:
            killed.setdefault(int(case), set()).add((mutant["operator"], mutant["fault"]))
    return killed


def besides(files: list[str], kept: set[str], killed: dict[int, set[tuple[str, str]]]) -> list[str]:
    """Takes the input that kills most of what is left, the first where several do, until nothing is left; then leaves out what others make needless."""
    kills = {name: killed.get(number, set()) for number, name in enumerate(files, 1)}
    done = set().union(*(kills[name] for name in kept))
    chosen: list[str] = []
    while best := max((name for name in files if kills[name] - done), key=lambda name: len(kills[name] - done), default=""):
        chosen.append(best)
        done |= kills[best]
    for name in list(chosen):
        others = set().union(*(kills[other] for other in [*kept, *chosen] if other != name))
        if kills[name] <= others:
            chosen.remove(name)
    return chosen


def main(files_list: str, kept_list: str, matrix_file: str) -> int:
    files = pathlib.Path(files_list).read_text(encoding="utf-8").splitlines()
    kept = set(pathlib.Path(kept_list).read_text(encoding="utf-8").splitlines())
    matrix = json.loads(pathlib.Path(matrix_file).read_text(encoding="utf-8"))
    if strangers := kept - set(files):
        print(f"{kept_list}: {sorted(strangers)[0]} is not in {files_list}", file=sys.stderr)
        return 2
    killed = killed_by(matrix)
    chosen = besides(files, kept, killed)
    number = {name: n for n, name in enumerate(files, 1)}

    def score(names) -> str:
        return f"{len(set().union(*(killed.get(number[name], set()) for name in names)))} of {matrix['counted']}"

    print(f"mutants killed: {score(files)} by {len(files)} inputs, {score(kept)} by the {len(kept)} that coverage keeps, "
          f"{score([*kept, *chosen])} with {len(chosen)} more", file=sys.stderr)  # fmt: skip
    print("".join(f"{name}\n" for name in chosen), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
