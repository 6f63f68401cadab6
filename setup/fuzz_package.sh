#!/usr/bin/env bash
# Packs the fuzzers of a build of the preset `fuzz-address` as ClusterFuzzLite and OSS-Fuzz want them: setup/fuzz_package.sh BUILD OUT
# Into OUT go each program under its target's name, its seeds as TARGET_seed_corpus.zip, its options and dictionary, and in lib/ the shared
# libraries that a bare machine does not have, which the programs look for beside themselves.
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "$0")")")
# shellcheck source=setup/common.sh
. "$root/setup/common.sh"
(($# == 2)) || { say "usage: setup/fuzz_package.sh BUILD OUT"; exit 2; }
build=$1
out=$2
[ -d "$build/bin" ] || die "$build: expected a build of the preset fuzz-address, with programs in bin/"
for tool in patchelf zip; do
  command -v "$tool" >/dev/null || die "$tool is missing: apt-get install $tool"
done

# Every system that runs programs has these, in its own version.
of_the_system='^(linux-vdso|ld-linux-x86-64|libc|libm|libdl|libpthread|librt)\.so'
mkdir -p "$out/lib"
out=$(readlink -f "$out") # seeds are packed from inside their folder
for folder in "$root"/corpus/seeds/*/; do
  target=$(basename "$folder")
  program=$build/bin/cellproof-fuzz-${target//_/-}
  [ -x "$program" ] || die "$program is missing"
  install "$program" "$out/$target"
  libraries=$(ldd "$program")
  missing=$(awk '/=> not found/ { print $1 }' <<<"$libraries")
  [ -z "$missing" ] || die "$program needs ${missing//$'\n'/, }, which this system does not have"
  awk '$2 == "=>" && $3 ~ /^\// { print $3 }' <<<"$libraries" | while read -r library; do
    [[ $(basename "$library") =~ $of_the_system ]] || install -m 644 "$library" "$out/lib/"
  done
  patchelf --set-rpath "\$ORIGIN/lib" "$out/$target"
  cp "$root/lab/fuzz_targets/$target".* "$out/" 2>/dev/null || die "lab/fuzz_targets/$target.options is missing"
  rm -f "$out/$target.cpp"
  (cd "$folder" && find . -type f | LC_ALL=C sort | zip -q -X -@ - >"$out/${target}_seed_corpus.zip")
done
for library in "$out"/lib/*; do patchelf --set-rpath "\$ORIGIN" "$library"; done
say "$(find "$out" -maxdepth 1 -type f -perm -u+x | wc -l) fuzzers in $out"
