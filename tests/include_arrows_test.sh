#!/usr/bin/env bash
# include_arrows.sh passes a tree in order, and names each include that points up, and rooms that include each other.
set -euo pipefail
here=$(dirname -- "$(readlink -f -- "$0")")
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
# room NAME MAY_INCLUDE...
room() {
  mkdir -p "$tree/$1"
  echo "roofline_may_include(${*:2})" >"$tree/$1/CMakeLists.txt"
}
# expect FILE INCLUDED TEXT: an include of that is named with this text
expect() {
  echo "#include \"$2\"" >"$tree/$1"
  if "$here/include_arrows.sh" "$tree" >"$tree/said"; then echo "$1 includes $2: passed"; exit 1; fi
  grep -q "$3" "$tree/said" || { echo "$1 includes $2: not named"; cat "$tree/said"; exit 1; }
  rm "$tree/$1"
}
room bench/model
room bench/machine bench/model
room bench/run bench/machine
room apps bench/machine
room reporters bench/run
mkdir -p "$tree/bench/run/part"
echo '#include "bench/model/counts.hpp"' >"$tree/bench/run/plan.hpp"
echo '#include "bench/run/plan.hpp"' >"$tree/bench/run/part/plan.hpp"
"$here/include_arrows.sh" "$tree"
expect bench/model/up.hpp bench/run/plan.hpp '^bench/model/up.hpp:1: '
expect bench/run/up.hpp reporters/table.hpp '^bench/run/up.hpp:1: '
expect bench/run/part/up.hpp reporters/table.hpp '^bench/run/part/up.hpp:1: '
expect apps/beside.hpp reporters/table.hpp '^apps/beside.hpp:1: '
room bench/model bench/run
if "$here/include_arrows.sh" "$tree" >/dev/null; then echo "rooms that include each other passed"; exit 1; fi
