#!/usr/bin/env bash
# Includes point one way: tests/include_arrows.sh [root]. Prints every include that points up and fails if there is one.
# A room may include itself and the rooms before it in this list; apps, microkernels and reporters do not know each other.
set -euo pipefail
cd -- "${1:-$(dirname -- "$0")/..}"

rooms=(bench/model bench/text bench/machine bench/levels bench/space bench/counters bench/simulator bench/cuda bench/run
  bench/library microkernels apps reporters)
# bench/model imports nothing else, and these stand beside each other
forbidden='bench/(model|text) bench/(model|text|machine|levels|space|counters|simulator|cuda|run)
microkernels (apps|reporters|bench/library)
apps (microkernels|reporters|bench/library)
reporters (apps|microkernels|bench/library|bench/cuda|bench/simulator|bench/space)'

upward=0
for ((i = 0; i < ${#rooms[@]}; ++i)); do
  room=${rooms[i]}
  [ -d "$room" ] || continue
  above=("${rooms[@]:i+1}")
  bad=$(IFS='|'; printf '%s' "${above[*]}")
  while read -r from to; do
    if [[ $room =~ ^$from$ ]]; then bad=${bad:+$bad|}$to; fi
  done <<<"$forbidden"
  [ -n "$bad" ] || continue
  # An include of the room itself is never upward.
  if found=$(grep -rnE "^#include \"($bad)/" "$room" | grep -v "#include \"$room/"); then
    printf '%s\n' "$found"
    upward=1
  fi
done
[ $upward = 0 ] || { echo "the includes above point up; the rooms from the lowest: ${rooms[*]}"; exit 1; }
