#!/usr/bin/env bash
# The loop of a benchmark has the same instructions with Work behind it as without:
#   tests/library/work_costs_nothing.sh COMPILER INCLUDES
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/loop.cpp" <<'CPP'
#include <roofline/work.hpp>
#include <vector>

void axpy(benchmark::State& state, std::vector<double>& x, std::vector<double>& y) {
  for (auto _ : state) {
    asm volatile("# in the loop");
    for (std::size_t i = 0; i < x.size(); ++i) y[i] += 3.0 * x[i];
    benchmark::ClobberMemory();
  }
#ifdef DECLARED
  roofline::Work(state).fma(x.size()).read(x).update(y).check([&] { return y[0] > 0; });
#endif
}
CPP
# The instructions from the label in front of the marker to the last jump back to it, without labels and registers.
loop() {
  "$1" -std=c++20 -O2 -I"$2" "${@:3}" -S -o "$work/loop.s" "$work/loop.cpp"
  awk '
    { text[NR] = $0 }
    /# in the loop/ { marker = NR }
    END {
      for (first = marker; first > 0; --first) {
        if (text[first] !~ /^\.L[0-9]+:/) continue
        label = text[first]; sub(":.*", "", label)
        last = 0
        for (at = marker; at <= NR; ++at) if (text[at] ~ "^\tj[a-z]+\t" label "$") last = at
        if (last) break
      }
      for (at = first; at <= last; ++at) if (text[at] ~ /^\t[a-z]/) { split(text[at], part, "\t"); print part[2] }
    }' "$work/loop.s"
}
loop "$1" "$2" >"$work/without"
loop "$1" "$2" -DDECLARED >"$work/with"
[ "$(wc -l <"$work/without")" -ge 8 ] || { cat "$work/without"; echo "no loop was found"; exit 1; }
diff "$work/without" "$work/with" || { echo "Work changes the loop"; exit 1; }
echo "the loop has $(wc -l <"$work/with") instructions, with Work and without"
