#!/usr/bin/env bash
# Rewrites the lock files from the .in files beside them: every version, with the hashes of all its wheels.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")"
uv=../.deps/tools/bin/uv
for name in tools lint onnxruntime onnx-reference onnx-backend-runner onednn onednn-sycl cuda; do
  options=()
  [ "$name" = onnxruntime ] && options=(--no-deps) # the wheel's C library needs none of the Python packages
  "$uv" pip compile --quiet --generate-hashes --no-header --python-version 3.11 "${options[@]}" "$name.in" -o "$name.lock"
done
