#!/usr/bin/env bash
# Installs what is missing, builds everything, runs the tests: tools/test.sh [ctest arguments]
set -euo pipefail
root=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
"$root"/tools/build.sh --tests
cd -- "$root"
exec ctest --preset release --parallel 2 "$@"
