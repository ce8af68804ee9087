#!/usr/bin/env bash
# Installs what tests/arm/verify.sh needs: Debian's compiler for Arm, and an emulator.
set -euo pipefail
command -v aarch64-linux-gnu-g++ >/dev/null && command -v qemu-aarch64 >/dev/null && exit
as_root=$([ "$(id -u)" = 0 ] || echo sudo)
install=(env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends g++-aarch64-linux-gnu qemu-user)
$as_root "${install[@]}" || { $as_root apt-get update && $as_root "${install[@]}"; }
