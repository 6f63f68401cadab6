#!/usr/bin/env bash
# Called by ClusterFuzzLite and OSS-Fuzz with OUT set. The preset `fuzz` has the sanitizers and libFuzzer, so the flags that they suggest are
# left aside: with another C++ library than the one that Debian's packages were built with the fuzzers would not link.
set -euo pipefail
cd "$(dirname "$(dirname "$(readlink -f "${CELLPROOF_BUILD_SCRIPT:-$SRC/cellproof/.clusterfuzzlite/build.sh}")")")"
unset CC CXX CFLAGS CXXFLAGS
bash setup/build.sh fuzz
bash setup/fuzz_package.sh build/fuzz "$OUT"
