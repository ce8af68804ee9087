#!/usr/bin/env bash
# Proves that the tests can fail: injects one error at a time into a copy of the sources, builds, and expects the named
# tests to fail. Some minutes; not a part of the test suite.
#   tests/mutations.sh [number of one mutation]
set -euo pipefail
root=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

# what is injected | file | sed expression | tests that must fail
mutations=(
  "one wrong LBM weight|apps/lbm/lattice.hpp|s/0.01420821615845075026469894/0.0142083/|*Lbm*"
  "one swapped index in fv4|apps/gsrb/gsrb.hpp|s/x_wn = box.x\[at - 1 + j\]/x_wn = box.x[at + 1 - j]/|*Gsrb*"
  "a missing ghost exchange before the timed sweep|apps/gsrb/problem.cpp|s/^  level.exchange(Vector::x);//|*Gsrb*"
  "one swapped direction in LBM's propagate|apps/lbm/propagate.hpp|s/c.x \* grid.ny() + c.y/c.x * grid.ny() - c.y/|*Lbm*"
  "a missing conjugate in GPP|apps/gpp/gpp.hpp|s/conj(left) \* right/left * right/|*Gpp*"
  "one neighbour of the stencil twice|apps/stencil/stencil.hpp|s/above = u\[at + plane\]/above = u[at - plane]/|*tencil*"
)

git -C "$root" ls-files -z | (cd "$root" && xargs -0 cp --parents -t "$copy")
cd "$copy"
cmake --preset release -DROOFLINE_CUDA=OFF >/dev/null
caught=0 number=0
for mutation in "${mutations[@]}"; do
  number=$((number + 1))
  [ $# = 0 ] || [ "$1" = $number ] || continue
  IFS='|' read -r what file expression tests <<<"$mutation"
  cp "$file" original
  sed -i "$expression" "$file"
  if cmp -s "$file" original; then
    echo "$number $what: the expression changes nothing in $file"
    exit 1
  fi
  cmake --build --preset release --target roofline_tests >log 2>&1 || { tail log && exit 1; }
  if build/release/roofline_tests --gtest_brief=1 --gtest_filter="$tests" >log 2>&1; then
    echo "$number $what: NOT CAUGHT"
    exit 1
  fi
  failed=$(grep -o '^\[  FAILED  \] [^ ,]*\.[^ ,]*' log | cut -c14- | sort -u)
  echo "$number $what: $(wc -l <<<"$failed") tests fail, the first $(head -1 <<<"$failed")"
  cp original "$file"
  caught=$((caught + 1))
done
echo "$caught injected errors, all caught"
