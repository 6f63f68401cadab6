#!/usr/bin/env bash
# A campaign of libFuzzer over our own code: setup/fuzz_campaign.sh [--time SECONDS] [--merge] [TARGET...]
# Builds the preset `fuzz`, runs each target (default: all) for so long (default: 60), one after the other, and prints what came of
# it: executions, executions a second, edges covered, inputs kept, finds. What it learns stays in build/fuzz/learnt, so a
# later campaign goes on from there; finds are in build/fuzz/finds. --merge: copies what adds coverage into corpus/seeds instead.
# Status: 0 nothing found; 1 a find, or a target that did not run to its end, named; 130 interrupted.
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "$0")")")
# shellcheck source=setup/common.sh
. "$root/setup/common.sh"
# shellcheck source=setup/fuzz_options.sh
. "$root/setup/fuzz_options.sh"
cd "$root"

usage() {
  say "usage: setup/fuzz_campaign.sh [--time SECONDS] [--merge] [TARGET...]; SECONDS from 1 (libFuzzer takes 0 for ever), targets are the folders of corpus/seeds"
  exit 2
}
seconds=60
merge=
targets=()
while (($#)); do
  case $1 in
    --time)
      [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || usage
      seconds=$2
      shift 2
      ;;
    --merge)
      merge=yes
      shift
      ;;
    -*) usage ;;
    *)
      [ -d "corpus/seeds/$1" ] || usage
      targets+=("$1")
      shift
      ;;
  esac
done
if ((!${#targets[@]})); then
  for folder in corpus/seeds/*/; do targets+=("$(basename "$folder")"); done
fi
bash setup/build.sh fuzz

# found_in LOG: the inputs that this run of libFuzzer left behind as finds. Those of earlier runs lie in the same folder, and so do inputs that
# are only slow.
found_in() {
  { grep -o 'Test unit written to .*' "$1" || true; } | sed 's/^Test unit written to //; /\/slow-unit-[^/]*$/d'
}
# stat_in LOG NAME: a number of libFuzzer's final statistics; "-" where it did not get so far.
stat_in() {
  local value
  value=$(sed -n "s/^stat::$2: *//p" "$1" | tail -n 1)
  echo "${value:--}"
}
interrupted() {
  say "interrupted; what was learnt and found until now is in build/fuzz"
  exit 130
}
trap interrupted INT TERM
libfuzzer_interrupted=72 # libFuzzer's status when it, and not this script, was told to end

# Two targets write files for each input, which a disk that others use as well makes ten times slower.
if [ -z "${TMPDIR:-}" ] && [ -w /dev/shm ]; then export TMPDIR=/dev/shm; fi

failed=0
[ -n "$merge" ] || printf '%-18s %12s %8s %8s %8s %6s\n' target executions "a second" edges inputs finds
for target in "${targets[@]}"; do
  program=build/fuzz/bin/cellproof-fuzz-${target//_/-}
  learnt=build/fuzz/learnt/$target
  finds=build/fuzz/finds/$target
  log=build/fuzz/$target.log
  asan=$(asan_options_of "$target")
  mapfile -t options < <(options_of "$target")
  mkdir -p "$learnt" "$finds"
  if [ -n "$merge" ]; then
    ASAN_OPTIONS=$asan "$program" -merge=1 "${options[@]}" "corpus/seeds/$target" "$learnt" 2>"$log" || die "merging $target failed; see $log"
    say "$target: $(find "corpus/seeds/$target" -type f | wc -l) seeds"
    continue
  fi
  say "$target: $seconds s"
  status=0
  ASAN_OPTIONS=$asan "$program" -max_total_time="$seconds" "${options[@]}" -print_final_stats=1 -artifact_prefix="$finds/" \
    "$learnt" "corpus/seeds/$target" 2>"$log" || status=$?
  ((status != libfuzzer_interrupted)) || interrupted
  mapfile -t found < <(found_in "$log")
  printf '%-18s %12s %8s %8s %8s %6s\n' "$target" "$(stat_in "$log" number_of_executed_units)" "$(stat_in "$log" average_exec_per_sec)" \
    "$(edges_in "$log")" "$(find "$learnt" -type f | wc -l)" "${#found[@]}"
  if ((${#found[@]})); then
    say "$target: found ${found[*]}; see $log"
    failed=1
  elif ((status)); then
    say "$target: ended with status $status before its time and left no find; see $log"
    failed=1
  fi
done
exit "$failed"
