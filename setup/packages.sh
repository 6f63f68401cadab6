#!/usr/bin/env bash
# Installs Debian packages that are missing: setup/packages.sh GROUP..., the groups of apt-packages.txt. With CELLPROOF_NO_INSTALL it names them and goes on.
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "$0")")")
# shellcheck source=setup/common.sh
. "$root/setup/common.sh"

# missing_of PACKAGE...: those that are not installed.
missing_of() {
  local package installed
  installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null || true)
  for package; do
    grep -qx "$package installed" <<<"$installed" || echo "$package"
  done
}

# The names of this system: of two names Debian 12 has the first, later systems the second.
names='s|[^ ]*/||g'
grep -qx 'VERSION_CODENAME=bookworm' "${CELLPROOF_OS_RELEASE:-/etc/os-release}" 2>/dev/null && names='s|/[^ ]*||g'

missing=()
rows=()
while IFS='|' read -r group why packages; do
  [[ " $* " == *" ${group// /} "* ]] || continue
  # shellcheck disable=SC2086,SC2207  # a row's packages are separated by spaces
  absent=($(missing_of $packages | awk '!seen[$0]++'))
  ((${#absent[@]})) || continue
  missing+=("${absent[@]}")
  why=${why# }
  rows+=("  to ${why% }: ${absent[*]}")
done < <(grep -v '^#' "$root/setup/apt-packages.txt" | sed "$names")
((${#missing[@]})) || exit 0
if [ -n "${CELLPROOF_NO_INSTALL:-}" ]; then
  say "installing nothing; wanted, by Debian's names:"
  printf '%s\n' "${rows[@]}" >&2
  exit 0
fi

by_hand="or, where they are there under other names: ./cellproof --no-install"
command -v apt-get >/dev/null || die "this machine has no apt-get, with which cellproof sets itself up. Install by hand: ${missing[*]}; $by_hand"
as_root=()
if [ "$(id -u)" != 0 ]; then
  command -v sudo >/dev/null || die "installing packages needs root, and there is no sudo: run as root: apt-get install ${missing[*]}; $by_hand"
  as_root=(sudo)
  # Without a terminal nobody could answer sudo's question.
  [ -t 0 ] && [ -t 2 ] || as_root=(sudo -n)
  "${as_root[@]}" true || die "installing packages needs root, and sudo refuses: run as root: apt-get install ${missing[*]}; $by_hand"
fi
take_lock
say "installing ${#missing[@]} Debian packages that are missing:"
printf '%s\n' "${rows[@]}" >&2

install() {
  # Waiting for another apt is better than failing; a source that cannot be reached shows in the install if it matters.
  "${as_root[@]}" apt-get -q -o DPkg::Lock::Timeout=120 -o Acquire::Retries=2 update || true
  # unsafe-io: one sync at the end instead of one a file, of which Boost alone has 15,000. On a busy disk that is one minute instead of three.
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 -o Acquire::Retries=2 \
    -o Dpkg::Use-Pty=0 -o Dpkg::Options::=--force-unsafe-io install --no-install-recommends "${missing[@]}" || return
  sync --file-system /usr /var
}
logged apt "installing Debian packages" "Debian's package server" install
