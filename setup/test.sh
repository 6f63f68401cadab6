#!/usr/bin/env bash
# ./cellproof test [--full]: builds and runs the tests. The last line is `N passed, N failed, N skipped`, the failed and the
# skipped are named above it. --full adds: the laboratory and its tests; the program's tests once more under AddressSanitizer,
# LeakSanitizer and UndefinedBehaviorSanitizer; clang-format and clang-tidy; the recipes of the README on a scratch copy, each
# counted as one test.
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "$0")")")
# shellcheck source=setup/common.sh
. "$root/setup/common.sh"
cd "$root"

full=
case "$*" in
  "") ;;
  --full) full=yes ;;
  *)
    say "usage: ./cellproof test [--full]"
    exit 2
    ;;
esac

results=$root/build/test-results
rm -rf "$results"
mkdir -p "$results" || die "cannot write in $root: the build goes into build/ there"
begin=$SECONDS

# step NAME COMMAND...: one thing that passes or fails as a whole, beside the tests that ctest counts.
step() {
  local name=$1 step_begin=$SECONDS
  shift
  say "$name"
  if "$@"; then
    printf 'passed\t%s\t%s\n' "$name" "$((SECONDS - step_begin)) s" >>"$results/steps.tsv"
  else
    printf 'failed\t%s\t%s\n' "$name" "its messages are above" >>"$results/steps.tsv"
  fi
  took "$name" "$step_begin"
}

# took NAME BEGIN: notes how long a part of the whole has taken, for the line before the last.
took() { printf '%s\t%s\n' "$1" "$((SECONDS - $2))" >>"$results/times.tsv"; }

# tests PRESET: builds and runs one preset's tests. ctest's own result is in the JUnit file, test by test; only a ctest that
# could not even write that file counts as a failed step.
tests() {
  local preset=$1
  step "build of preset $preset" bash setup/build.sh "$preset"
  if [ -e "build/$preset/.ready" ]; then
    say "tests of preset $preset"
    local tests_begin=$SECONDS
    ctest --preset "$preset" --parallel "$(job_count)" --output-junit "$results/$preset.xml" || true
    [ -s "$results/$preset.xml" ] || printf 'failed\t%s\t%s\n' "tests of preset $preset" "ctest ran no test" >>"$results/steps.tsv"
    took "tests of preset $preset" "$tests_begin"
  fi
}

if [ -z "$full" ]; then
  tests test
else
  tests full
  tests asan
  step clang-format bash setup/lint.sh --only-format
  step clang-tidy bash setup/lint.sh --only-tidy
  step "recipes of the README" python3 setup/tests/recipes.py .
fi
took "in all" "$begin"
if ! command -v python3 >/dev/null; then # a bare machine on which the installation has failed
  echo "0 passed, 1 failed, 0 skipped"
  exit 1
fi
exec python3 setup/summarise_tests.py "$results"
