#!/usr/bin/env bash
# Runs a command in whose processes aarch64 programs are emulated: lab/aarch64/emulated.sh COMMAND...
# Needs qemu-user-static, Linux 6.7 and the libraries of setup/sysroot.sh. The kernel is told of the emulator in a namespace that ends with the command.
#   bash setup/wheel.sh --aarch64
#   lab/aarch64/emulated.sh build/wheel-aarch64/bin/cellproof run --suite smoke --engine reference
set -euo pipefail
root=$(dirname "$(dirname "$(dirname "$(readlink -f "$0")")")")
if [ "${1:-}" != --inside ]; then
  exec unshare --user --map-root-user --mount "$0" --inside "$@"
fi
shift
kernel=/proc/sys/fs/binfmt_misc
mount -t binfmt_misc none "$kernel"
# An ELF file of 64 bits, little-endian, for machine 183. F: opened now, so that it is there after a chroot, too.
magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
printf '%s' ":qemu-aarch64:M::$magic:$mask:$(command -v qemu-aarch64-static):F" >"$kernel/register"
export QEMU_LD_PREFIX=$root/.deps/sysroot-arm64 CELLPROOF_ROOT=${CELLPROOF_ROOT:-$root}
exec "$@"
