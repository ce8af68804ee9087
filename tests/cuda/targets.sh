#!/usr/bin/env bash
# The machine code of the ceilings for any target, read by the tests that read the program's: tests/cuda/targets.sh
# ROOFLINE_TESTS [TARGET...]. Without targets all that this nvcc knows, two minutes of a core each: run by hand when a
# .cu of microkernels/cuda has changed. NVCC names another compiler.
set -euo pipefail
tests=$(readlink -f -- "$1")
shift
cd -- "$(dirname -- "$0")/../.."
nvcc=${NVCC:-nvcc}
[ $# -gt 0 ] || mapfile -t all < <("$nvcc" --list-gpu-arch | sed 's/compute_//' | sort -n)
[ $# -gt 0 ] || set -- "${all[@]}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
for target in "$@"; do
  rm -f "$work"/*.cubin
  for source in microkernels/cuda/flops/*.cu microkernels/cuda/memory/*.cu; do
    case ${source##*/}/$target in wgmma.cu/* | flops_fp32x2.cu/[789]?) continue ;; esac
    "$nvcc" -cubin -arch="sm_$target" -I. -O3 -std=c++20 -fmad=false --expt-relaxed-constexpr --extended-lambda \
      -Xcompiler=-ffp-contract=off "$source" -o "$work/$(basename "$source" .cu).cubin"
  done
  # The tests look for cubins within a file.
  { echo; cat "$work"/*.cubin; } >"$work/all"
  if ROOFLINE_CUBINS=$work/all "$tests" --gtest_filter='CudaCeilingCode.*-*Ert*' --gtest_brief=1 >"$work/log" 2>&1; then
    echo "sm_$target: right"
  else
    failed=1
    echo "sm_$target: wrong"
    grep -E 'Failure|FAILED|Which|actual|for [0-9]' "$work/log" | sort | uniq -c | sort -rn | head -n 20
  fi
done
exit $failed
