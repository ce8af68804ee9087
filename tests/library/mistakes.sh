#!/usr/bin/env bash
# The compiler names a kernel author's mistakes: tests/library/mistakes.sh COMPILER SOURCE
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compiler=$1 source=$2

fail() { cat "$work/said"; echo "$*"; exit 1; }
# compiled LINE...: whether kernels are that have one of these lines each in their bodies; the compiler's words in $work/said
compiled() {
  local n=0 line
  printf '#include "bench/space/%s.hpp"\n' functions openmp >"$work/kernels.cpp"
  for line; do
    n=$((n + 1))
    cat >>"$work/kernels.cpp" <<CPP
using namespace roofline;
struct Body$n {
  View x, z;
  template <class At>
  ROOFLINE_BODY void operator()(At at) const {
    using real = typename At::real;
    const real a = x[at];
    $line
  }
};
void launch(Body$n body) { OpenMp<true>().lanes(0, 8, body); }
CPP
  done
  "$compiler" -std=c++20 -fopenmp -Wall -Wextra -Werror -fsyntax-only -I"$source" "$work/kernels.cpp" 2>"$work/said"
}
# names N TEXT: this is said of the Nth body
names() {
  awk -v body="Body$1::" -v text="$2" '/Body[0-9]+::/ {here = index($0, body)} here && index($0, text) {found = 1}
    END {exit !found}' "$work/said" || fail "of body $1 the compiler does not say '$2'"
}

compiled 'z.set(at, select(a < 1.0, sqrt(abs(a)), max(a * a, 0.0)));' || fail "what is right is not compiled"
# All mistakes at once: most of the time goes into the headers.
! compiled 'z[at] = a;' 'z[at] = 1.0;' 'z[at] = a * a;' 'if (a < 1.0) z.set(at, a);' || fail "mistakes are compiled"
for body in 1 2 3; do names $body 'to store x write view.set(at, x)'; done
names 4 'write select(condition, a, b) instead of an if'
