#!/usr/bin/env bash
# Makes corpus/seeds as small as it can be with what it is there for: setup/minimise_seeds.sh [--with DIR] [TARGET...]
# Of each target (default: all) it keeps an input only where it reaches an edge that no other kept one reaches; of `differential` besides those
# that kill a mutant that no other kept one kills. It prints inputs, edges and mutants before and after. --with DIR: the inputs in DIR/TARGET
# take part, too, as cellproof-fuzz-seeds writes them or a campaign leaves them in build/fuzz/learnt. Nothing changes in a folder until all is known
# of it. Afterwards corpus/manifest.txt wants to be approved (docs/corpus.md).
# CELLPROOF in the environment: the program that scores mutants, where it shall not be ./cellproof.
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "$0")")")
# shellcheck source=setup/common.sh
. "$root/setup/common.sh"
# shellcheck source=setup/fuzz_options.sh
. "$root/setup/fuzz_options.sh"

usage() {
  say "usage: setup/minimise_seeds.sh [--with DIR] [TARGET...]; targets are the folders of corpus/seeds"
  exit 2
}
with=
targets=()
while (($#)); do
  case $1 in
    --with)
      [ -d "${2:-}" ] || usage
      with=$(readlink -f "$2")
      shift 2
      ;;
    -*) usage ;;
    *)
      [ -d "$root/corpus/seeds/$1" ] || usage
      targets+=("$1")
      shift
      ;;
  esac
done
cd "$root"
if ((!${#targets[@]})); then
  for folder in corpus/seeds/*/; do targets+=("$(basename "$folder")"); done
fi
bash setup/build.sh fuzz cellproof-fuzz-seeds
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run TARGET ARGUMENT...: the target with its options; libFuzzer's words go to $work/log.
run() {
  local target=$1
  shift
  mapfile -t options < <(options_of "$target")
  local status=0
  ASAN_OPTIONS=$(asan_options_of "$target") "build/fuzz/bin/cellproof-fuzz-${target//_/-}" "${options[@]}" "$@" 2>"$work/log" || status=$?
  ((!status)) || {
    tail -n 20 "$work/log" >&2
    die "$target ended with status $status; the end of what it said is above"
  }
}
edges_of() { # TARGET FOLDER
  run "$1" -runs=0 "$2" && edges_in "$work/log"
}
count_in() { find "$1" -type f | wc -l; }
# add_killers TARGET ALL KEPT: copies into KEPT what has to be there for the mutants.
add_killers() {
  local all=$2 kept=$3
  ls "$all" >"$work/files"
  ls "$kept" >"$work/kept"
  (cd "$all" && xargs -d '\n' "$root/build/fuzz/bin/cellproof-fuzz-seeds" --cases) <"$work/files" >"$work/cases"
  "${CELLPROOF:-./cellproof}" lab mutants score --cases "$work/cases" --matrix --json >"$work/matrix.json"
  python3 setup/keep_killers.py "$work/files" "$work/kept" "$work/matrix.json" >"$work/chosen" || die "$1: the mutants cannot be told from what was printed"
  while read -r name; do cp "$all/$name" "$kept/"; done <"$work/chosen"
}

for target in "${targets[@]}"; do
  seeds=corpus/seeds/$target
  all=$work/$target.all
  kept=$work/$target.kept
  mkdir "$all" "$kept"
  # By their contents, as libFuzzer names what it keeps: what two have in common is one.
  find "$seeds" ${with:+"$with"/"$target"} -type f -print0 | while IFS= read -rd '' file; do
    cp "$file" "$all/$(sha1sum <"$file" | cut -d ' ' -f 1)"
  done
  seeds_reach=$(edges_of "$target" "$seeds")
  all_reach=$(edges_of "$target" "$all")
  run "$target" -use_counters=0 -set_cover_merge=1 "$kept" "$all"
  [ "$target" != differential ] || add_killers "$target" "$all" "$kept"
  [ -n "$(ls "$kept")" ] || die "$target: nothing would be left"
  kept_reach=$(edges_of "$target" "$kept")
  say "$target: $(count_in "$seeds") seeds reach $seeds_reach edges; of $(count_in "$all") inputs, which reach $all_reach, $(count_in "$kept") are kept, which reach $kept_reach"
  rm -rf "${seeds:?}"
  mkdir "$seeds"
  cp "$kept"/* "$seeds/"
done
