#!/usr/bin/env bash
# The machine code of the ceilings for every target that this nvcc knows: tests/cuda/targets.sh ROOFLINE_TESTS [TARGET...]
# compiles them, two minutes of a core, and has the tests read it that read the program's.
#   --changed ROOFLINE_TESTS: only if a kernel has changed since results/gpu-code.txt was written; the result must then
#                             be that table. Exits with 77 without the nvcc that made it
#   --record ROOFLINE_TESTS: writes it
# NVCC names another compiler.
set -euo pipefail
mode=check
case ${1:-} in --changed | --record) mode=${1#--} && shift ;; esac
tests=$(readlink -f -- "$1")
shift
cd -- "$(dirname -- "$0")/../.."
table=results/gpu-code.txt
nvcc=${NVCC:-nvcc}
kernels() { ls microkernels/cuda/flops/*.cu microkernels/cuda/memory/*.cu; }
header() {
  echo "# Kernels of ceilings: registers; spills in the longest loop, in all; instructions of that loop, of them"
  echo "# arithmetic, NOPs, accesses of 16 B; blocks of 256 of an SM's 2048 threads that registers allow; KiB of its loads."
  echo "# $("$nvcc" --version | sed -n 's/.*release \([0-9.]*\),.*/nvcc \1/p')," \
    "sources $(find microkernels/cuda \( -name '*.cu' -o -name '*.cuh' -o -name '*.hpp' \) | LC_ALL=C sort | xargs cat | sha256sum | cut -c1-16)"
}
if [ $mode = changed ]; then
  command -v "$nvcc" >/dev/null || { echo "no nvcc: the machine code of all targets is not read"; exit 77; }
  [ "$(header)" != "$(head -n 3 $table)" ] || { echo "GPU: no kernel changed since $table was written"; exit 0; }
  [ "$(header | grep -o 'nvcc [0-9.]*')" = "$(head -n 3 $table | grep -o 'nvcc [0-9.]*')" ] ||
    { echo "another nvcc than that of $table"; exit 77; }
fi
[ $# -gt 0 ] || mapfile -t all < <("$nvcc" --list-gpu-arch | sed 's/compute_//' | sort -n)
[ $# -gt 0 ] || set -- "${all[@]}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
g++ -std=c++20 -O1 -I. tests/cuda/code_table.cpp -o "$work/code_table"
failed=0
for target in "$@"; do
  rm -f "$work"/*.cubin
  for source in $(kernels); do
    case ${source##*/}/$target in flops_fp32x2.cu/10?) arch=$target ;; flops_fp32x2.cu/*) continue ;; wgmma.cu/90) arch=90a ;; wgmma.cu/*) continue ;; *) arch=$target ;; esac
    "$nvcc" -cubin -arch="sm_$arch" -I. -O3 -std=c++20 -fmad=false --expt-relaxed-constexpr --extended-lambda \
      -Xcompiler=-ffp-contract=off "$source" -o "$work/$(basename "$source" .cu).cubin"
  done
  # The tests look for cubins within a file.
  { echo; cat "$work"/*.cubin; } >"$work/of-$target"
  if ROOFLINE_CUBINS=$work/of-$target "$tests" --gtest_filter='CudaCeilingCode.*-*Ert*' --gtest_brief=1 >"$work/log" 2>&1; then
    echo "sm_$target: right"
  else
    failed=1
    echo "sm_$target: wrong"
    grep -E 'Failure|FAILED|Which|actual|for [0-9]' "$work/log" | sort | uniq -c | sort -rn | head -n 20
  fi
done
{ header; "$work/code_table" $(printf "$work/of-%s " "$@"); } >"$work/table"
case $mode in
  record) cp "$work/table" $table ;;
  changed) diff -u <(tail -n +4 $table) <(tail -n +4 "$work/table") ||
    { echo "$table is another: tests/cuda/targets.sh --record ROOFLINE_TESTS"; failed=1; } ;;
esac
exit $failed
