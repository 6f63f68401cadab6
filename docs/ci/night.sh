#!/usr/bin/env bash
# What changes will be compared with: night.sh ENGINE [SUITE] leaves base-1.sqlite and base-2.sqlite in the current folder.
# Two runs, since an engine that reads what nobody has written answers each run otherwise.
set -euo pipefail
cellproof=${CELLPROOF:-$(dirname "$0")/../../cellproof}
for run in 1 2; do
  rm -rf night night.sqlite*
  "$cellproof" run --require-complete --suite "${2:-ci}" --engine "$1" --store night.sqlite -o night || { code=$?; [ $code -eq 1 ] || exit $code; }
  # Only a complete run becomes a base. One that fails may have lost its engine half way: merge looks.
  "$cellproof" merge --require-complete night.sqlite -o night/complete.sqlite
  mv night/complete.sqlite "base-$run.sqlite"
done
