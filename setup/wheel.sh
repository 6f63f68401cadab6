#!/usr/bin/env bash
# Makes the Python wheel for other systems, on Debian 12: setup/wheel.sh [--aarch64] [FOLDER]. FOLDER (default: build/wheel/dist) gets cellproof-*.whl.
# The programs are built in build/wheel with libstdc++ and the C++ libraries inside; setup/wheel.py packs them. No part of `./cellproof test`: it builds
# everything once more. --aarch64: for ARM's 64-bit processors, in build/wheel-aarch64, by Debian's cross compiler.
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "$0")")")
# shellcheck source=setup/common.sh
. "$root/setup/common.sh"
cd "$root"
build=build/wheel
options=()
tools=(patchelf:patchelf strip:binutils)
if [ "${1:-}" = --aarch64 ]; then
  shift
  build=build/wheel-aarch64
  options=(--toolchain cmake/Aarch64.cmake -DCELLPROOF_CUDA=OFF)
  tools+=(aarch64-linux-gnu-g++:g++-aarch64-linux-gnu qemu-aarch64-static:qemu-user-static)
fi
out=${1:-$root/$build/dist}
for tool in "${tools[@]}"; do
  command -v "${tool%:*}" >/dev/null || die "${tool%:*} is missing: apt-get install ${tool#*:}"
done
bash setup/packages.sh run
[ "$build" = build/wheel ] || bash setup/sysroot.sh
bash setup/dependencies.sh onnx-definitions backend-tests
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
mkdir -p "$build"
cmake --preset launcher -B "$build" -DCELLPROOF_PORTABLE=ON -DCELLPROOF_LAB=OFF "${options[@]}" >"$build/configure.log" 2>&1 ||
  die "configuring failed; see $root/$build/configure.log"
mapfile -t programs < <(python3 setup/wheel.py --programs)
cmake --build "$build" --parallel "$(job_count)" --target "${programs[@]}" >&2
python3 setup/wheel.py "$build" "$out"
