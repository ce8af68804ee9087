#!/usr/bin/env bash
# The release archive starts where nothing is but a kernel: tests/lessons/package.sh BUILD-FOLDER [ROOT]
# With root's rights in a root that holds nothing else, or in ROOT, a system as of "debootstrap --variant=minbase SUITE
# ROOT"; without them beside the libraries of this machine.
set -euo pipefail
build=$(readlink -f -- "$1")
bare=${2:+$(readlink -f -- "$2")}
here=$(dirname -- "$(readlink -f -- "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; exit 1; }
# With -q grep would end before its input does, and the signal to the writer would fail the pipe: grep >/dev/null.

"$here/../../tools/package.sh" --build="$build" "$work/packages" >/dev/null
mkdir "$work/root"
tar -C "$work/root" -xzf "$work"/packages/*.tar.gz
folder=$(cd "$work/root" && echo roofline-*)
[[ $folder =~ ^roofline-[0-9.]+-$(uname -m)$ ]] || fail "called $folder"
grep -q 'roofline gpu does not run' "$work/root/$folder/README" || fail "README: what is not in the archive"

run=()
if [ -n "$bare" ]; then
  inside=/opt/$folder
  trap 'rm -rf "$work" "${bare:?}$inside"' EXIT
  mkdir -p "$bare/opt"
  cp -r "$work/root/$folder" "$bare/opt/"
  # As a user, who owns nothing there.
  run=(chroot --userspec=65534:65534 "$bare" "$inside/bin/roofline")
elif [ "$(id -u)" = 0 ] && command -v chroot >/dev/null; then
  inside=/$folder
  mkdir "$work/root/tmp" "$work/root/proc"
  run=(chroot "$work/root" "$inside/bin/roofline")
else
  run=("$work/root/$folder/bin/roofline")
fi
"${run[@]}" lab | grep >/dev/null 'Your machine' || fail "roofline lab"
"${run[@]}" lab 2 --student=ada | grep >/dev/null 'write-allocate' || fail "roofline lab 2"
"${run[@]}" claims --id=GPP-2 | grep >/dev/null 'FLOPs grow in proportion' || fail "roofline claims"
# The counter, and what it needs, come from the archive.
if [ -e "$build/lib/roofline/roofline_count" ]; then
  "$work/root/$folder/bin/roofline" cpu --doctor | grep >/dev/null 'known_triad *ok' || fail "roofline cpu"
fi
if [ ${#run[@]} -gt 1 ]; then
  bench=("${run[@]:0:${#run[@]}-1}" "$inside/bin/roofline_bench")
  "${bench[@]}" --list | grep >/dev/null gpp || fail "roofline_bench"
fi
if [ -n "$bare" ]; then
  "${bench[@]}" --quick --ceilings=none --stream=100000 --benchmark_filter=stream/triad --out=/tmp/roofline-package || [ $? = 3 ] || fail "roofline_bench: a run"
  "${run[@]}" show /tmp/roofline-package/run.json | grep >/dev/null triad || fail "roofline show"
  rm -rf "$bare/tmp/roofline-package"
  # A lab whose run is modelled, where the archive has GPU kernels.
  if ! grep -q 'no GPU kernels' "$work/root/$folder/README"; then
    "${bench[@]}" --quick --device=virtual:v100 --modelled '--benchmark_filter=gsrb/.*/op:fv4/level:6' --out=/tmp/roofline-package >/dev/null || fail "lab 11"
    printf 'unit = 8\n' >"$bare/tmp/answers.toml"
    "${run[@]}" lab 11 --predict /tmp/answers.toml --grade --replay=/tmp/roofline-package/run.json | grep >/dev/null 'score: 1 of 8' || fail "grading lab 11"
    rm -rf "$bare/tmp/roofline-package" "$bare/tmp/answers.toml"
  fi
fi
echo "ok: $(du -h "$work"/packages/*.tar.gz | cut -f1)"
