#!/usr/bin/env bash
# Runs a command in an aarch64 system's folder, emulated, as user 1000: lab/aarch64/in_chroot.sh FOLDER 'COMMAND'. As root; Linux 6.7, qemu-user-static.
# A folder with Debian 12, its packages unpacked and not configured:
#   debootstrap --foreign --arch=arm64 --variant=minbase --include=ca-certificates,python3,python3-venv bookworm FOLDER
#   for deb in FOLDER/var/cache/apt/archives/*.deb; do dpkg-deb --fsys-tarfile "$deb" | tar -x --keep-directory-symlink -C FOLDER; done
#   rm FOLDER/proc; mkdir -p FOLDER/proc FOLDER/home/tester; chown 1000:1000 FOLDER/home/tester; cp /etc/resolv.conf FOLDER/etc/
#   cp /etc/ssl/certs/ca-certificates.crt FOLDER/etc/ssl/certs/
set -euo pipefail
folder=$(readlink -f "$1")
# shellcheck disable=SC2016  # expanded inside
inner='
mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
magic="\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00"
mask="\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff"
printf "%s" ":qemu-aarch64:M::$magic:$mask:$(command -v qemu-aarch64-static):F" >/proc/sys/fs/binfmt_misc/register
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
exec chroot --userspec=1000:1000 "$1" /usr/bin/env -i HOME=/home/tester LANG=C.UTF-8 PATH=/usr/bin:/bin \
  PIP_CERT=/etc/ssl/certs/ca-certificates.crt bash -c "cd && $2"'
# A user namespace of its own, with all users in it: the emulator is registered there and nowhere else. Its maps are written from outside.
# shellcheck disable=SC2016
unshare --user bash -c 'until grep -q . /proc/self/uid_map && grep -q . /proc/self/gid_map; do sleep 0.1; done
  exec unshare --mount --pid --fork bash -e -c "$1" inner "$2" "$3"' outer "$inner" "$folder" "$2" &
inside=$!
until [ "$(readlink /proc/$inside/ns/user)" != "$(readlink /proc/self/ns/user)" ]; do sleep 0.1; done
echo "0 0 65536" >"/proc/$inside/uid_map"
echo "0 0 65536" >"/proc/$inside/gid_map"
wait "$inside"
