#!/usr/bin/env bash
# Installs what is missing, builds everything, runs the tests: tools/test.sh [ctest arguments]
# Tests named in tests/known_failures.txt do not run: each is a fault that is known and not mended yet.
set -euo pipefail
root=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
"$root"/tools/build.sh --tests
cd -- "$root"
known=$(sed 's/#.*//; s/ *$//; /^$/d' tests/known_failures.txt | paste -sd'|')
[ -z "$known" ] || echo "not run, known to fail: $(tr '|' '\n' <<<"$known" | wc -l) entries of tests/known_failures.txt" >&2
exec ctest --preset release --parallel 2 ${known:+--exclude-regex "^($known)"} "$@"
