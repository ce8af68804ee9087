#!/usr/bin/env bash
# include_arrows.sh passes a tree in order, and names each include that points up.
set -euo pipefail
here=$(dirname -- "$(readlink -f -- "$0")")
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/bench/{model,run} "$tree"/{apps,reporters}
echo '#include "bench/model/counts.hpp"' >"$tree/bench/run/plan.hpp"
echo '#include "bench/model/counts.hpp"' >"$tree/bench/model/ceiling.hpp"
"$here/include_arrows.sh" "$tree"
for upward in bench/model:bench/run bench/run:reporters apps:reporters reporters:bench/simulator; do
  echo "#include \"${upward#*:}/above.hpp\"" >"$tree/${upward%:*}/upward.hpp"
  if "$here/include_arrows.sh" "$tree" >"$tree/said"; then echo "$upward passed"; exit 1; fi
  grep -q "^${upward%:*}/upward.hpp:" "$tree/said" || { echo "$upward was not named"; exit 1; }
  rm "$tree/${upward%:*}/upward.hpp"
done
