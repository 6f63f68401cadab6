"""A library in place of one that must be there to be loaded, and that nothing calls: each function of it ends the program.

Debian's FLINT can change numbers into NTL's, so it asks for NTL, which asks for gf2x and for a newer libstdc++ than RHEL 9 has. Cellproof has no such numbers.
"""

import pathlib
import re
import subprocess

SYMBOL = re.compile(r"^\s*\d+: [0-9a-f]+\s+(?P<size>\d+)\s+(?P<kind>FUNC|OBJECT|TLS)\s+(?:GLOBAL|WEAK)\s+DEFAULT\s+(?P<place>UND|\d+)\s+(?P<name>\w+)", re.MULTILINE)


def symbols(library: pathlib.Path, defined: bool) -> dict[str, tuple[str, int]]:
    """What a shared library offers (`defined`), or asks of others: name -> kind and bytes."""
    table = subprocess.run(["readelf", "--wide", "--dyn-syms", str(library)], check=True, capture_output=True, text=True).stdout
    return {m["name"]: (m["kind"], int(m["size"])) for m in SYMBOL.finditer(table) if (m["place"] != "UND") == defined}


def source(wanted: dict[str, tuple[str, int]]) -> str:
    """C source of a library that has these and nothing else."""
    lines = ["static void nothing_calls_it(void) { __builtin_trap(); }"]
    for name, (kind, size) in sorted(wanted.items()):
        if kind == "FUNC":
            lines.append(f'void {name}(void) __attribute__((alias("nothing_calls_it")));')
        else:
            lines.append(f"{'__thread ' if kind == 'TLS' else ''}char {name}[{size}];")
    return "\n".join(lines) + "\n"


def write(real: pathlib.Path, users: list[pathlib.Path], compiler: str, place: pathlib.Path) -> None:
    """Writes a library of the name `place` with all that the users ask of the real one."""
    offered = symbols(real, defined=True)
    asked = {name for user in users for name in symbols(user, defined=False)}
    command = [compiler, "-shared", "-nostdlib", "-fPIC", "-Os", "-s", "-Wl,--build-id=none", f"-Wl,-soname,{place.name}", "-x", "c", "-", "-o", str(place)]
    subprocess.run(command, input=source({name: offered[name] for name in asked & offered.keys()}), check=True, text=True)
