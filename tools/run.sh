#!/usr/bin/env bash
# Installs what is missing, builds what the run needs, runs: tools/run.sh [roofline_bench arguments]; --help explains
# them. The GPU part takes most of a build's time: it is built when a run needs it, and kept from then on.
set -euo pipefail
root=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
part=()
"$root"/tools/needs_gpu.sh "$@" || part=(--cpu)
"$root"/tools/build.sh "${part[@]}" roofline_bench
code=0
"$root"/build/release/bin/roofline_bench "$@" || code=$?
# The program that reads results: the first result does not wait for it.
[ "$code" -lt 128 ] || exit "$code"
cd -- "$root"
first=$([ -x build/release/bin/roofline ] || echo yes)
[ -z "$first" ] || echo "building roofline, which reads results" >&2
cmake --build --preset release --target roofline >/dev/null || echo "no roofline: tools/build.sh roofline says why" >&2
[ -z "$first" ] || echo "$root/build/release/bin/roofline show --all has every row; --help the rest" >&2
exit "$code"
