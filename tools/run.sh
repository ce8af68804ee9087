#!/usr/bin/env bash
# Installs what is missing, builds what the run needs, runs: tools/run.sh [roofline_bench arguments]; --help explains
# them. The GPU part takes most of a build's time: it is built when a run needs it, and kept from then on.
set -euo pipefail
root=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
part=()
"$root"/tools/needs_gpu.sh "$@" || part=(--cpu)
"$root"/tools/build.sh "${part[@]}" roofline_bench
exec "$root"/build/release/bin/roofline_bench "$@"
