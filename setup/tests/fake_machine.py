"""The outside tools that the launcher calls, as scripts. Each writes what it was called with to $machine/calls.log; files in $machine say what it answers."""

# dpkg-query says that everything is installed, unless bare exists.
DPKG_QUERY = """
[ -e "$machine/bare" ] && exit 1
shift 2
for package; do echo "$package installed"; done
"""

APT_GET = """
echo "apt-get $*" >>"$machine/calls.log"
case "$*" in *install*) ;; *) exit 0 ;; esac
[ -e "$machine/apt-offline" ] && { echo "E: Failed to fetch a.deb  Temporary failure resolving 'debian.example'" >&2; exit 100; }
[ -e "$machine/disk-full" ] && { echo "dpkg: error: failed to write: No space left on device" >&2; exit 100; }
rm -f "$machine/bare"
"""

SUDO = """
echo "sudo $*" >>"$machine/calls.log"
exit 1
"""

# python -m venv DIRECTORY makes a directory with itself in it; -m pip install lays a uv into it.
PYTHON = """
echo "python $*" >>"$machine/calls.log"
case "$*" in
  *-m\\ venv*)
    mkdir -p "$3/bin"
    cp "$0" "$3/bin/python"
    ;;
  *pip\\ install*)
    while [ -e "$machine/slow" ]; do sleep 0.05; done
    [ -e "$machine/offline" ] && { echo "WARNING: Retrying: Failed to establish a new connection: [Errno -3] Temporary failure in name resolution" >&2; exit 1; }
    [ -e "$machine/untrusted" ] && {
      echo "WARNING: Retrying: SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed'))" >&2
      echo "ERROR: Could not find a version that satisfies the requirement uv" >&2
      exit 1
    }
    [ -e "$machine/tampered" ] && { echo "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE." >&2; exit 1; }
    here=$(dirname "$0")
    cp "$machine/uv" "$here/uv"
    ;;
  *write_*.py*) mkdir -p "$2" ;;
  *pip\\ config*) ;;
esac
"""

UV = """
echo "uv $*" >>"$machine/calls.log"
case "$*" in
  venv*) mkdir -p "${@: -1}/bin"; cp "$machine/python" "${@: -1}/bin/python" ;;
  *--target*)
    while [ "$1" != --target ]; do shift; done
    mkdir -p "$2/onnxruntime/capi"
    touch "$2/onnxruntime/capi/libonnxruntime.so.1.32.0" "$2/onnxruntime/LICENSE"
    ;;
esac
"""

# cmake --preset configures, cmake --build leaves a program that prints its arguments and exits with 7.
CMAKE = """
echo "cmake $*" >>"$machine/calls.log"
case "$1" in
  --preset) mkdir -p "build/$2"; touch "build/$2/build.ninja"; echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" >"build/$2/CMakeCache.txt" ;;
  --build)
    echo "[1/1] compiling"
    [ -e "$machine/broken-source" ] && { echo "error: expected ';'"; exit 1; }
    mkdir -p "$2/bin"
    printf '#!/bin/sh\\nfor a; do echo "argument: $a"; done\\necho "root: $CELLPROOF_ROOT"\\nexit 7\\n' >"$2/bin/cellproof"
    chmod +x "$2/bin/cellproof"
    case "$*" in *lab-programs*) cp "$2/bin/cellproof" "$2/bin/cellproof-lab" ;; esac
    ;;
esac
exit 0
"""

FAKES = {"dpkg-query": DPKG_QUERY, "apt-get": APT_GET, "sudo": SUDO, "python": PYTHON, "uv": UV, "cmake": CMAKE}
