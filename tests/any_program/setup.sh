#!/usr/bin/env bash
# Installs what `roofline cpu` and its tests need, before the build: the libraries of its plugin, and the emulator.
set -euo pipefail
command -v qemu-x86_64 >/dev/null && [ -e /usr/include/elfutils/libdwfl.h ] && [ -e /usr/include/capstone/capstone.h ] && exit
as_root=$([ "$(id -u)" = 0 ] || echo sudo)
install=(env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends libcapstone-dev libdw-dev qemu-user)
$as_root "${install[@]}" || { $as_root apt-get update && $as_root "${install[@]}"; }
