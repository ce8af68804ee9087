#!/usr/bin/env bash
# The CPU cache model next to valgrind's cachegrind, as Markdown: accesses and misses of one sweep of triad and stencil.
# cachegrind has two levels, LRU and write-allocate as the model, and counts every access of a program: the difference
# of a run of three sweeps and one of two is a sweep that starts with the caches as a sweep leaves them.
# Usage: tests/validation/cachegrind.sh > results/device-model/cachegrind.md    (needs valgrind and a configured release build)
set -euo pipefail
cd -- "$(dirname -- "$0")/../.."
cmake --build --preset release --target cachegrind_kernels >&2
program=build/release/bin/cachegrind_kernels
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# data references, D1 misses and LL misses of a run: sums of the read and write columns of the totals
totals() {
  valgrind --tool=cachegrind --cache-sim=yes --I1=32768,8,64 --D1="$D1,64" --LL="$LL,64" \
    --cachegrind-out-file="$scratch/out" "$program" "$@" >/dev/null 2>"$scratch/log" ||
    { cat "$scratch/log" >&2; exit 1; }
  awk '/^events:/ { for (i = 2; i <= NF; ++i) at[$i] = i }
       /^summary:/ { print $at["Dr"] + $at["Dw"], $at["D1mr"] + $at["D1mw"], $at["DLmr"] + $at["DLmw"] }' "$scratch/out"
}

echo "# CPU cache model next to cachegrind"
echo
echo "$(valgrind --version); one sweep that finds the caches as the one before left them. Written by \`tests/validation/cachegrind.sh\`."
echo
echo "| kernel | D1 | LL | | cachegrind | model | difference |"
echo "|---|---|---|---|---:|---:|---:|"
compare() {
  local kernel=$1 n=$2
  D1=$3 LL=$4
  read -r -a before < <(totals "$kernel" "$n" 2)
  read -r -a after < <(totals "$kernel" "$n" 3)
  read -r -a model < <("$program" "$kernel" "$n" model "$D1" "$LL")
  local what=(accesses "D1 misses" "LL misses")
  for i in 0 1 2; do
    awk -v row="| $kernel $n | ${D1/,/ B, } ways | ${LL/,/ B, } ways | ${what[i]}" -v a=$((after[i] - before[i])) \
      -v m="${model[i]}" 'BEGIN { printf "%s | %d | %d | %+.3f %% |\n", row, a, m, a == 0 ? 0 : 100 * (m / a - 1) }'
  done
}
compare triad 1000003 32768,8 1048576,16
compare triad 1048576 49152,12 8388608,16
compare stencil 96 32768,8 1048576,16
compare stencil 96 32768,8 8388608,16
compare stencil 131 49152,12 2097152,16
