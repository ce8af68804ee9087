#!/usr/bin/env bash
# The library that stands in for libcudart, seen by a program built with nvcc -cudart shared:
#   tests/virtual_gpu/runtime/shared/replaces_libcudart.sh FOLDER_OF_THE_LIBRARY NVCC REAL_LIBRARY
set -euo pipefail
library=$1 nvcc=$2 real=$3
source=$(dirname -- "$(readlink -f -- "$0")")/program.cu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

symbols() { nm -D --defined-only "$1" | awk '{print $3}' | grep cuda | sort; }
[ -e "$library/$(basename "$real")" ] || fail "there is no $(basename "$real") in $library"
missing=$(comm -23 <(symbols "$real") <(symbols "$library/$(basename "$real")"))
[ -z "$missing" ] || fail "not exported:" $missing

export LD_LIBRARY_PATH=$library ROOFLINE_VIRTUAL_DEVICE=a100 ROOFLINE_VIRTUAL_TABLE=1 ROOFLINE_VIRTUAL_THREADS=1
export ROOFLINE_VIRTUAL_REPORT=$work/report.json
for mode in none speed size; do
  "$nvcc" -cudart shared -arch=sm_80 --compress-mode=$mode -o "$work/program" "$source"
  output=$("$work/program" 2>"$work/errors") || fail "$mode: $output"
  [ "$output" = "right after 1 launch; arrays: cudaErrorNotSupported" ] || fail "$mode: $output"
done
grep -q "no version information" "$work/errors" && fail "its symbols have no version"
grep -q "cudaMallocArray is not supported" "$work/errors" || fail "the refusal is not told"
grep -qE "^add +1 +1 k +0 " "$work/errors" || fail "no row of 1000 FLOPs: $(cat "$work/errors")"
grep -q '"total_flops": 1000' "$work/report.json" || fail "no such FLOPs in the report"

# One past the end is found, named, and the program told as on a device.
! "$work/program" too far >"$work/output" 2>"$work/errors" || fail "an access beyond the end passed"
grep -q "an illegal memory access was encountered" "$work/output" || fail "$(cat "$work/output")"
grep -q "illegal address" "$work/errors" || fail "$(cat "$work/errors")"
# A planned fault, too.
! ROOFLINE_VIRTUAL_FAULTS="launch:1=launch-failure" "$work/program" >"$work/output" 2>&1 || fail "no fault"
grep -q "unspecified launch failure" "$work/output" || fail "$(cat "$work/output")"
