#!/usr/bin/env bash
# The work of action.yml: installs PACKAGE with pip, compares ENGINE on SUITE with the base in the current folder, and shows the summary on the job's
# page. Exit code: that of change.sh. With CELLPROOF set nothing is installed.
set -euo pipefail
if [ -z "${CELLPROOF:-}" ]; then
  python3 -m pip install --quiet "$PACKAGE"
  export CELLPROOF=cellproof
fi
code=0
"$(dirname "$0")/change.sh" "$ENGINE" "$SUITE" || code=$?
if [ -e change/summary.md ]; then cat change/summary.md >>"$GITHUB_STEP_SUMMARY"; fi
exit "$code"
