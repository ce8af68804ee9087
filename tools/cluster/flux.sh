#!/usr/bin/env bash
# One process of roofline_bench on each node of a Flux instance: OUT/NODE.0/run.json (Flux does not tell how many tasks
# a node has, so the local number is always there).
#
#   flux.sh NODES [roofline_bench flags]        OUT (runs), BENCH (roofline_bench)
#
# Afterwards: roofline cluster runs --exclude=exclude --form=flux; flux resource drain "$(cat exclude)" slow
set -eu
[ $# -gt 0 ] || { echo "usage: flux.sh NODES [roofline_bench flags]" >&2; exit 2; }
nodes=$1
shift
[ $# -gt 0 ] || set -- --quick
exec flux run --nodes="$nodes" --ntasks="$nodes" --exclusive "${BENCH:-roofline_bench}" "$@" --out="${OUT:-runs}"
