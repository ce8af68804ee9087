#!/usr/bin/env bash
# tools/gpu_check.sh from start to end where there is no GPU: tests/tools/gpu_check_sh.sh ROOFLINE_BENCH. The program runs
# on a small virtual GPU, and scripts stand in for nvidia-smi, ncu and compute-sanitizer.
set -euo pipefail
root=$(dirname -- "$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")")
export REAL=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; exit 1; }
mkdir "$work/programs" "$work/home"
export DEVICE=$work/small.json
python3 - "$root" "$DEVICE" <<'PY'
import json, sys
d = json.load(open(sys.argv[1] + "/bench/virtual_gpu/devices/h100.json"))
d["name"] = "small"
def put(part, key, value): part[key] = {"value": value, "source": "made up"}
put(d["sm"], "count", 1), put(d["sm"], "clock", 1e6), put(d["l2"], "size", 1 << 18)
for key, value in (("memory", 32 << 20), ("bus_width", 64), ("memory_clock", 8e6)): put(d["product"], key, value)
rates = {"fma": 128e6, "nofma": 64e6, "L1": 128e6, "L2": 96e6, "DRAM": 64e6}
d["ceilings"] = [c for c in d["ceilings"] if c["resource"] in rates]
for c in d["ceilings"]: put(c, "rate", rates[c["resource"]])
json.dump(d, open(sys.argv[2], "w"))
PY

# The program, of which only stream in a small size is taken, on the virtual GPU: with its clock, which has no counters,
# or without, where what a kernel executes is counted.
cat >"$work/programs/bench" <<'FAKE'
#!/usr/bin/env bash
arguments=() clock=1 rows='stream/(triad|dot)(/n:64)?$'
for a in "$@"; do
  case $a in
    --device=* | --ert=* | --stream=* | --stencil=* | --gpp=* | --lbm=* | --gsrb=* | --benchmark_filter=*) ;;
    --ceilings=full) arguments+=(--ceilings=none) rows+='|fp64/(fma|add)/vector$|(L1|L2|DRAM)/read$' ;;
    --counters=cupti) counters=$a ;;
    --counters=*.csv) clock=; arguments+=("$a") ;;
    --out=*by-cupti) counters=; clock=; arguments+=("$a") ;;
    *) arguments+=("$a") ;;
  esac
done
# Faults are for what verifies and measures: where one is planted, counters are compared all the same.
case " $*" in *' --counters='*) ROOFLINE_VIRTUAL_FAULTS= ;; esac
# Without the clock times are made of ceilings.
[ -n "$clock" ] || for i in "${!arguments[@]}"; do [ "${arguments[i]}" != --ceilings=none ] || unset "arguments[i]"; done
[ -z "${counters:-}" ] || arguments+=("$counters")
[ -z "${NO_GPU:-}" ] || [ "$1" = --version ] || { echo "roofline_bench: no NVIDIA driver is loaded" >&2; exit 3; }
ROOFLINE_VIRTUAL_CLOCK=$clock exec "$REAL" --device="virtual:$DEVICE" --stream=64 "--benchmark_filter=$rows" \
  "${arguments[@]}"
FAKE
cat >"$work/programs/nvidia-smi" <<'FAKE'
#!/bin/sh
case "$*" in
  *--query-gpu*) echo "timestamp, clocks.sm"; while :; do echo "now, 1980 MHz"; sleep 0.5; done ;;
  *) echo "NVIDIA-SMI of $(hostname) for $(id -un) in $HOME" ;;
esac
FAKE
# The counts that ncu would give: the virtual GPU's counts, DRAM times DOUBLED.
cat >"$work/programs/ncu" <<'FAKE'
#!/usr/bin/env bash
while [ $# -gt 0 ] && [ "${1##*/}" != bench ]; do shift; done
for a in "$@"; do case $a in --out=*) out=${a#--out=} ;; esac; done
ROOFLINE_VIRTUAL_FAULTS='' "$1" --quick --out="$out-by-cupti" >/dev/null 2>&1 || exit
echo '"ID","Kernel Name","dram__bytes_read.sum","dram__bytes_write.sum","lts__t_sectors_srcunit_tex_op_read.sum","lts__t_sectors_srcunit_tex_op_write.sum"'
echo '"","","byte","byte","sector","sector"'
python3 - "$out-by-cupti/run.json" "${DOUBLED:-1}" <<'PY'
import json, sys
for i, p in enumerate(json.load(open(sys.argv[1]))["benchmarks"]):
    if p["name"].startswith("stream"):
        dram, l2 = round(p["bytes_DRAM"] * float(sys.argv[2])), round(p["bytes_L2"] / 32)
        print(f'"{i}","{p["name"]}","{dram}","0","{l2}","0"')
PY
FAKE
cat >"$work/programs/compute-sanitizer" <<'FAKE'
#!/usr/bin/env bash
[ "$2" = memcheck ] || ERRORS=
while [ $# -gt 0 ] && [ "${1##*/}" != bench ]; do shift; done
ROOFLINE_VIRTUAL_FAULTS='' "$@" || exit
echo "========= ERROR SUMMARY: ${ERRORS:-0} errors"
[ -z "${ERRORS:-}" ] || exit 9
FAKE
chmod +x "$work"/programs/*

# check CODE [VARIABLE=VALUE...]: runs it; verdicts in $work/out/summary.txt
check() {
  local wanted=$1 code=0
  shift
  rm -rf "$work/out"
  env PATH="$work/programs:$PATH" HOME="$work/home" GPU_CHECK_BENCH="$work/programs/bench" GPU_CHECK_SEED=5 "$@" \
    "$root/tools/gpu_check.sh" "$work/out" >"$work/log" 2>&1 || code=$?
  [ $code = "$wanted" ] || { cat "$work/log"; fail "$*: exit $code, not $wanted"; }
}
# verdict WORD STEP [TEXT]
verdict() {
  grep -E "^$1 +$2 " "$work/out/summary.txt" | grep -E >/dev/null -- "${3:-}" || { cat "$work/out/summary.txt"; fail "no $1 $2 ${3:-}"; }
}

steps=(verify-smallest verify-odd verify-quick-sizes measure ncu verify-usual memcheck-lbm-v4 racecheck-lbm-v4 memcheck
  racecheck memcheck-ert)
check 0
for step in "${steps[@]}"; do verdict passed "$step"; done
verdict skipped counters 'a virtual GPU has no hardware counters'
verdict passed ncu '[1-9][0-9]* counters compared, 0 differ'
[ "$(find "$work/out" -type f | wc -l)" -le 8 ] || fail "more files than it says: $(ls "$work/out")"
for file in run.json roofline.svg efficiency.md output.txt machine.txt checks.txt details.tar.gz; do
  [ -s "$work/out/$file" ] || fail "no $file in its folder"
done
tar -xzOf "$work/out/details.tar.gz" ./clocks.csv | grep >/dev/null '1980 MHz' || fail "the clock was not recorded"
! grep -rqF "$work/home" "$work/out" || fail "a name in what is to be sent: $(grep -rF "$work/home" "$work/out")"

# A planted error is found and named, and stops nothing else.
check 1 ERRORS=2 DOUBLED=2 ROOFLINE_VIRTUAL_FAULTS='launch(Triad):1=illegal-address'
verdict failed memcheck 'ERROR SUMMARY: 2 errors'
verdict failed ncu '[1-9][0-9]* differ by more than 5 %'
verdict failed verify-odd 'FAILED stream/triad'
verdict failed measure 'stream/triad'
verdict passed racecheck
head -n 1 "$work/out/summary.txt" | grep >/dev/null '^failed' || fail "what failed is not listed first"
for step in "${steps[@]}"; do verdict '(passed|failed)' "$step"; done

check 3 NO_GPU=1
verdict failed GPU 'no NVIDIA driver is loaded'
mv "$work/programs/ncu" "$work/programs/compute-sanitizer" "$work/home"
check 0 PATH="$work/programs:/usr/bin:/bin" GPU_CHECK_SECONDS=1
verdict skipped ncu 'not installed'
verdict skipped sanitizers 'not installed'
for step in "${steps[@]}"; do case $step in ncu | *check*) ;; *) verdict skipped "$step" 'no time left' ;; esac; done
