#!/usr/bin/env bash
# The choices for each CUDA release: tests/tools/toolkits.sh [NVCC]. Configures this tree with scripts in the place of
# nvcc that pretend to be older releases, with a toolkit whose CUPTI is elsewhere or missing, and with cards that
# nvidia-smi names.
set -euo pipefail
root=$(dirname -- "$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; exit 1; }

# configure NVCC [options]: output in $work/out
configure() {
  local nvcc=$1
  shift
  cmake -S "$root" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DROOFLINE_TESTS=OFF "-DROOFLINE_NVCC=$nvcc" "$@" \
    >"$work/out" 2>&1 || { tail -n 20 "$work/out"; fail "configuring with $nvcc"; }
}
# says N TEXT: the last configuration printed N lines about the GPU part, the last with the text
says() {
  [ "$(grep -c '^-- GPU part' "$work/out" || true)" = "$1" ] || { cat "$work/out"; grep CUPTI "$work/build/CMakeCache.txt"; fail "not $1 lines on the GPU part"; }
  [ "$1" = 0 ] || grep '^-- GPU part' "$work/out" | tail -n 1 | grep -qF -- "$2" || { cat "$work/out"; fail "no '$2'"; }
}

mkdir "$work/old"
for version in 9.2 11.8; do
  printf '#!/bin/sh\necho "Cuda compilation tools, release %s, V%s.99"\n' $version $version >"$work/old/nvcc"
  chmod +x "$work/old/nvcc"
  configure "$work/old/nvcc"
  says 1 "left out: $work/old/nvcc is CUDA $version, 12.0 or later is needed; the CPU part is built"
done
printf '#!/bin/sh\nexit 1\n' >"$work/old/nvcc"
configure "$work/old/nvcc"
says 1 "names no release"
# The rest is built, and says why there is no GPU part when somebody asks for it.
cmake --build "$work/build" --target roofline_without_cuda >"$work/out" 2>&1 || { cat "$work/out"; fail "the CPU part"; }
grep -rqaF "this build has no CUDA kernels: $work/old/nvcc --version names no release" "$work/build/CMakeFiles" ||
  fail "the program does not say why"

nvcc=${1:-}
[ -x "$nvcc" ] || { echo "no nvcc: the other half is not tested"; exit 0; }
case $("$nvcc" --version) in *"release 1"[3-9]*) ;; *) echo "$nvcc is too old for the rest"; exit 0 ;; esac
rm -rf "$work/build"

# CUPTI's headers in a folder of their own, as extras/CUPTI/include is one, then nowhere. CMake's own module finds the folder.
extras=$work/extras/CUPTI/include
mkdir -p "$extras" "$work/nothing"
: >"$extras/cupti_range_profiler.h"
# commands SOURCE: how one file of the GPU part is compiled
commands() { ninja -C "$work/build" -t commands "CMakeFiles/roofline_cuda.dir/bench/cuda/$1.o" 2>&1; }
configure "$nvcc" -DROOFLINE_UNITY=OFF "-DCUDAToolkit_CUPTI_INCLUDE_DIR=$extras"
says 0
[ -e /dev/nvidiactl ] || grep -q '^-- Kernels for 75;90$' "$work/out" || fail "no default targets: $(grep Kernels "$work/out")"
commands cupti_counting.cpp >"$work/commands"
grep -q -- "-isystem $extras " "$work/commands" || { tail -n 3 "$work/commands"; fail "cupti_counting.cpp does not see $extras"; }
configure "$nvcc" -DROOFLINE_UNITY=OFF "-DCUDAToolkit_CUPTI_INCLUDE_DIR=$work/nothing" -UROOFLINE_CUPTI_INCLUDE
says 1 "without counters: no cupti_range_profiler.h in the toolkit of $nvcc; install CUPTI"
commands no_cupti.cpp >"$work/commands"
grep -q 'no_cupti\.cpp' "$work/commands" || { tail -n 3 "$work/commands"; fail "no_cupti.cpp is not built"; }

# The cards that are there, those that this nvcc makes no code for, and none.
mkdir "$work/cards"
cards() {
  printf '#!/bin/sh\n%s\n' "$1" >"$work/cards/nvidia-smi"
  chmod +x "$work/cards/nvidia-smi"
  PATH=$work/cards:$PATH configure "$nvcc" -DROOFLINE_CUDA_ARCHITECTURES=native
  grep -q "^-- Kernels for $2\$" "$work/out" || fail "cards '$1': $(grep Kernels "$work/out")"
}
cards 'echo 8.9; echo 9.0; echo 8.9' '89;90'
cards 'echo 7.0' '75;90'
grep -q '^-- GPU part: this nvcc makes no code for compute capability 7.0' "$work/out" || fail "does not name 7.0"
cards 'echo "No devices were found"; exit 6' '75;90'
grep -q '^-- GPU part: no card to build for' "$work/out" || fail "does not say that there is no card"
