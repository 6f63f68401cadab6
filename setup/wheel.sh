#!/usr/bin/env bash
# Makes the Python wheel for other systems, on Debian 12: setup/wheel.sh [FOLDER]. FOLDER (default: build/wheel/dist) gets cellproof-*.whl.
# The programs are built in build/wheel with libstdc++ and the C++ libraries inside; setup/wheel.py packs them. No part of `./cellproof test`: it builds
# everything once more.
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "$0")")")
# shellcheck source=setup/common.sh
. "$root/setup/common.sh"
cd "$root"
out=${1:-$root/build/wheel/dist}
for tool in patchelf strip; do
  command -v "$tool" >/dev/null || die "$tool is missing: apt-get install patchelf binutils"
done
bash setup/packages.sh run
bash setup/dependencies.sh onnx-definitions backend-tests
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
mkdir -p build/wheel
cmake --preset launcher -B build/wheel -DCELLPROOF_PORTABLE=ON -DCELLPROOF_LAB=OFF >build/wheel/configure.log 2>&1 ||
  die "configuring failed; see $root/build/wheel/configure.log"
mapfile -t programs < <(python3 setup/wheel.py --programs)
cmake --build build/wheel --parallel "$(job_count)" --target "${programs[@]}" >&2
python3 setup/wheel.py build/wheel "$out"
