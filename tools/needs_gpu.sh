#!/usr/bin/env bash
# Whether a run of roofline_bench needs the GPU part of the program: tools/needs_gpu.sh [roofline_bench arguments]
# Exits with 0 where it does: a GPU, virtual or not, is asked for, or nothing is and there is one.
# Exits with 1 where the run is on the CPU. Settings of the run decide, not its rows: in doubt it is needed.
set -euo pipefail

device=auto
model=
modelled=
while [ $# -gt 0 ]; do
  case $1 in
    --) break ;;
    --device=*) device=${1#*=} ;;
    --model=*) model=${1#*=} ;;
    --device) device=${2:-} ;;
    --model) model=${2:-} ;;
    --modelled) modelled=yes ;;
  esac
  shift
done

[ -z "$modelled" ] || [ "$device" != auto ] || device=cpu
case $model/$device in
  host/* | /cpu) exit 1 ;;
  /auto) ;;
  *) exit 0 ;;
esac
# As the program sees whether there could be a GPU: a driver is loaded.
[ -e /dev/nvidiactl ] || [ -e /dev/dxg ]
