#!/usr/bin/env bash
# ./cellproof lint [--only-format|--only-tidy] [--since COMMIT|FILE...]: clang-format and clang-tidy over our sources, over those that
# differ from a commit or see a header that does, or over the files given.
# clang-tidy looks at .cpp files and, through them, at our headers; tests are left out, since GoogleTest's macros trip its checks. Each header must compile alone, and so
# must each source that differs or is given.
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "$0")")")
# shellcheck source=setup/common.sh
. "$root/setup/common.sh"
cd "$root"

only=
case ${1:-} in
  --only-format | --only-tidy)
    only=${1#--only-}
    shift
    ;;
esac
bash setup/packages.sh run test lint
chosen=yes # are there some sources that are looked at, and not all?
if [ "${1:-}" = --since ]; then
  (($# == 2)) || die "--since takes one commit"
  touched=$(python3 setup/touched_sources.py "$2")
  mapfile -t sources < <(grep -E '\.([ch]pp|h)$' <<<"$touched" || true)
  ((${#sources[@]})) || {
    say "no source differs from $2"
    exit 0
  }
elif (($#)); then
  sources=("$@")
else
  chosen=
  mapfile -t sources < <(find spec reference optimized corpus engines oracle causes fuzz reports campaign cli lab -name '*.[ch]pp' -o -path 'optimized/*.h' | sort)
fi
((${#sources[@]})) || die "there is no source to check"
failed=0

if [ "$only" != tidy ]; then
  clang-format --dry-run -Werror "${sources[@]}" || {
    failed=1
    say "clang-format: run  clang-format -i FILE  on what is named above"
  }
fi

if [ "$only" != format ]; then
  # clang-tidy reads gcc's command lines, but not its precompiled headers.
  bash setup/dependencies.sh lint onnx-definitions
  mkdir -p build/tidy
  cmake --preset full -B build/tidy -DCELLPROOF_PRECOMPILE=OFF >build/tidy/configure.log 2>&1 ||
    die "configuring failed; see $root/build/tidy/configure.log"
  # The one header that is made, not written.
  cmake --build build/tidy --target onnx-messages/onnx/onnx-ml.pb.h >>build/tidy/configure.log 2>&1 ||
    die "ONNX's messages could not be made; see $root/build/tidy/configure.log"
  mapfile -t alone < <(printf '%s\n' "${sources[@]}" | grep '\.hpp$')
  mapfile -t units < <(printf '%s\n' "${sources[@]}" | grep '\.cpp$' | grep -v '_test\.cpp$')
  # All of them would take as long as clang-tidy does; what has not changed compiled alone before.
  [ -z "$chosen" ] || mapfile -t -O "${#alone[@]}" alone < <(printf '%s\n' "${units[@]}" | grep -v '^optimized/cuda/device_')
  python3 setup/lone_sources.py "${alone[@]}" || failed=1
  ((${#units[@]})) || exit "$failed"
  python3 setup/tidy.py build/tidy "${units[@]}" || failed=1
fi
exit "$failed"
