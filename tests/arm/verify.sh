#!/usr/bin/env bash
# Cross-compiles the CPU's kernels and ceilings for Arm and verifies them in an emulator: tests/arm/verify.sh [build folder
# [neon|sve256|sve512 ...]]. Exits with 77 where Debian's g++-aarch64-linux-gnu or qemu-user is missing.
#   tests/arm/verify.sh --changed [...]: installs both if it can, and only if a kernel is not as it was when
#                                        results/arm/verified.txt was written
#   tests/arm/verify.sh --record: writes that file, after they have passed
set -euo pipefail
root=$(dirname -- "$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")")
record=$root/results/arm/verified.txt
# The parts of the machine code for Arm. Headers of text and results are the same code as on this machine.
sources() {
  cd -- "$root"
  find apps microkernels bench/space bench/cache_model bench/levels tests/arm \( -name '*.[ch]pp' -o -path 'tests/arm/CMake*' \) \
    ! -path '*/cuda/*' ! -name 'cuda.*' | LC_ALL=C sort | xargs sha256sum | sha256sum | cut -c1-64
}
case ${1:-} in
  --changed)
    shift
    [ "$(sources)" != "$(cat "$record" 2>/dev/null)" ] ||
      { echo "Arm: no kernel changed since all were verified (results/arm)"; exit 0; }
    "$root/tests/arm/setup.sh" >/dev/null 2>&1 || true
    ;;
  --record)
    "$0"
    sources >"$record"
    exit
    ;;
esac
build=${1:-$root/build/arm}
[ $# = 0 ] || shift
for program in aarch64-linux-gnu-g++ qemu-aarch64 ninja; do
  command -v $program >/dev/null || { echo "$program is missing: Arm kernels are not verified"; exit 77; }
done

# at_least N TEXT FILE...: so many instructions of the objects match
at_least() {
  local least=$1 text=$2 found
  shift 2
  found=$(aarch64-linux-gnu-objdump -d --no-show-raw-insn "$@" | grep -cE "$text" || true)
  ((found >= least)) || { echo "FAILED: $found instructions '$text' in $*, expected $least or more"; exit 1; }
}

# For each kind: the length that the compiler relies on, bytes of a register, and the form of a fused multiply-add.
for kind in "${@:-sve256}"; do
  case $kind in
    neon) bits="" bytes=16 fused='fmla\s+v[0-9]+\.2d' ;;
    sve256) bits=256 bytes=32 fused='fm(la|ad)\s+z[0-9]+\.d' ;;
    sve512) bits=512 bytes=64 fused='fm(la|ad)\s+z[0-9]+\.d' ;;
    *) echo "unknown: $kind; choose from neon sve256 sve512"; exit 2 ;;
  esac
  folder=$build/$kind
  # Libraries have headers for this machine alone; they serve if nothing of a library is linked.
  mkdir -p "$folder/headers"
  for library in fmt nlohmann; do ln -sfn "/usr/include/$library" "$folder/headers/$library"; done
  cmake -S "$root/tests/arm" -B "$folder" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$root/tools/cmake/aarch64.cmake" \
    -DROOFLINE_SVE_BITS="$bits" >"$folder/configure.log" || { cat "$folder/configure.log"; exit 1; }
  ninja -C "$folder" >"$folder/build.log" || { tail -40 "$folder/build.log"; exit 1; }
  objects=$(find "$folder" -name '*.o')
  # shellcheck disable=SC2086  # one name a word
  {
    at_least 100 "$fused" $(grep apps/gpp/cpu <<<"$objects")
    at_least 1000 "$fused" $(grep apps/lbm/collide <<<"$objects")
    at_least 100 'fmla\s+v[0-9]+\.2d' $(grep isa_baseline <<<"$objects")
    at_least 100 'fm(la|ad)\s+z[0-9]+\.d' $(grep isa_256 <<<"$objects")
    at_least 100 'fm(la|ad)\s+z[0-9]+\.s' $(grep isa_512 <<<"$objects")
  }
  printf '%s: ' "$kind"
  qemu-aarch64 -cpu max,sve-default-vector-length=$bytes "$folder/verify_kernels"
  [ -n "$bits" ] || continue
  code=0
  said=$(qemu-aarch64 -cpu max,sve-default-vector-length=16 "$folder/verify_kernels" 2>&1) || code=$?
  [[ $code = 3 && $said == *"another length of SVE registers"* ]] ||
    { echo "FAILED: on a CPU of another length: exit $code, $said"; exit 1; }
done
