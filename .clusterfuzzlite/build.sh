#!/usr/bin/env bash
# Called by the service in the image of the Dockerfile beside this, which has built the fuzzers already: the compiler and flags that the service
# suggests would link another C++ library than Debian's packages were built with.
set -euo pipefail
cp -a /fuzzers/. "$OUT"/
