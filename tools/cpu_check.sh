#!/usr/bin/env bash
# Checks the CPU's hardware counters on a bare-metal Linux machine, without network and without root:
#
#   tools/cpu_check.sh [DIR]    builds what is missing, then writes into DIR (roofline-cpu/): machine.txt (CPU, kernel,
#                               permissions, counters in sysfs), events.txt (the table that is used), run.json (raw
#                               counts and verdicts of the self-test, counted beside modelled numbers of three
#                               kernels), summary.txt
#
# CPU_CHECK_BENCH names a roofline_bench that is built already; CPU_CHECK_SECONDS limits the whole (default 180). Send the
# folder back: its self-test says what of the table holds on that CPU. Exit codes: 0 counters were used, 1 a row failed,
# 3 nothing can be counted here (summary.txt says why), 4 there is nothing to run.
set -uo pipefail

case ${1:-} in -*) sed -n '2,12s/^# \{0,1\}//p' "$0"; exit 2 ;; esac
root=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
out=${1:-roofline-cpu}
mkdir -p -- "$out" || exit 4
bench=${CPU_CHECK_BENCH:-$root/build/release/bin/roofline_bench}
if [ ! -x "$bench" ] && ! "$root"/tools/build.sh --cpu roofline_bench; then
  echo "cpu_check: no $bench; CPU_CHECK_BENCH=PATH names one" >&2
  exit 4
fi

{
  date -u
  uname -srm
  lscpu
  echo "perf_event_paranoid $(cat /proc/sys/kernel/perf_event_paranoid 2>/dev/null || echo none)"
  echo "nmi_watchdog $(cat /proc/sys/kernel/nmi_watchdog 2>/dev/null || echo none)"
  echo "midr $(cat /sys/devices/system/cpu/cpu0/regs/identification/midr_el1 2>/dev/null || echo none)"
  for device in /sys/bus/event_source/devices/*; do
    printf '%s type %s cpus %s\n' "${device##*/}" "$(cat "$device/type")" "$(cat "$device/cpumask" 2>/dev/null || echo -)"
  done
} >"$out/machine.txt" 2>&1
"$bench" --device=cpu --describe=counters >"$out/events.txt" 2>&1

rows='^(stream/triad(/n:[0-9]+)?|stencil/7pt(/n:[0-9]+)?|gpp/nw:2/fma:1/stride:1)$'
code=0
timeout --kill-after=10 "${CPU_CHECK_SECONDS:-180}" "$bench" --device=cpu --quick --counters=perf --ceilings=none \
  --benchmark_filter="$rows" --out="$out" >"$out/summary.txt" 2>&1 || code=$?
cat "$out/summary.txt"
echo "cpu_check: exit code $code, results in $out" >&2
exit "$code"
