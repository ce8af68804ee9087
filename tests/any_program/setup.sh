#!/usr/bin/env bash
# Installs what `roofline cpu` needs, before the build: the decoder of its counter, and what reads symbols.
set -euo pipefail
[ -e /usr/include/elfutils/libdwfl.h ] && [ -e /usr/include/Zydis/Zydis.h ] && exit
as_root=$([ "$(id -u)" = 0 ] || echo sudo)
install=(env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends libzydis-dev libdw-dev)
$as_root "${install[@]}" || { $as_root apt-get update && $as_root "${install[@]}"; }
