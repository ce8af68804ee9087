#!/usr/bin/env bash
# Installs what is missing, builds, runs: tools/run.sh [roofline_bench arguments]; --help explains them. The GPU part takes
# most of a build's time: it is built where a driver says that there could be a GPU, and elsewhere by tools/build.sh.
set -euo pipefail
root=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
part=(--cpu)
if [ -e /dev/nvidiactl ] || [ -e /dev/dxg ]; then part=(); fi
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
