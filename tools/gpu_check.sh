#!/usr/bin/env bash
# Checks everything that needs an NVIDIA GPU, on a machine that may have no network and none of our libraries:
#
#   tools/gpu_check.sh --pack    on a connected Debian machine: the third-party headers and libraries into gpu-pack/
#                                (ignored by git); copy the working tree with it to the GPU machine
#   tools/gpu_check.sh [DIR]     on the GPU machine: builds, verifies all kernels, tests the counters, measures ceilings
#                                and families, compares with ncu; writes at most 8 files into DIR (roofline-gpu/)
#
# GPU_CHECK_SECONDS limits the whole (default 570); steps that do not fit are skipped and said to be. GPU_CHECK_ARCH
# overrides the compute capabilities to build for. Exit codes: 0 all passed, 1 a step failed, 3 there is no usable GPU,
# 4 something to build with is missing.
# shellcheck disable=SC2317  # steps are functions called by name
set -uo pipefail

root=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
cd -- "$root" || exit 4
pack=$root/gpu-pack
packages=(libbenchmark-dev libbenchmark1debian libfmt-dev libfmt9 nlohmann-json3-dev libcli11-dev libhwloc-dev libhwloc15
  libudev1 libcap2 libgtest-dev)
start=$SECONDS
budget=${GPU_CHECK_SECONDS:-570}

say() { printf '%s\n' "$*" >&2; }
left() { echo $((budget - SECONDS + start)); }

pack() {
  local missing=() package file
  command -v dpkg-query >/dev/null || { say "gpu_check: --pack needs a Debian machine"; exit 4; }
  for package in "${packages[@]}"; do
    dpkg-query -L "$package" >/dev/null 2>&1 || missing+=("$package")
  done
  [ ${#missing[@]} = 0 ] || { say "gpu_check: not installed: ${missing[*]}; tools/build.sh --tests installs them"; exit 4; }
  rm -rf "$pack" && mkdir -p "$pack" || exit 4
  for package in "${packages[@]}"; do
    dpkg-query -L "$package" | while read -r file; do
      case $file in
        */share/doc/* | */share/man/* | */share/bug/* | */usr/src/* | */bin/*) continue ;;
      esac
      # Libraries may be listed under /lib, which is /usr/lib.
      [ -f "$file" ] || [ -L "$file" ] || continue
      local to=$pack/usr/${file#/}
      to=${to/usr\/usr/usr}
      mkdir -p "$(dirname "$to")" && cp -P "$file" "$to"
    done
  done
  printf '%s\n' "${packages[@]}" | xargs dpkg-query -W >"$pack/packages.txt"
  say "packed $(du -sh "$pack" | cut -f1) into ${pack#"$root"/}: copy the tree with it to the GPU machine"
}

[ "${1:-}" != --pack ] || { pack && exit 0; exit 4; }
case ${1:-} in -*) sed -n '2,13s/^# \{0,1\}//p' "$0"; exit 2 ;; esac

out=${1:-roofline-gpu}
mkdir -p -- "$out" && out=$(readlink -f -- "$out") || exit 4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: >"$out/summary.txt"
failed=0

# verdict passed|failed|skipped STEP [detail]
verdict() {
  printf '%-8s %-28s %s\n' "$1" "$2" "${3:-}" | tee -a "$out/summary.txt" >&2
  [ "$1" != failed ] || failed=1
}

# step NAME SECONDS COMMAND...: runs it into $work/NAME.log within SECONDS and what is left
step() {
  local name=$1 limit=$2 code=0 begin=$SECONDS
  shift 2
  [ "$limit" -le "$(left)" ] || limit=$(left)
  if [ "$limit" -lt 5 ]; then
    verdict skipped "$name" "no time left"
    return 1
  fi
  # timeout runs programs, not functions.
  timeout --kill-after=10 "$limit" bash -c '"$@"' _ "$@" >"$work/$name.log" 2>&1 || code=$?
  local took="$((SECONDS - begin)) s"
  case $code in
    0) verdict passed "$name" "$took" ;;
    124 | 137) verdict failed "$name" "stopped after $took" ;;
    *) verdict failed "$name" "exit $code after $took: $(grep -v '^$' "$work/$name.log" | tail -n 1 | cut -c1-160)" ;;
  esac
  return $code
}

build=$root/build/gpu
bench=$build/bin/roofline_bench

build_all() {
  local flags=(-G Ninja -DCMAKE_BUILD_TYPE=Release -DROOFLINE_WERROR=OFF
    -DROOFLINE_CUDA_ARCHITECTURES="${GPU_CHECK_ARCH:-native}")
  if [ -d "$pack/usr" ]; then
    flags+=(-DCMAKE_PREFIX_PATH="$pack/usr" -DCMAKE_LIBRARY_ARCHITECTURE=x86_64-linux-gnu
      -DCMAKE_EXE_LINKER_FLAGS="-Wl,-rpath-link,$pack/usr/lib/x86_64-linux-gnu")
  fi
  cmake -S "$root" -B "$build" "${flags[@]}" && cmake --build "$build" --target roofline_bench
}

machine() {
  nvidia-smi || echo "nvidia-smi: not there"
  nvidia-smi -q -d CLOCK,PERFORMANCE,ECC 2>/dev/null
  nvcc --version
  grep -H RmProfilingAdminOnly /proc/driver/nvidia/params 2>/dev/null
  grep CapEff /proc/self/status
  command -v ncu compute-sanitizer
}

# The counters of rows in a run.json, one "row key value" per line.
counters_of() {
  awk -F'"' '/"name": /{row=$4} /"(bytes_(L1|L2|DRAM)|flops_counted_fp64)": /{v=$3; gsub(/[:, ]/,"",v); print row, $2, v}' "$1"
}

three='^(stream/triad|gpp/nw:2/fma:1/stride:1|gsrb/branch/op:fv4)'
compare_with_ncu() {
  local metrics
  metrics=$("$bench" --describe counters --device=cuda:0 | sed -n 's/^ *--metrics \([^ ]*\).*/\1/p')
  ncu --profile-from-start off --nvtx --print-nvtx-rename kernel --clock-control none --csv --page raw --metrics "$metrics" \
    "$bench" --one-process --quick --counters=none --ceilings=none --benchmark_filter="$three" --out="$work/under-ncu" \
    >"$work/ncu.csv" || { tail -n 5 "$work/ncu.csv"; return 1; }
  "$bench" --quick --ceilings=none --benchmark_filter="$three" --counters="$work/ncu.csv" --out="$work/by-ncu" || return 1
  "$bench" --quick --ceilings=none --benchmark_filter="$three" --counters=cupti --out="$work/by-cupti" || return 1
  counters_of "$work/by-ncu/run.json" | sort >"$work/a"
  counters_of "$work/by-cupti/run.json" | sort >"$work/b"
  join -j1 -o 1.1,1.2,2.2 <(sed 's/ \(.*\) /@\1 /' "$work/a") <(sed 's/ \(.*\) /@\1 /' "$work/b") |
    awk 'BEGIN {printf "%-60s %14s %14s %8s\n", "row and counter", "ncu", "CUPTI", "ratio"}
         {r = $2 > 0 ? $3 / $2 : 0; printf "%-60s %14.6g %14.6g %8.4f\n", $1, $2, $3, r
          n++; if (r < 0.95 || r > 1.05) bad++}
         END {print n + 0, "counters compared,", bad + 0, "differ by more than 5 %"; exit !(n > 0 && bad == 0)}'
}

self_test() {
  "$bench" --device=cuda:0 --counters=cupti --quick --ceilings=none --benchmark_filter=stream/triad --out="$work/self" ||
    return 1
  grep -q '"counters_self_test"' "$work/self/run.json" || { echo "no self-test in run.json"; return 1; }
  ! grep -q '"passed": false' "$work/self/run.json" || { grep -B6 '"passed": false' "$work/self/run.json"; return 1; }
}

export root pack build bench work three
export -f build_all counters_of compare_with_ncu self_test
say "gpu_check: up to $budget s, results in $out"
[ -z "$(command -v nvcc)" ] && [ -x /usr/local/cuda/bin/nvcc ] && PATH=$PATH:/usr/local/cuda/bin
[ ! -d "$pack/usr" ] || export LD_LIBRARY_PATH=$pack/usr/lib/x86_64-linux-gnu${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
machine >"$out/machine.txt" 2>&1
for tool in nvcc cmake ninja g++; do
  command -v "$tool" >/dev/null || { verdict failed build "$tool is missing"; exit 4; }
done
# native asks the GPU; without one a build can still be tried with GPU_CHECK_ARCH.
step build 420 build_all || { cp "$work/build.log" "$out/checks.txt"; exit 4; }

if ! "$bench" --device=cuda:0 --list >/dev/null 2>"$work/none"; then
  verdict failed GPU "$(tail -n 1 "$work/none")"
  exit 3
fi

# All variants at small sizes, each against its reference; a failed verification is exit 1.
step verify 120 "$bench" --device=cuda:0 --quick --benchmark_filter=. --ceilings=none --counters=none --out="$work/verify"
step self-test 60 self_test
step measure 300 "$bench" --device=cuda:0 --ceilings=full --out="$work/run"
for file in run.json roofline.svg efficiency.csv efficiency.md; do
  [ ! -s "$work/run/$file" ] || cp "$work/run/$file" "$out/$file"
done
[ ! -s "$work/measure.log" ] || cp "$work/measure.log" "$out/output.txt"
if command -v ncu >/dev/null; then step ncu 90 compare_with_ncu; else verdict skipped ncu "not installed"; fi
if command -v compute-sanitizer >/dev/null; then
  step sanitizer 90 compute-sanitizer --error-exitcode 9 "$bench" --one-process --device=cuda:0 --quick \
    --ert=1000000 --benchmark_filter='stream|stencil|gsrb|ert/flops:4/.*DRAM' --ceilings=none --counters=none \
    --benchmark_min_time=0 --out="$work/sanitizer"
else
  verdict skipped sanitizer "not installed"
fi

for log in build verify self-test ncu sanitizer; do
  [ -s "$work/$log.log" ] || continue
  printf '==== %s\n' "$log"
  tail -c 400000 "$work/$log.log"
done >"$out/checks.txt"
say "gpu_check: $((SECONDS - start)) s, $(find "$out" -type f | wc -l) files in $out"
exit $failed
