# shellcheck shell=bash
# What the files lab/fuzz_targets/TARGET.options say, for the scripts that start the fuzz targets. Sourced, in the checkout's root.

export UBSAN_OPTIONS=print_stacktrace=1
# section_of TARGET SECTION: a section of its file of options, a line NAME=VALUE for each.
section_of() {
  sed -n "/^\\[$2\\]\$/,/^\\[/s/^\\([a-z_]*\\) = \\(.*\\)\$/\\1=\\2/p" "lab/fuzz_targets/$1.options"
}
# options_of TARGET: those of libFuzzer, as arguments; the dictionary lies beside the file.
options_of() {
  section_of "$1" libfuzzer | sed 's|^|-|; s|^-dict=|-dict=lab/fuzz_targets/|'
}
# asan_options_of TARGET: with a limit for all, that a model may announce much and must not get it. What is set outside counts more.
asan_options_of() {
  echo "allocator_may_return_null=0:detect_leaks=1:$(section_of "$1" asan | paste -sd :)${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
}
# edges_in LOG: how many edges a run of libFuzzer had seen at last; "-" where it did not get so far.
edges_in() {
  local value
  value=$({ grep -o ' cov: [0-9]*' "$1" || true; } | tail -n 1 | tr -dc 0-9)
  echo "${value:--}"
}
