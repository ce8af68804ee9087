#!/usr/bin/env bash
# A program that was built for vectors which the CPU has not says so: tests/run/wrong_cpu.sh PROGRAM. Exits with 77 where
# there is no emulator (qemu-user), or the program was built for any CPU.
set -euo pipefail
command -v qemu-x86_64 >/dev/null || { echo "qemu-x86_64 is missing"; exit 77; }
"$1" --version >/dev/null || { echo "FAILED: it does not start on this CPU"; exit 1; }
code=0
said=$(qemu-x86_64 -cpu Nehalem "$1" --version 2>&1) || code=$?
[ $code != 0 ] || { echo "built for any CPU"; exit 77; }
[[ $code = 3 && $said == *"this program was built for AVX"*"which this CPU has not: build it on this machine, or with"* ]] ||
  { echo "FAILED: exit $code, $said"; exit 1; }
