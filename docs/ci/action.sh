#!/usr/bin/env bash
# The work of action.yml: installs PACKAGE with pip, compares ENGINE on SUITE with the base in the current folder, and shows the summary on the job's
# page. Exit code: that of change.sh; 2 where pip or the page fails. With CELLPROOF set nothing is installed.
set -euo pipefail
if [ -z "${CELLPROOF:-}" ]; then
  python3 -m pip install --quiet "$PACKAGE" || { echo "action.sh: pip cannot install '$PACKAGE', expected what brings the command cellproof" >&2; exit 2; }
  export CELLPROOF=cellproof
fi
code=0
"$(dirname "$0")/change.sh" "$ENGINE" "$SUITE" || code=$?
page=${GITHUB_STEP_SUMMARY:-/dev/null}
if [ -e change/summary.md ] && ! { cat change/summary.md >>"$page"; } 2>/dev/null; then
  echo "action.sh: cannot write the summary to $page, the job's page as GITHUB_STEP_SUMMARY names it" >&2
  [ "$code" -ne 0 ] || code=2
fi
exit "$code"
