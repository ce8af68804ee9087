#!/usr/bin/env bash
# The program, built by Debian's CUDA 12.4 (tests/cuda/toolkit12.sh) for 7.0, 8.0 and 9.0, and its kernels, verified as that
# nvcc compiled them, on a virtual V100, A100 and H100: tests/cuda/cuda12.sh [FOLDER]. Exits with 77 where the toolkit
# cannot be had.
#   tests/cuda/cuda12.sh --changed [FOLDER]: only if a source of the GPU part is not as it was when results/cuda12.md was
#                                            written
#   tests/cuda/cuda12.sh --record [FOLDER]: writes that file, after they have passed
# CUDA12 names a folder that has the toolkit.
set -euo pipefail
cd -- "$(dirname -- "$0")/../.."
record=results/cuda12.md
mode=check
case ${1:-} in --changed | --record) mode=${1#--} && shift ;; -*) echo "$0: $1 is unknown" >&2 && exit 2 ;; esac
folder=${1:-build/cuda12}
sources() {
  { find apps -name '*.cu*' -o -name cuda.hpp
    find microkernels/cuda bench/cuda bench/virtual_gpu/cudart bench/virtual_gpu/stream -type f ! -name '*.md'
    echo bench/virtual_gpu/CMakeLists.txt
    echo tools/cmake/Cuda.cmake
  } | LC_ALL=C sort | xargs cat | sha256sum | cut -c1-16
}
if [ $mode = changed ] && grep -qs "sources $(sources)" $record; then
  echo "CUDA 12: no source of the GPU part changed since $record was written"
  exit 0
fi
toolkit=${CUDA12:-$folder/toolkit}
mkdir -p "$folder"
tests/cuda/toolkit12.sh "$toolkit"
nvcc=$(readlink -f -- "$toolkit/bin/nvcc")
fail() { tail -n 40 "$folder/log" >&2; echo "FAILED: $*" >&2; exit 1; }
cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O2 -DCMAKE_CUDA_FLAGS_RELEASE=-O1 \
  -DROOFLINE_WERROR=ON -DROOFLINE_TESTS=OFF "-DROOFLINE_NVCC=$nvcc" "-DROOFLINE_CUDA_ARCHITECTURES=70;80;90" \
  >"$folder/log" 2>&1 || fail "it cannot be configured"
grep -q '^-- GPU part without counters: .*it begins with CUDA 12.6' "$folder/log" || fail "nothing says why there are no counters"
cmake --build "$folder" --parallel "$(nproc)" --target roofline_bench >>"$folder/log" 2>&1 || fail "it does not build"
# As many kernels for each target as for the others, but for what a target alone has.
code=$("$toolkit/bin/cuobjdump" -lelf "$folder/bin/roofline_bench" | grep -o 'sm_[0-9a]*' | sort | uniq -c | awk '{print $2 ": " $1}' | paste -sd, | sed 's/,/, /g')
for target in sm_70 sm_80 sm_90 sm_90a; do [[ "$code," == *"$target: "* ]] || fail "no machine code for $target: $code"; done
rows=
for device in v100 a100 h100; do
  "$folder/bin/roofline_bench" --device=virtual:$device --verify --seed=3 --gpp=3,2,61,7 --gsrb=5 --lbm=5,256 --stencil=35 \
    --stream=4099 --ert=4099 --out="$folder/$device" >"$folder/verify" 2>&1 || { tail -n 20 "$folder/verify"; fail "$device"; }
  rows+="| $device | $(tail -n 1 "$folder/verify") |"$'\n'
done
printf '%s' "$rows"
# A run without CUPTI says why it counts nothing, and what it uses instead.
ROOFLINE_VIRTUAL_CLOCK=1 ROOFLINE_VIRTUAL_CUPTI=1 "$folder/bin/roofline_bench" --device=virtual:v100 --stream=64 --quick \
  --benchmark_filter=stream/triad --ceilings=none --out="$folder/run" >>"$folder/log" 2>&1 || fail "a run without counters"
grep -q 'begins with CUDA 12.6; build with a newer toolkit.*; bytes are ' "$folder/run/run.json" || fail "no line on the counters"
[ $mode = record ] || exit 0
{
  cat <<TEXT
# The GPU part, built by CUDA 12.4

\`tests/cuda/cuda12.sh --record\` wrote this file. Debian's nvcc compiled it beside the system's, and it links.

* $("$nvcc" --version | sed -n 's/.*release \(.*\)/nvcc \1/p'), $(g++ --version | head -n 1), sources $(sources)
* Units of machine code: $code
* Warnings are errors.
* $(grep '^-- GPU part' "$folder/log" | sed "s/^-- //; s#of /.*nvcc;#of 12.4;#")

The kernels, as that nvcc compiled them, on virtual GPUs, with random inputs and small sizes:

| device | verified |
|---|---|
TEXT
  printf '%s' "$rows"
} >$record
