#!/usr/bin/env bash
# Our CPU ceilings beside those of likwid-bench (Debian package likwid), as Markdown: tools/likwid.sh [rounds [rows]]
# Every pair is measured in turns, ours, likwid's, ours, ..., so that both meet the same machine; rates are medians, the
# ratio is the median of those of the rounds. likwid-bench tries several working sets at each level, and its best one is
# taken. Bytes are explicit ones, as likwid counts them: without write-allocates. `rows`: a regular expression for the
# first column.
set -euo pipefail
root=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
bench=$root/build/release/bin/roofline_bench
rounds=${1:-5} rows=${2:-.}
command -v likwid-bench > /dev/null || { echo "likwid.sh: no likwid-bench: apt-get install likwid" >&2; exit 3; }
[ -x "$bench" ] || { echo "likwid.sh: $bench is missing: tools/run.sh builds it" >&2; exit 3; }
threads=$(nproc)
simd=avx512 isa=avx512
grep -qw avx512f /proc/cpuinfo || simd=avx isa=avx2  # as likwid and we call it
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# ours NAME FACTOR: FLOP/s or explicit B/s of one ceiling, in 10^9. FACTOR: bytes moved per explicit byte.
ours() {
  "$bench" --benchmark_filter="^$1/threads:$threads\$" --out="$scratch" --benchmark_format=csv 2> /dev/null |
    awk -F, -v factor="$2" '/^name,/ { for (i = 1; i <= NF; ++i) from_end[$i] = NF - i; next }  # labels hold commas
      /ceiling/ { print ("\"FLOP/s\"" in from_end ? $(NF - from_end["\"FLOP/s\""]) : $(NF - from_end["\"B/s\""]) / factor) / 1e9 }'
}
# likwid KERNEL SIZE: GFLOP/s of a peakflops kernel, GB/s of the others.
likwid() {
  likwid-bench -t "$1" -w "S0:$2:$threads" -s 1 2> /dev/null |
    awk -v kernel="$1" '/MFlops\/s/ { flops = $2 } /MByte\/s/ { bytes = $2 }
      END { print (kernel ~ /^peakflops/ ? flops : bytes) / 1000 }'
}
median() { sort -g | awk '{ x[NR] = $1 } END { print (x[int((NR + 1) / 2)] + x[int(NR / 2) + 1]) / 2 }'; }

# pair TITLE OUR-CEILING FACTOR KERNEL SIZE...
pair() {
  local title=$1 name=$2 factor=$3 kernel=$4 size
  shift 4
  [[ $title =~ $rows ]] || return 0
  rm -f "$scratch"/*.txt
  for ((round = 0; round < rounds; ++round)); do
    ours "$name" "$factor" >> "$scratch/ours.txt"
    for size in "$@"; do likwid "$kernel" "$size" >> "$scratch/likwid-$size.txt"; done
  done
  local mine best=0 best_size='' now
  mine=$(median < "$scratch/ours.txt")
  for size in "$@"; do
    now=$(median < "$scratch/likwid-$size.txt")
    if awk "BEGIN { exit !($now > $best) }"; then best=$now best_size=$size; fi
  done
  local ratio
  ratio=$(paste "$scratch/ours.txt" "$scratch/likwid-$best_size.txt" | awk '{ print $1 / $2 }' | median)
  awk -v t="$title" -v a="$mine" -v b="$best" -v k="$kernel" -v s="$best_size" -v r="$ratio" \
    'BEGIN { printf "| %s | %.1f | %.1f | %s, %s | %.2f |\n", t, a, b, k, s, r }'
}

echo "| ceiling | ours | likwid-bench | its kernel and working set | ours / likwid |"
echo "|---|---:|---:|---|---:|"
pair "FP64 FMA, GFLOP/s" "ceiling/flops/fp64/fma/$isa" 1 "peakflops_${simd}_fma" 32kB
for level in L1:32kB:64kB L2:512kB:1MB L3:8MB:16MB:24MB DRAM:1500MB; do
  IFS=: read -ra part <<< "$level"
  sizes=("${part[@]:1}") level=${part[0]}
  for mix in "read:1:load_$simd" "write:2:store_$simd" "copy:1.5:copy_$simd" "triad:1.33333333:stream_${simd}_fma" \
    "update:1:update_$simd"; do
    IFS=: read -r name factor kernel <<< "$mix"
    [ "$level" = L1 ] && factor=1
    pair "$level $name, GB/s" "ceiling/bandwidth/$level/$name" "$factor" "$kernel" "${sizes[@]}"
  done
done
for mix in "write_nt:store_mem_$simd" "copy_nt:copy_mem_$simd" triad_nt:stream_mem_avx_fma; do
  pair "DRAM ${mix%:*}, GB/s" "ceiling/bandwidth/DRAM/${mix%:*}" 1 "${mix#*:}" 1500MB
done
