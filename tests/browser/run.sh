#!/usr/bin/env bash
# The page and the plots of made-up runs in headless Chromium: tests/browser/run.sh report_samples [screenshots]
# Exit code 77, which ctest shows as skipped, where node, Chromium or the packages of tests/browser/setup.sh are missing.
set -euo pipefail
here=$(dirname -- "$(readlink -f -- "$0")")
skip() { echo "SKIPPED: $* (tests/browser/setup.sh installs what the browser test needs)"; exit 77; }
command -v node >/dev/null || skip "node is missing"
CHROMIUM=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || skip "Chromium is missing"
export CHROMIUM
[ -d "$here/node_modules/playwright-core" ] && [ -d "$here/node_modules/axe-core" ] || skip "playwright-core or axe-core is missing"
samples=$(mktemp -d)
trap 'rm -rf "$samples"' EXIT
"$1" "$samples"
node "$here/page_test.mjs" "$samples" ${2:+"$2"}
