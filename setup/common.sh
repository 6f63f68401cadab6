# shellcheck shell=bash disable=SC2154
# What the launcher and the set-up scripts share. Sourced; needs $root (the checkout) and bash -euo pipefail.
# Every message goes to stderr, so that stdout belongs to the program.

deps=$root/.deps
logs=$deps/log
readonly exit_harness=3 # design: 3 = the harness itself failed

say() { printf 'cellproof: %s\n' "$*" >&2; }

die() {
  say "$*"
  exit "$exit_harness"
}

# job_count: how many compilers at once. One core each, and 1.5 GB of memory each: fewer on a machine with little memory.
job_count() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/^MemAvailable:/ { print int($2 / 1500000) }' /proc/meminfo 2>/dev/null || echo "$cores")
  ((memory < 1)) && memory=1
  echo $((cores < memory ? cores : memory))
}

# take_lock: one set-up at a time in this checkout. The lock goes with the process and with those that it has started.
lock_taken=
take_lock() {
  [ -z "$lock_taken" ] || return 0
  mkdir -p "$logs" 2>/dev/null || die "cannot write in $root: set-up keeps what it fetches in .deps there"
  exec 9>"$deps/.lock"
  if ! flock --nonblock 9; then
    say "another cellproof is setting up in $root; waiting for it"
    flock 9
  fi
  lock_taken=yes
  rm -rf "$deps"/.new.* # what an interrupted set-up has left; nobody else can be writing there now
}

# ticker WHAT LOG: while a silent command runs, says how long it has been running; a live line on a terminal, else a line each 20 s.
ticker() {
  local what=$1 log=$2 begin=$SECONDS last width
  width=$(tput cols 2>/dev/null || echo 100)
  while kill -0 $$ 2>/dev/null; do
    read -rt 1 <> <(:) || true # a second's sleep without a process that would outlive us
    if [ -t 2 ]; then
      last=$(tail -n 1 "$log" 2>/dev/null | tr -dc '[:print:]')
      printf '\r\033[K%.*s' "$((width - 1))" "cellproof: $what: $((SECONDS - begin)) s  $last" >&2
    elif (((SECONDS - begin) % 20 == 0)); then
      say "$what: $((SECONDS - begin)) s so far"
    fi
  done
}

# logged NAME WHAT FROM COMMAND...: runs COMMAND with its output in .deps/log/NAME.log. If it fails: one line that says
# what could not be done, why as far as the log tells, and what to do.
logged() {
  local log=$logs/$1.log what=$2 from=$3 ticking result=0
  shift 3
  mkdir -p "$logs"
  ticking=
  # Beside a build, which shows its own progress, it would write over the build's lines.
  if [ -z "${CELLPROOF_NO_TICKER:-}" ]; then
    ticker "$what" "$log" &
    ticking=$!
  fi
  # Without the lock: a service that a package starts would keep it for ever.
  "$@" >"$log" 2>&1 </dev/null 9>&- || result=$?
  if [ -n "$ticking" ]; then
    kill "$ticking" 2>/dev/null || true
    wait "$ticking" 2>/dev/null || true
    [ -t 2 ] && printf '\r\033[K' >&2
  fi
  ((result == 0)) || explain "$log" "$what" "$from"
}

explain() {
  local log=$1 what=$2 from=$3 reason
  # The same hint serves every reason, because nothing half-made is left: what has been finished is kept.
  local again="then run the same command again; what is finished is kept. Log: $log"
  if grep -qiE 'do not match the hashes|hash mismatch|hashes? (are|is) required' "$log"; then
    die "$what: what $from sent does not have the pinned hash, so nothing of it was used; find out why, $again"
  elif grep -qi 'no space left on device' "$log"; then
    die "$what: the disk is full (no space left on device); make room, $again"
  elif reason=$(grep -oiE 'temporary failure (in name )?resol[a-z]*|could ?n.t resolve|name or service not known|failed to resolve|dns error|network is unreachable|no route to host|connection (refused|reset|timed out)|could not connect|failed to establish a new connection|connecttimeout|read ?timed? ?out|error sending request|proxyerror' "$log" | head -n 1) && [ -n "$reason" ]; then
    die "$what: $from cannot be reached ($reason): is this machine offline? connect it, or set http_proxy and https_proxy, $again"
  elif grep -qiE 'certificate.?verify.?failed|invalid peer certificate|unknown ?issuer' "$log"; then
    die "$what: the certificate of $from is not trusted here: is there a proxy that signs for others? set PIP_CERT and SSL_CERT_FILE to the file of its certificates, $again"
  elif grep -qi 'could not get lock' "$log"; then
    die "$what: another package manager is running; wait for it, $again"
  else
    reason=$(grep -iE -m 1 '^(E:|error|fatal)|error:' "$log" || tail -n 1 "$log")
    die "$what failed: ${reason:-no message}; mend that, $again"
  fi
}

# Things in .deps are made under a temporary name and renamed when they are finished, with a stamp inside: the hash of
# what they were made from. So a name that exists is whole, and a changed pin makes it anew.
stamp_of() { cat "$@" | sha256sum | cut -d ' ' -f 1; }

is_current() { # NAME STAMP
  [ "$(cat "$deps/$1/.stamp" 2>/dev/null)" = "$2" ]
}

# must_make NAME STAMP: is there work to do? If so the lock is held afterwards; somebody else may have done it meanwhile.
must_make() {
  ! is_current "$1" "$2" || return 1
  take_lock
  ! is_current "$1" "$2"
}

publish() { # TEMPORARY-DIRECTORY NAME STAMP
  echo "$3" >"$1/.stamp"
  if [ -e "$deps/$2" ]; then
    mv -T "$deps/$2" "$deps/.new.old.$$"
  fi
  mv -T "$1" "$deps/$2"
  rm -rf "$deps/.new.old.$$"
}
