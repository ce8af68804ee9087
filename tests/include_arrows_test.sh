#!/usr/bin/env bash
# include_arrows.sh passes a tree in order, and names each include that points up, and rooms in the wrong order.
set -euo pipefail
here=$(dirname -- "$(readlink -f -- "$0")")
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
list=$tree/tests/include_arrows.txt
# expect FILE INCLUDED TEXT: an include of that is named with this text
expect() {
  echo "#include \"$2\"" >"$tree/$1"
  refused "$3"
  rm "$tree/$1"
}
# refused TEXT: the tree as it is, with this text
refused() {
  if "$here/include_arrows.sh" "$tree" >"$tree/said"; then echo "passed, not '$1'"; exit 1; fi
  grep -q "$1" "$tree/said" || { echo "not '$1'"; cat "$tree/said"; exit 1; }
}
mkdir -p "$tree"/{tests,apps,reporters} "$tree"/bench/{model,machine,run/part,run/low}
cat >"$list" <<'END'
# a comment
bench/model:
bench/machine: bench/model
bench/run/low: bench/model

bench/run: bench/machine bench/run/low
apps: bench/machine
reporters: bench/run
END
echo '#include "bench/model/counts.hpp"' >"$tree/bench/run/plan.hpp"
echo '#include "bench/run/plan.hpp"' >"$tree/bench/run/part/plan.hpp"
echo '#include "bench/run/low/a.hpp"' >"$tree/reporters/table.hpp"
"$here/include_arrows.sh" "$tree"
expect bench/model/up.hpp bench/run/plan.hpp '^bench/model/up.hpp:1: '
expect bench/run/up.hpp reporters/table.hpp '^bench/run/up.hpp:1: '
expect bench/run/part/up.hpp reporters/table.hpp '^bench/run/part/up.hpp:1: '
expect bench/run/low/up.hpp bench/run/plan.hpp '^bench/run/low/up.hpp:1: '
expect apps/beside.hpp reporters/table.hpp '^apps/beside.hpp:1: '
mkdir "$tree/bench/new" && touch "$tree/bench/new/a.cpp"
refused '^bench/new/a.cpp is in no room'
rm -r "$tree/bench/new"
cp "$list" "$tree/kept"
echo 'tools: bench/nowhere' >>"$list"
refused 'bench/nowhere, which is not a room above it'
sed '/^bench\/model:/ s/$/ bench\/run/' "$tree/kept" >"$list"
refused 'bench/model may include bench/run, which is not a room above it'
