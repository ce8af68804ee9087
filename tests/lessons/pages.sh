#!/usr/bin/env bash
# Pages of case studies and handouts of labs in headless Chromium: tests/lessons/pages.sh ROOFLINE [screenshots]
# Exit code 77, which ctest shows as skipped, where node, Chromium or the packages of tests/browser/setup.sh are missing.
set -euo pipefail
here=$(dirname -- "$(readlink -f -- "$0")")
skip() { echo "SKIPPED: $* (tests/browser/setup.sh installs what the browser test needs)"; exit 77; }
command -v node >/dev/null || skip "node is missing"
CHROMIUM=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || skip "Chromium is missing"
export CHROMIUM
[ -d "$here/../browser/node_modules/playwright-core" ] || skip "playwright-core is missing"
pages=$(mktemp -d)
trap 'rm -rf "$pages"' EXIT
"$1" claims "$here/../data/claims-cpu.json" --pages="$pages/cpu"
"$1" claims "$here/../data/claims-v100.json" --pages="$pages/v100"
mkdir "$pages/labs"
for lab in 1 2 3 4 5 6 7 8 9 10 11 12 13; do
  "$1" lab $lab --student=ada --html --out="$pages/labs/lab-$lab.html"
done
node "$here/pages_test.mjs" "$pages" ${2:+"$2"}
