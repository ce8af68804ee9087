#!/usr/bin/env bash
# Installs what is missing, builds everything, runs the tests: tools/test.sh [ctest arguments]
set -euo pipefail
root=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
"$root"/tools/build.sh --tests
cd -- "$root"
# Runs that begin with a nice value of their own do not raise their priority, so tests do not hold one another up.
exec nice -n 1 ctest --preset release --parallel 2 "$@"
