#!/usr/bin/env bash
# Checks everything that needs an NVIDIA GPU, on a machine that may have no network and none of our libraries:
#
#   tools/gpu_check.sh --pack    on a connected Debian machine: the third-party headers and libraries into gpu-pack/
#                                (ignored by git); copy the working tree with it to the GPU machine
#   tools/gpu_check.sh [DIR]     on the GPU machine: builds, verifies all kernels on random inputs, tests the counters,
#                                measures ceilings and families, compares with ncu, runs the sanitizers; writes a table
#                                of verdicts and at most 7 other files into DIR (roofline-gpu/), without names of the
#                                user and the host: to send to whoever is to look at it
#
# Verdicts: passed, failed, outside (a ceiling whose share of theory no card is known to have), skipped.
# GPU_CHECK_SECONDS limits the whole (default 570); steps that do not fit are skipped and said to be, a step that fails
# does not stop the others. GPU_CHECK_SEED repeats the random inputs of an earlier check. GPU_CHECK_ARCH overrides the
# compute capabilities to build for. GPU_CHECK_BENCH is a roofline_bench that was built elsewhere (tools/package.sh
# gives one with its libraries): nothing is built then, and no compiler is needed. Exit codes: 0 all passed, 1 a step
# failed, 3 there is no usable GPU, 4 something to build with is missing.
# shellcheck disable=SC2317  # steps are functions called by name
set -uo pipefail

root=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
cd -- "$root" || exit 4
pack=$root/gpu-pack
libraries=$pack/usr/lib/x86_64-linux-gnu
start=$SECONDS
budget=${GPU_CHECK_SECONDS:-570}

say() { printf '%s\n' "$*" >&2; }
left() { echo $((budget - SECONDS + start)); }

[ "${1:-}" != --pack ] || exec tools/gpu_pack.sh "$pack"
case ${1:-} in -*) sed -n '2,18s/^# \{0,1\}//p' "$0"; exit 2 ;; esac

out=${1:-roofline-gpu}
mkdir -p -- "$out" && out=$(readlink -f -- "$out") || exit 4
work=$(mktemp -d)
trap 'kill "${clocks:-}" 2>/dev/null; rm -rf "$work"' EXIT
: >"$out/summary.txt"
failed=0
seed=${GPU_CHECK_SEED:-$((RANDOM * 32768 + RANDOM + 1))}

# verdict passed|failed|outside|skipped STEP [detail]
verdict() {
  printf '%-8s %-20s %s\n' "$1" "$2" "${3:-}" | tee -a "$out/summary.txt" >&2
  [ "$1" != failed ] || failed=1
}

# The line of a log that says most: a failed row, else the last one.
gist() {
  { grep -m 1 -E '^FAILED|ERROR SUMMARY: [1-9]|RACECHECK SUMMARY: [1-9]' "$1" || grep -v '^ *$' "$1" | tail -n 1; } |
    cut -c1-160
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
  timeout --kill-after=20 "$limit" bash -c '"$@"' _ "$@" >"$work/$name.log" 2>&1 || code=$?
  local took="$((SECONDS - begin)) s"
  case $code in
    0) verdict passed "$name" "$took: $(gist "$work/$name.log")" ;;
    124 | 137 | 143) verdict failed "$name" "stopped after $took" ;;
    *)
      # A missing capability of the machine is not a fault of the program, which reports it in its last line.
      if [ $code = 3 ]; then
        verdict skipped "$name" "$(grep -v '^ *$' "$work/$name.log" | tail -n 1 | cut -c1-160)"
        return $code
      fi
      verdict failed "$name" "exit $code after $took: $(gist "$work/$name.log")"
      ;;
  esac
  return $code
}

build=$root/build/gpu
bench=${GPU_CHECK_BENCH:-$build/bin/roofline_bench}

build_all() {
  local flags=(-G Ninja -DCMAKE_BUILD_TYPE=Release -DROOFLINE_WERROR=OFF -DROOFLINE_TESTS=OFF
    -DROOFLINE_CUDA_ARCHITECTURES="${GPU_CHECK_ARCH:-native}")
  if [ -d "$pack/usr" ]; then
    # The old kind of run path also holds for what the libraries themselves need.
    flags+=(-DCMAKE_PREFIX_PATH="$pack/usr" -DCMAKE_LIBRARY_ARCHITECTURE=x86_64-linux-gnu
      -DCMAKE_EXE_LINKER_FLAGS="-Wl,-rpath-link,$libraries -Wl,-rpath,$libraries -Wl,--disable-new-dtags")
  fi
  cmake -S "$root" -B "$build" "${flags[@]}" && cmake --build "$build" --target roofline_bench
}

machine() {
  nvidia-smi || echo "nvidia-smi: not there"
  nvidia-smi -q -d CLOCK,PERFORMANCE,ECC,POWER,TEMPERATURE 2>/dev/null
  nvcc --version
  cmake --version
  g++ --version
  lscpu | grep -E 'Model name|^CPU\(s\)|NUMA node\(s\)'
  dmesg 2>/dev/null | grep -E 'NVRM|Xid' | tail -n 20
  find /usr/local/cuda*/ -name 'libcupti.so*' -o -name 'libnvperf_host.so*' 2>/dev/null
  ldconfig -p | grep -E 'libcupti|libnvperf|libnvidia-ml'
  grep -H RmProfilingAdminOnly /proc/driver/nvidia/params 2>/dev/null
  grep CapEff /proc/self/status
  command -v ncu compute-sanitizer
}

# Every launch that some sizes give, each against its reference, on the inputs of this check's seed. Cold rows launch the
# same kernels. Arguments: sizes, and the rows to leave out.
verify() {
  local leave_out=$1
  shift
  "$bench" --device=cuda:0 --verify --seed="$seed" --benchmark_filter="-cache:cold|$leave_out" "$@"
}
smallest=(--ert=1 --stream=1 --stencil=3 "--gpp=1,1,1,1" "--lbm=1,256" --gsrb=5)
odd=(--ert=100001 --stream=100001 --stencil=67 "--gpp=9,2,61,7" "--lbm=7,512" --gsrb=6)
usual=(--ert=1048576 --stream=4194304 --stencil=130 "--gpp=64,2,2048,20" "--lbm=67,1024" --gsrb=7)

# sanitize TOOL FILTER ARGUMENTS...: one process, small sizes
sanitize() {
  local tool=$1 filter=$2
  shift 2
  compute-sanitizer --tool "$tool" --error-exitcode 9 "$bench" --one-process --device=cuda:0 --verify --seed="$seed" \
    --benchmark_filter="$filter" "$@"
}

# The counters of rows in a run.json, one "row key value" per line.
counters_of() {
  awk -F'"' '/"name": /{row=$4} /"(bytes_(L1|L2|DRAM)|flops_counted_fp64)": /{v=$3; gsub(/[:, ]/,"",v); print row, $2, v}' "$1" |
    sort -u
}

several='^(stream/(triad|dot)(/n:[0-9]+)?|stencil/7pt(/n:[0-9]+)?|gpp/nw:2/fma:1/stride:1|gsrb/branch/op:fv4/level:7|lbm/(collide/v4|propagate).*)$'
compare_with_ncu() {
  local metrics
  # The command that it prints, with its lines joined as a shell does.
  metrics=$("$bench" --describe counters --device=cuda:0 | sed -e ':a' -e '/\\$/{N;s/\\\n//;ba' -e '}' |
    sed -n 's/^ncu .* --metrics *\([^ ]*\).*/\1/p')
  [ -n "$metrics" ] || { echo "--describe counters names no metrics"; return 1; }
  ncu --profile-from-start off --nvtx --print-nvtx-rename kernel --clock-control none --cache-control none \
    --replay-mode application --print-units base --csv --page raw --metrics "$metrics" \
    "$bench" --one-process --quick --counters=none --ceilings=none --benchmark_filter="$several" --out="$work/under-ncu" \
    >"$work/ncu.csv" || { tail -n 5 "$work/ncu.csv"; return 1; }
  "$bench" --quick --ceilings=none --benchmark_filter="$several" --counters="$work/ncu.csv" --out="$work/by-ncu" || return
  "$bench" --quick --ceilings=none --benchmark_filter="$several" --counters=cupti --out="$work/by-cupti" || return
  counters_of "$work/by-ncu/run.json" >"$work/a"
  counters_of "$work/by-cupti/run.json" >"$work/b"
  compare_counters "$work/a" "$work/b"
}

# Counters of two runs, side by side. If L2 serves nearly all of the data, the bytes that reach DRAM differ between any
# two launches. So DRAM bytes below a fifth of L2's are shown and not judged.
compare_counters() {
  awk 'FNR == NR {ncu[$1 " " $2] = $3; next} ($1 " " $2) in ncu {cupti[$1 " " $2] = $3; rows[++n] = $1 " " $2}
       END {
         printf "%-60s %14s %14s %8s\n", "row and counter", "ncu", "CUPTI", "ratio"
         for (i = 1; i <= n; i++) {
           split(rows[i], part); a = ncu[rows[i]]; b = cupti[rows[i]]
           r = a > 0 ? b / a : a == b
           free = part[2] == "bytes_DRAM" && b < 0.2 * cupti[part[1] " bytes_L2"]
           printf "%-60s %14.6g %14.6g %8.4f%s\n", rows[i], a, b, r, free ? " not judged" : ""
           if (!free && (r < 0.95 || r > 1.05)) bad++
         }
         print n + 0, "counters compared,", bad + 0, "differ by more than 5 %"
         exit !(n > 0 && bad + 0 == 0)
       }' "$1" "$2"
}

# The share of theory that ceilings reached on measured cards; find the reason first if a launch has another share.
# Lines "name least most" of awk's patterns; theory is at the clock that was measured with each.
ranges='
^ceiling/flops/fp(64|32)/(fma|add|mul)/vector$ 0.95 1.01
^ceiling/bandwidth/(L1|shared)/read$ 0.95 1.01
^ceiling/instructions/issue$ 0.95 1.01
^ceiling/bandwidth/DRAM/read$ 0.85 0.97
^ceiling/flops/[a-z0-9]*/fma/tensor:wgmma.*$ 0.85 1.01
'
# outside RUN.JSON: the ceilings outside of their range, one per line
outside() {
  awk -F'"' -v ranges="$ranges" '
    BEGIN {n = split(ranges, line, "\n"); for (i = 1; i <= n; i++) if (split(line[i], f, " ") == 3) {pattern[++m] = f[1]; low[m] = f[2]; high[m] = f[3]}}
    /"name": "ceiling/ {row = $4 in rates ? "" : $4}
    /"(FLOP|B|instructions)\/s": / && row != "" {v = $3; gsub(/[:, ]/, "", v); rate = v + 0; rates[row] = rate}
    /"theory": / && row != "" {
      v = $3; gsub(/[:, ]/, "", v); share = rate / v
      for (i = 1; i <= m; i++) if (row ~ pattern[i] && !(row in told) && (share < low[i] || share > high[i])) {
        told[row] = 1; printf "%s: %.2f of theory, %s to %s were expected\n", row, share, low[i], high[i]}
    }
    END {
      l2 = rates["ceiling/bandwidth/L2/read"]; dram = rates["ceiling/bandwidth/DRAM/read"]
      if (l2 > 0 && dram > l2) printf "ceiling/bandwidth/L2/read: %.3g B/s, less than DRAM gives (%.3g)\n", l2, dram
    }' "$1"
}

# Names of the user and the host have no place in what is sent to others.
anonymous() {
  local name
  for name in "$(hostname 2>/dev/null)" "$(hostname -s 2>/dev/null)" "$(id -un)"; do
    case $name in '' | root | localhost) continue ;; esac
    find "$@" -type f ! -name '*.gz' -exec sed -i "s|\b${name//./\\.}\b|someone|g" {} +
  done
  case ${HOME:-/} in / | /root) ;; *) find "$@" -type f ! -name '*.gz' -exec sed -i "s|$HOME|~|g" {} + ;; esac
}

self_test() {
  "$bench" --device=cuda:0 --counters=cupti --quick --ceilings=none --benchmark_filter='^stream/triad$' \
    --out="$work/self" || return
  grep -q '"self_test"' "$work/self/run.json" || { echo "no self-test in run.json"; return 1; }
  ! grep -q '"passed": false' "$work/self/run.json" || { grep -B6 '"passed": false' "$work/self/run.json"; return 1; }
}

export root pack libraries build bench work several seed
export -f build_all counters_of compare_counters compare_with_ncu self_test verify sanitize
say "gpu_check: up to $budget s, results in $out"
echo "seed $seed (GPU_CHECK_SEED=$seed repeats the inputs)" | tee -a "$out/summary.txt" >&2
[ -z "$(command -v nvcc)" ] && [ -x /usr/local/cuda/bin/nvcc ] && PATH=$PATH:/usr/local/cuda/bin
machine >"$out/machine.txt" 2>&1
if [ -z "${GPU_CHECK_BENCH:-}" ]; then
  for tool in nvcc cmake ninja g++; do
    command -v "$tool" >/dev/null || { verdict failed build "$tool is missing"; exit 4; }
  done
  # native asks the GPU; without one a build can still be tried with GPU_CHECK_ARCH.
  step build $((budget - 150)) build_all || { cp "$work/build.log" "$out/checks.txt"; exit 4; }
elif ! "$bench" --version >"$work/build.log" 2>&1; then
  verdict failed build "$bench: $(tail -n 1 "$work/build.log")"
  exit 4
fi

if ! "$bench" --device=cuda:0 --list >/dev/null 2>"$work/none"; then
  verdict failed GPU "$(tail -n 1 "$work/none")"
  cp "$work/build.log" "$out/checks.txt"
  exit 3
fi

# The state of the card meanwhile: its clock, its power, and the reason why it is not faster.
nvidia-smi --format=csv -lms 500 --query-gpu=timestamp,clocks.sm,clocks.mem,power.draw,temperature.gpu,utilization.gpu,clocks_event_reasons.active \
  >"$work/clocks.csv" 2>/dev/null &
clocks=$!

# Steps that can find most come first, long ones last.
step verify-smallest 30 verify 'level:[678]' "${smallest[@]}"
step verify-odd 30 verify 'level:[78]' "${odd[@]}"
step counters 40 self_test
step verify-quick-sizes 60 "$bench" --device=cuda:0 --verify --seed="$seed" --quick
time=$(($(left) - 110))
time=$((time > 60 ? time : 60))
step measure $time "$bench" --device=cuda:0 --ceilings=full --time-limit=$((time - 15)) --out="$work/run"
for file in run.json roofline.svg efficiency.md; do
  [ ! -s "$work/run/$file" ] || cp "$work/run/$file" "$out/$file"
done
[ ! -s "$work/measure.log" ] || cp "$work/measure.log" "$out/output.txt"
if [ -s "$out/run.json" ]; then
  while IFS= read -r line; do verdict outside measure "$line"; done < <(outside "$out/run.json")
fi
if command -v ncu >/dev/null; then step ncu 60 compare_with_ncu; else verdict skipped ncu "not installed"; fi
step verify-usual 60 verify 'level:8' "${usual[@]}"
if command -v compute-sanitizer >/dev/null; then
  step memcheck-lbm-v4 30 sanitize memcheck '^lbm/collide/v4.*fma:1$' --lbm=2,256
  step racecheck-lbm-v4 30 sanitize racecheck '^lbm/collide/v4.*fma:1$' --lbm=1,256
  step memcheck 60 sanitize memcheck '-cache:cold|level:[678]|fma:0|stride:(2|4|16)|^ert' "${smallest[@]}"
  step racecheck 40 sanitize racecheck '^(stream/dot/n:[0-9]+|gpp/nw:[16]/fma:1/stride:1(/tuned)?)$' "${smallest[@]}"
  step memcheck-ert 30 sanitize memcheck '^ert/flops:4/.*DRAM' --ert=1000000
else
  verdict skipped sanitizers "compute-sanitizer is not installed"
fi

for log in build verify-smallest verify-odd counters verify-quick-sizes ncu verify-usual memcheck-lbm-v4 racecheck-lbm-v4 \
  memcheck racecheck memcheck-ert; do
  [ -s "$work/$log.log" ] || continue
  printf '==== %s\n' "$log"
  tail -c 400000 "$work/$log.log"
done >"$out/checks.txt"
kill "$clocks" 2>/dev/null
# Failures come first.
sort -s -k1,1 "$out/summary.txt" | awk '/^(failed|outside)/' >"$work/first"
grep -vE '^(failed|outside)' "$out/summary.txt" >>"$work/first"
cp "$work/first" "$out/summary.txt"
anonymous "$out" "$work"
# The data behind the verdicts: raw counters of ncu and CUPTI, runs of single steps, the clock.
tar -C "$work" -czf "$out/details.tar.gz" .
say "gpu_check: $((SECONDS - start)) s, $(find "$out" -type f | wc -l) files in $out"
cat "$out/summary.txt"
exit $failed
