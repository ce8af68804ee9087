#!/usr/bin/env bash
# Installs what is missing, builds, runs: tools/run.sh [roofline_bench arguments]; --help explains them.
set -euo pipefail
root=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
"$root"/tools/build.sh roofline_bench
exec "$root"/build/release/bin/roofline_bench "$@"
