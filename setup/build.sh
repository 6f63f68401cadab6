#!/usr/bin/env bash
# Brings one preset's build up to date: setup/build.sh launcher|test|full|asan|fuzz|fuzz-address [TARGET...]. Installs and fetches what that build needs
# first. TARGET: what to build besides, for programs that are built on demand.
set -euo pipefail
preset=$1
shift
root=$(dirname "$(dirname "$(readlink -f "$0")")")
# shellcheck source=setup/common.sh
. "$root/setup/common.sh"
trap 'say "interrupted; nothing half-made has been left under its final name, and the same command goes on from here"; exit 130' INT TERM
cd "$root"
build=$root/build/$preset

groups=(run)
to_run=(onnxruntime onnx-reference backend-tests)
target=all
if [ "$preset" = launcher ]; then
  target=programs # no test helpers
elif [[ $preset == fuzz* ]]; then
  groups+=(fuzz)
  to_run=(backend-tests)
  target=fuzzers
else
  groups+=(test)
  to_run+=(onnx-backend-runner)
fi
bash setup/packages.sh "${groups[@]}"
bash setup/dependencies.sh onnx-definitions
# What only runs need comes over the network while the compilers are busy.
CELLPROOF_NO_TICKER=yes bash setup/dependencies.sh "${to_run[@]}" &
fetching=$!
trap 'kill "$fetching" 2>/dev/null || true' EXIT

mkdir -p "$build" 2>/dev/null || die "cannot write in $root: the build goes into build/ there"
exec 8>"$build/.lock"
if ! flock --nonblock 8; then
  say "another cellproof is building in build/$preset; waiting for it"
  flock 8
fi
# CMake refuses a build directory that was made elsewhere: after a move of the checkout it is made anew.
if [ -e "$build/CMakeCache.txt" ] && ! grep -qx "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt"; then
  say "this checkout has moved; building anew"
  find "$build" -mindepth 1 -maxdepth 1 ! -name .lock -exec rm -rf {} +
fi
# The stamp has the time before the build began, so that what is edited meanwhile counts as newer. It gets its name last.
echo "$root" >"$build/.ready.new"
if [ ! -e "$build/build.ninja" ]; then
  say "configuring build/$preset"
  cmake --preset "$preset" >"$build/configure.log" 2>&1 || {
    tail -n 20 "$build/configure.log" >&2
    rm -f "$build/build.ninja"
    die "configuring failed; the end of $build/configure.log is above"
  }
  say "building Cellproof ($preset)"
fi
cmake --build "$build" --target "$target" "$@" --parallel "$(job_count)" >&2 || die "the build of build/$preset failed; the compiler's messages are above"
wait "$fetching" || exit "$?" # it has said why
for made in "$@"; do
  cp --preserve=timestamps "$build/.ready.new" "$build/.ready-$made.new"
  mv "$build/.ready-$made.new" "$build/.ready-$made"
done
mv "$build/.ready.new" "$build/.ready"
