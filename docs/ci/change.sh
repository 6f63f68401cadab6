#!/usr/bin/env bash
# A change against the base: change.sh ENGINE [SUITE] in the folder where base-*.sqlite lie; writes change/index.html, change/junit.xml.
# Exit code: that of `cellproof report`, 1 where the change fails in what the base does not; or 2, 3, 77 of `cellproof run`.
set -euo pipefail
cellproof=${CELLPROOF:-$(dirname "$0")/../../cellproof}
bases=()
for base in base-*.sqlite; do
  if [ -e "$base" ]; then bases+=(--baseline "$base"); fi
done
[ ${#bases[@]} -gt 0 ] || echo "change.sh: no base-*.sqlite is here, so all that fails counts as new; night.sh makes them" >&2
rm -rf change change.sqlite*
"$cellproof" run --suite "${2:-ci}" --engine "$1" --store change.sqlite -o change --time-budget 300 || { code=$?; [ $code -eq 1 ] || exit $code; }
"$cellproof" report change.sqlite "${bases[@]}" -o change
