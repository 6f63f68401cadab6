#!/usr/bin/env bash
# Puts into .deps what does not come from Debian: everything pinned, with hashes. Does nothing for what is already there.
#   setup/dependencies.sh NAME...     NAME: tools lint onnx-definitions onnxruntime onnx-reference backend-tests onnx-backend-runner onednn onednn-sycl cuda
# onednn and onednn-sycl are for `./cellproof lab bench` alone, cuda for -DCELLPROOF_CUDA_WHEELS=ON: nothing else asks for them.
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "$0")")")
# shellcheck source=setup/common.sh
. "$root/setup/common.sh"
setup=$root/setup
tools=$deps/tools
python=${CELLPROOF_PYTHON:-/usr/bin/python3} # Debian's: the lock files are for its version, and it is in apt-packages.txt
unset PYTHONPATH PYTHONHOME

# pip and uv must see the same network: uv does not read pip's settings, so those that matter are handed on.
share_pip_settings() {
  local key value
  export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 PIP_RETRIES=${PIP_RETRIES:-2} PIP_DEFAULT_TIMEOUT=${PIP_DEFAULT_TIMEOUT:-30}
  export UV_CACHE_DIR=$deps/uv-cache UV_PYTHON_DOWNLOADS=never UV_HTTP_RETRIES=${UV_HTTP_RETRIES:-2} UV_NO_PROGRESS=1
  while IFS="=" read -r key value; do
    value=${value#\'} value=${value%\'}
    case $key in
      *.cert) export SSL_CERT_FILE=${SSL_CERT_FILE:-$value} ;;
      *.index-url) export UV_DEFAULT_INDEX=${UV_DEFAULT_INDEX:-$value} ;;
    esac
  done < <("$tools/bin/python" -m pip config list 2>/dev/null)
}

make_tools() {
  local stamp new=$deps/.new.tools.$$
  stamp=$(stamp_of "$setup/tools.lock")
  must_make tools "$stamp" || return 0
  say "fetching uv, which makes Python environments, from PyPI"
  logged tools-venv "making a Python environment" "Debian" "$python" -m venv "$new"
  logged tools "fetching uv" "PyPI" env PIP_RETRIES="${PIP_RETRIES:-2}" \
    "$new/bin/python" -m pip install --require-hashes --no-deps --only-binary :all: -r "$setup/tools.lock"
  publish "$new" tools "$stamp"
}

# make_environment NAME LOCK: a Python environment .deps/NAME with exactly what LOCK lists.
make_environment() {
  local name=$1 lock=$2 stamp new=$deps/.new.$1.$$
  stamp=$(stamp_of "$lock")
  must_make "$name" "$stamp" || return 0
  make_tools
  share_pip_settings
  say "fetching the Python environment $name from PyPI"
  logged "$name" "making $name" "PyPI" "$tools/bin/uv" venv --relocatable --python "$python" "$new"
  logged "$name" "fetching $name" "PyPI" env VIRTUAL_ENV="$new" "$tools/bin/uv" pip sync --require-hashes "$lock"
  publish "$new" "$name" "$stamp"
}

make_onnxruntime() {
  local stamp new=$deps/.new.onnxruntime.$$ version=1.32.0
  stamp=$(stamp_of "$setup/onnxruntime.lock")
  must_make onnxruntime-$version "$stamp" || return 0
  make_tools
  share_pip_settings
  say "fetching ONNX Runtime $version (the engine onnxruntime) from PyPI"
  logged onnxruntime "fetching ONNX Runtime" "PyPI" "$tools/bin/uv" pip install --python "$python" --target "$new.wheel" \
    --require-hashes --no-deps --only-binary :all: -r "$setup/onnxruntime.lock"
  mkdir -p "$new"
  mv "$new.wheel/onnxruntime/capi/libonnxruntime.so.$version" "$new.wheel/onnxruntime/LICENSE" "$new/"
  rm -rf "$new.wheel"
  publish "$new" onnxruntime-$version "$stamp"
}

# The toolkit as CMake and nvcc look for it: nvcc's own profile names lib64, and CMake 3.25 wants a libcudart.so without a version.
make_cuda() {
  local stamp new=$deps/.new.cuda.$$
  stamp=$(stamp_of "$setup/cuda.lock")
  must_make cuda-13.0 "$stamp" || return 0
  make_tools
  share_pip_settings
  say "fetching the CUDA toolkit 13.0 and cuDNN (more than a gigabyte) from PyPI"
  logged cuda "fetching the CUDA toolkit" "PyPI" "$tools/bin/uv" pip install --python "$python" --target "$new" \
    --require-hashes --no-deps --only-binary :all: -r "$setup/cuda.lock"
  ln -s lib "$new/nvidia/cu13/lib64"
  ln -s libcudart.so.13 "$new/nvidia/cu13/lib/libcudart.so"
  publish "$new" cuda-13.0 "$stamp"
}

make_backend_tests() {
  local stamp new=$deps/.new.backend-tests.$$
  make_environment onnx-reference-1.23.2 "$setup/onnx-reference.lock"
  stamp=$(stamp_of "$setup/onnx-reference.lock" "$setup/write_backend_tests.py")
  must_make backend-tests "$stamp" || return 0
  say "writing ONNX's 18 node tests for LSTM, GRU and RNN"
  logged backend-tests "writing ONNX's node tests" "ONNX" \
    "$deps/onnx-reference-1.23.2/bin/python" "$setup/write_backend_tests.py" "$new"
  publish "$new" backend-tests "$stamp"
}

# What the build and the tests take from the onnx package: its messages, as protoc reads them, and its schemas.
make_onnx_definitions() {
  local stamp new=$deps/.new.onnx-definitions.$$
  make_environment onnx-reference-1.23.2 "$setup/onnx-reference.lock"
  stamp=$(stamp_of "$setup/onnx-reference.lock" "$setup/write_onnx_definitions.py")
  must_make onnx-definitions-1.23.2 "$stamp" || return 0
  logged onnx-definitions "writing ONNX's messages and schemas" "ONNX" \
    "$deps/onnx-reference-1.23.2/bin/python" "$setup/write_onnx_definitions.py" "$new"
  publish "$new" onnx-definitions-1.23.2 "$stamp"
}

for name; do
  case $name in
    tools) make_tools ;;
    lint) make_environment lint "$setup/lint.lock" ;;
    onnx-definitions) make_onnx_definitions ;;
    onnxruntime) make_onnxruntime ;;
    onnx-reference) make_environment onnx-reference-1.23.2 "$setup/onnx-reference.lock" ;;
    backend-tests) make_backend_tests ;;
    onednn) make_environment onednn-3.2.0 "$setup/onednn.lock" ;;
    onednn-sycl) make_environment onednn-3.13.2 "$setup/onednn-sycl.lock" ;;
    cuda) make_cuda ;;
    onnx-backend-runner) make_environment onnx-backend-runner "$setup/onnx-backend-runner.lock" ;;
    *) die "setup/dependencies.sh does not know '$name'" ;;
  esac
done
