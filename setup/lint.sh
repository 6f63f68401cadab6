#!/usr/bin/env bash
# ./cellproof lint [--only-format|--only-tidy] [FILE]...: clang-format and clang-tidy over our sources, or over the files given.
# clang-tidy looks at .cpp files and, through them, at our headers; tests are left out, since GoogleTest's macros trip its checks.
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
if (($#)); then
  sources=("$@")
else
  mapfile -t sources < <(find spec reference corpus engines oracle reports campaign cli -name '*.[ch]pp' | sort)
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
  [ -e build/test/compile_commands.json ] || {
    bash setup/dependencies.sh onnx
    cmake --preset test >&2
  }
  mapfile -t units < <(printf '%s\n' "${sources[@]}" | grep '\.cpp$' | grep -v '_test\.cpp$')
  log=$root/build/clang-tidy.log
  # One process a file, as many at once as there are cores; what they print (but for their count of hidden warnings) is kept whole.
  printf '%s\0' "${units[@]}" | xargs -0 -n 1 -P "$(job_count)" clang-tidy --quiet -p build/test >"$log" 2>/dev/null || failed=1
  sort -u "$log" >/dev/null
  cat "$log"
  say "clang-tidy: ${#units[@]} files, $(grep -cE '(warning|error):' "$log" || true) complaints"
fi
exit "$failed"
