#!/usr/bin/env bash
# Installs what the browser test needs, for developers: Chromium and node of the system, two packages beside the test.
set -euo pipefail
cd -- "$(dirname -- "$(readlink -f -- "$0")")"
missing=()
command -v chromium >/dev/null || missing+=(chromium)
command -v node >/dev/null || missing+=(nodejs)
command -v npm >/dev/null || missing+=(npm)
if [ ${#missing[@]} -gt 0 ]; then
  as_root=$([ "$(id -u)" = 0 ] || echo sudo)
  $as_root apt-get install -y --no-install-recommends "${missing[@]}"
fi
npm ci --no-audit --no-fund
