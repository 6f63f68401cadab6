#!/usr/bin/env python3
"""Checks SARIF logs against the standard's own schema.

    python3 -m venv v && v/bin/pip install pydantic-sarif==0.1.1
    v/bin/python lab/sarif/check.py FILE.sarif...

PyPI's pydantic-sarif is the schema of SARIF 2.1.0 (OASIS, sarif-schema-2.1.0.json), made into classes by a generator: required and unknown
properties, types, enumerations, ranges. Exit code 1 where a log breaks it.
"""

import pathlib
import sys

from pydantic import ValidationError
from pydantic_sarif.model import StaticAnalysisResultsFormatSarifVersion210JsonSchema as Log


def main(names):
    broken = 0
    for name in names:
        try:
            log = Log.model_validate_json(pathlib.Path(name).read_bytes())
            print(f"{name}: keeps to the schema, {sum(len(run.results or []) for run in log.runs)} results")
        except ValidationError as error:
            broken += 1
            first = error.errors()[0]
            print(f"{name}: {error.error_count()} faults, the first at {'.'.join(map(str, first['loc']))}: {first['msg']}")
    return 1 if broken or not names else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
