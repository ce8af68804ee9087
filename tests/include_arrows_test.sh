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
# refused TEXT: the tree as it is, with this text
refused() {
  if "$here/include_arrows.sh" "$tree" >"$tree/said"; then echo "passed, not '$1'"; exit 1; fi
  grep -q "$1" "$tree/said" || { echo "not '$1'"; cat "$tree/said"; exit 1; }
}
# Folders of a room with lines of their own: the room outside may include all of them, they each other as the lines say.
printf 'roofline_inner_room(%s)\n' low 'high low' >>"$tree/bench/run/CMakeLists.txt"
mkdir "$tree/bench/run/low" "$tree/bench/run/high"
echo '#include "bench/run/low/a.hpp"' >"$tree/bench/run/high/a.hpp"
echo '#include "bench/model/counts.hpp"' >"$tree/bench/run/low/a.hpp"
echo '#include "bench/run/low/a.hpp"' >"$tree/reporters/table.hpp"
"$here/include_arrows.sh" "$tree"
expect bench/run/low/up.hpp bench/run/high/a.hpp '^bench/run/low/up.hpp:1: '
expect bench/run/low/out.hpp bench/run/plan.hpp '^bench/run/low/out.hpp:1: '
mkdir "$tree/bench/new" && touch "$tree/bench/new/a.cpp"
refused '^bench/new/a.cpp is in no room'
rm -r "$tree/bench/new"
room bench/model bench/nowhere
refused 'bench/nowhere, which is not a room'
room bench/model bench/run
refused 'may include itself through others'
