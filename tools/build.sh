#!/usr/bin/env bash
# Installs what is missing (on Debian and its relatives), configures and builds the preset "release":
#   tools/build.sh [--tests|--cpu] [cmake targets]     --tests: also what the tests need; no targets: everything
#   --cpu: without the GPU part of the program, unless that is in the build already
# One line per step on stderr; the output of a step is shown when it fails.
set -euo pipefail

root=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
programs=(g++:g++ cmake:cmake ninja:ninja-build pkg-config:pkg-config)
packages=(libbenchmark-dev libfmt-dev libgtest-dev nlohmann-json3-dev libcli11-dev libhwloc-dev libzstd-dev liblz4-dev)
cpu_only=
compiler_gib=1.5
case ${1:-} in
  --tests)
    shift
    programs+=(objdump:binutils)
    compiler_gib=2.7
    packages+=(python3-jsonschema python3-yaml)
    ;;
  --cpu)
    shift
    cpu_only=yes
    ;;
esac
log=$(mktemp)
trap 'rm -f "$log"' EXIT

say() { printf '%s\n' "$*" >&2; }

# fail LINE: prints the output of the last step, then the line
fail() {
  cat "$log" >&2
  say "$1"
  exit 1
}

find_missing() {
  missing=()
  local entry package
  for entry in "${programs[@]}"; do
    command -v "${entry%%:*}" >/dev/null || missing+=("${entry##*:}")
  done
  # Elsewhere than on Debian the libraries are CMake's to find.
  command -v dpkg-query >/dev/null || return 0
  local native
  native=$(dpkg --print-architecture)
  for package in "${packages[@]}"; do
    # Libraries of other architectures may be there as well, or alone.
    # shellcheck disable=SC2016  # dpkg-query's own variables
    dpkg-query -W -f='${Architecture} ${db:Status-Status}\n' "$package" 2>/dev/null |
      grep -qE "^($native|all) installed" || missing+=("$package")
  done
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

may_install() {
  command -v apt-get >/dev/null || return 1
  [ "$(id -u)" = 0 ] && return
  # With a terminal sudo can ask for the password.
  command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }
}

apt_get() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -y -o DPkg::Lock::Timeout=300 "$@" >>"$log" 2>&1
}

install_missing() {
  may_install || fail "packages are missing; as root: apt-get install ${missing[*]}"
  say "installing ${missing[*]}"
  # The lists of a fresh machine are empty, those of an old one out of date: fetch them when the first try fails.
  apt_get install --no-install-recommends "${missing[@]}" ||
    { apt_get update && apt_get install --no-install-recommends "${missing[@]}"; } ||
    fail "could not install ${missing[*]}"
}

# As many compilers as there are cores and as fit into memory.
parallel_jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(awk -v gib="$compiler_gib" '/^MemAvailable:/ {print int($2 / gib / 1048576)}' /proc/meminfo)
  echo $((memory < 1 ? 1 : memory < cores ? memory : cores))
}

# cached VARIABLE: its value in the build's configuration
cached() { sed -n "s/^$1:[A-Z]*=//p" build/release/CMakeCache.txt 2>/dev/null || true; }

build() {
  cmake --build --preset release --parallel "$(parallel_jobs)" "${targets[@]}"
}

targets=()
[ $# = 0 ] || targets=(--target "$@")
find_missing
[ ${#missing[@]} = 0 ] || install_missing
cd -- "$root"
later=OFF
if [ -n "$cpu_only" ] && { [ ! -e build/release/CMakeCache.txt ] || [ "$(cached ROOFLINE_CUDA_LATER)" = ON ]; }; then
  later=ON
fi
say "configuring"
cmake --preset release -DROOFLINE_CUDA_LATER=$later >"$log" 2>&1 || fail "cmake --preset release failed"
if grep '^-- GPU part' "$log" | sed 's/^-- //' >&2; then
  :
# Nothing is left out where nvcc was not found or not looked for.
elif [ $later = ON ] && [ -x "$(cached ROOFLINE_NVCC)" ]; then
  say "without the GPU part, which --device=virtual needs: tools/build.sh builds it, too"
fi
say "building"
: >"$log"
if [ -t 2 ]; then build >&2; else build >"$log" 2>&1; fi || fail "the build failed"
