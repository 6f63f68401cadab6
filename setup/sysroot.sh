#!/usr/bin/env bash
# Makes .deps/sysroot-arm64: Debian 12's arm64 libraries of the group "run", unpacked, for the build on another processor. Installs nothing.
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "$0")")")
# shellcheck source=setup/common.sh
. "$root/setup/common.sh"
list=$root/setup/apt-packages.txt
stamp=$(stamp_of "$list" "$0")
must_make sysroot-arm64 "$stamp" || exit 0
new=$deps/.new.sysroot-arm64.$$

# An apt of its own: it has arm64 alone and nothing installed, so it names all that the libraries need. The machine's packages stay as they are.
apt=$new/apt
mkdir -p "$apt"/{state/lists/partial,cache/archives/partial,sources}
: >"$apt/status"
arm64_apt() {
  apt-get -q -y -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o APT::Sandbox::User=root -o Debug::NoLocking=yes -o Acquire::Retries=2 \
    -o Dir::State="$apt/state" -o Dir::State::status="$apt/status" -o Dir::Cache="$apt/cache" \
    -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$apt/sources" "$@"
}
# Debian's own sources alone: others need not have arm64.
for sources in /etc/apt/sources.list /etc/apt/sources.list.d/debian.*; do
  [ ! -e "$sources" ] || cp "$sources" "$apt/sources/"
done
fetch() {
  local packages
  packages=$(sed -n 's/^run *|[^|]*|//p' "$list" | sed 's|/[^ ]*||g' | tr ' ' '\n' | grep -E '^lib|-dev$' | sort -u)
  arm64_apt update
  # shellcheck disable=SC2086  # one package a word
  arm64_apt install --download-only --no-install-recommends libc6-dev $packages
}
unpack() {
  local package name database=$new/var/lib/dpkg
  mkdir -p "$new/usr/lib" "$database/info" "$database/updates"
  ln -s usr/lib "$new/lib" # as on Debian
  for package in "$apt"/cache/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink -C "$new"
    # What dpkg-query --admindir needs to tell whose file one is: setup/wheel.py asks it for licences.
    name=$(dpkg-deb --field "$package" Package)
    { dpkg-deb --field "$package" && echo "Status: install ok installed" && echo; } >>"$database/status"
    dpkg-deb --fsys-tarfile "$package" | tar -t | sed 's|^\.||; s|/$||; s|^$|/.|' >"$database/info/$name.list"
  done
  rm -rf "$apt"
  # What points into the root of the other system points into this machine's.
  find "$new" -type l -lname '/*' | while read -r link; do
    ln -snrf "$new$(readlink "$link")" "$link"
  done
}
logged sysroot-arm64 "fetching Debian's arm64 libraries" "Debian's package server" fetch
logged sysroot-arm64 "unpacking Debian's arm64 libraries" "Debian" unpack
publish "$new" sysroot-arm64 "$stamp"
