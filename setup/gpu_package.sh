#!/usr/bin/env bash
# Packs what `./cellproof lab gpu-check` needs for a bare machine with a GPU: setup/gpu_package.sh BUILD OUT.tar.gz
# BUILD is a build of the preset launcher, or of test, whose cuda_test and cudnn_probes_test then travel, too: they have tests that need a device. In the archive:
# cellproof-gpu/cellproof (the launcher), the programs, the shared libraries that a bare machine does not have, and the files that suites read;
# not cuDNN and cuBLAS, which are looked for on the machine (docs/gpu.md).
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "$0")")")
# shellcheck source=setup/common.sh
. "$root/setup/common.sh"
(($# == 2)) || { say "usage: setup/gpu_package.sh BUILD OUT.tar.gz"; exit 2; }
build=$1
archive=$2
most_bytes=$((40 * 1024 * 1024))
for tool in patchelf strip; do
  command -v "$tool" >/dev/null || die "$tool is missing: apt-get install $tool binutils"
done
programs=(cellproof cellproof-lab cellproof-keeper cellproof-engine-reference cellproof-engine-cudnn cellproof-engine-cuda cellproof-cudnn-probe cellproof-device-cases
  cellproof-gpu-bench)
for program in "${programs[@]}"; do
  [ -x "$build/bin/$program" ] || die "$build/bin/$program is missing: build the target $program first"
done
# Such a package would find every engine absent, on a machine that was borrowed for it.
why=$("$build/bin/cellproof-engine-cuda" device </dev/null 2>&1 || true)
[[ $why != *"built without nvcc"* ]] || die "$build has no device code: $why"
[ -d "$root/.deps/backend-tests" ] || die ".deps/backend-tests is missing: setup/dependencies.sh backend-tests"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
out=$folder/cellproof-gpu
mkdir -p "$out/bin" "$out/lib" "$out/.deps" "$out/corpus"
# Every system that runs programs has these, in its own version.
of_the_system='^(linux-vdso|ld-linux-x86-64|libc|libm|libdl|libpthread|librt)\.so'
files=("${programs[@]/#/$build/bin/}")
for tests in "$build/optimized/cuda/cuda_test" "$build/lab/cudnn_probe/cudnn_probes_test"; do
  [ ! -x "$tests" ] || files+=("$tests")
done
for file in "${files[@]}"; do
  program=$(basename "$file")
  install -s "$file" "$out/bin/$program"
  ldd "$file" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | while read -r library; do
    [[ $(basename "$library") =~ $of_the_system ]] || install -m 644 "$library" "$out/lib/"
  done
  patchelf --set-rpath "\$ORIGIN/../lib" "$out/bin/$program"
done
for library in "$out"/lib/*; do patchelf --set-rpath "\$ORIGIN" "$library"; done
cp -rL "$root/.deps/backend-tests" "$out/.deps/"
cp -r "$root/corpus/regressions" "$out/corpus/"
install -m 644 -D "$root/lab/bench/gpu/torch_row.py" "$out/lab/bench/gpu/torch_row.py"
cat >"$out/cellproof" <<'LAUNCHER'
#!/bin/sh
# As ./cellproof of the checkout, with the programs of this folder. Where nothing says where cuDNN and cuBLAS are, Python's wheels are looked at.
here=$(dirname "$(readlink -f "$0")")
if [ -z "${CELLPROOF_CUDNN_DIRS:-}" ] && command -v python3 >/dev/null; then
  CELLPROOF_CUDNN_DIRS=$(python3 -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])' 2>/dev/null) && export CELLPROOF_CUDNN_DIRS
fi
program=cellproof
[ "${1:-}" != lab ] || { program=cellproof-lab && shift; }
CELLPROOF_ROOT=$here exec "$here/bin/$program" "$@"
LAUNCHER
chmod +x "$out/cellproof"
tar -C "$folder" --sort=name --owner=0 --group=0 --mtime=@0 -czf "$archive" cellproof-gpu
bytes=$(stat -c %s "$archive")
((bytes <= most_bytes)) || die "$archive has $bytes bytes, more than the $most_bytes that may be carried"
say "$archive: $bytes bytes"
