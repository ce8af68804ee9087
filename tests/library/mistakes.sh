#!/usr/bin/env bash
# What an author of a kernel gets wrong is named by the compiler: tests/library/mistakes.sh COMPILER SOURCE
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compiler=$1 source=$2

# body LINE: a kernel with this line in its body
body() {
  cat >"$work/kernel.cpp" <<CPP
#include "bench/space/functions.hpp"
#include "bench/space/openmp.hpp"
using namespace roofline;
struct Body {
  View x, z;
  template <class At>
  ROOFLINE_BODY void operator()(At at) const {
    using real = typename At::real;
    const real a = x[at];
    $1
  }
};
void launch(Body body) { OpenMp<true>().lanes(0, 8, body); }
CPP
  "$compiler" -std=c++20 -fopenmp -Wall -Wextra -Werror -fsyntax-only -I"$source" "$work/kernel.cpp" 2>"$work/said"
}
refused() {
  ! body "$1" || { echo "'$1' was compiled"; exit 1; }
  grep -qF -- "$2" "$work/said" || { cat "$work/said"; echo "'$1': the compiler does not say '$2'"; exit 1; }
}

body 'z.set(at, select(a < 1.0, sqrt(abs(a)), max(a * a, 0.0)));' || { cat "$work/said"; exit 1; }
refused 'z[at] = a;' 'to store x write view.set(at, x)'
refused 'z[at] = 1.0;' 'to store x write view.set(at, x)'
refused 'z[at] = a * a;' 'to store x write view.set(at, x)'
refused 'if (a < 1.0) z.set(at, a);' 'write select(condition, a, b) instead of an if'
