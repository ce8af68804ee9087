#!/usr/bin/env bash
# The release archive starts where only glibc is: tests/lessons/package.sh BUILD-FOLDER [ROOT]
# With root's rights in a root that holds nothing else, or in ROOT, a bare system as of
# "debootstrap --variant=minbase bookworm ROOT"; without them its libraries are looked at.
set -euo pipefail
build=$(readlink -f -- "$1")
bare=${2:+$(readlink -f -- "$2")}
here=$(dirname -- "$(readlink -f -- "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; exit 1; }
# With -q grep would end before its input does, and the signal to the writer would fail the pipe: grep >/dev/null.

"$here/../../tools/package.sh" --build="$build" "$work/archive.tar.gz" >/dev/null
mkdir "$work/root"
tar -C "$work/root" -xzf "$work/archive.tar.gz"
folder=$(cd "$work/root" && echo roofline-*)

# Everything but glibc and GCC's libraries is found in the archive.
glibc='(ld-linux.*|libc|libm|libdl|librt|libpthread|libresolv|linux-vdso|libstdc\+\+|libgcc_s)\.so'
outside=$(ldd "$work/root/$folder"/bin/* "$work/root/$folder"/lib/roofline/* | grep '=>' | grep -vE "^[[:space:]]*$glibc" | grep -v "$work/root/$folder/" || true)
[ -z "$outside" ] || fail "from outside of the archive: $outside"
# Ubuntu 22.04 has glibc 2.35 and libstdc++ of GCC 12.
newer=$(objdump -T "$work/root/$folder"/bin/* "$work/root/$folder"/lib/*.so* | grep -oE 'GLIBC_2\.(3[6-9]|[4-9][0-9])|GLIBCXX_3\.4\.(3[1-9]|[4-9][0-9])' | sort -u | tr '\n' ' ' || true)
[ -z "$newer" ] || fail "needs $newer"

grep -q 'roofline gpu does not run' "$work/root/$folder/README" || fail "README: what is not in the archive"
arch=$(sed -n 's/^ROOFLINE_ARCH:[A-Z]*=//p' "$build/CMakeCache.txt")
[ "$arch" = x86-64-v3 ] || ! grep -q 'processor with AVX2' "$work/root/$folder/README" || fail "README: built for $arch"
[[ $folder =~ ^roofline-[0-9.]+-$(uname -m)$ ]] || fail "called $folder"

run=()
if [ -n "$bare" ]; then
  inside=/opt/$folder
  trap 'rm -rf "$work" "${bare:?}$inside"' EXIT
  mkdir -p "$bare/opt"
  cp -r "$work/root/$folder" "$bare/opt/"
  # As a user, who owns nothing there; without /proc the loader has to be told where the program lies.
  export LD_ORIGIN_PATH=$inside/bin
  run=(chroot --userspec=65534:65534 "$bare" "$inside/bin/roofline")
  libraries=$(chroot "$bare" sh -c "ldd $inside/bin/roofline_bench $inside/bin/roofline" | grep -v "$inside/" | awk '/=>/ {print $1}' | sort -u | tr '\n' ' ')
  echo "from $(. "$bare/etc/os-release"; echo "$PRETTY_NAME"): $libraries"
elif [ "$(id -u)" = 0 ] && command -v chroot >/dev/null; then
  inside=/$folder
  mkdir -p "$work/root/lib64" "$work/root/lib/x86_64-linux-gnu" "$work/root/tmp" "$work/root/proc"
  cp -L /lib64/ld-linux-x86-64.so.2 "$work/root/lib64/"
  for library in libc.so.6 libm.so.6 libdl.so.2 librt.so.1 libpthread.so.0 libresolv.so.2; do
    cp -L "/lib/x86_64-linux-gnu/$library" "$work/root/lib/x86_64-linux-gnu/"
  done
  # Without /proc the loader has to be told where the program lies; and there is no libstdc++.
  export LD_ORIGIN_PATH=/$folder/bin LD_LIBRARY_PATH=/$folder/lib/gcc
  run=(chroot "$work/root" "/$folder/bin/roofline")
else
  run=("$work/root/$folder/bin/roofline")
fi
"${run[@]}" lab | grep >/dev/null 'Your machine' || fail "roofline lab"
"${run[@]}" lab 2 --student=ada | grep >/dev/null 'write-allocate' || fail "roofline lab 2"
"${run[@]}" claims --id=GPP-2 | grep >/dev/null 'FLOPs grow in proportion' || fail "roofline claims"
# QEMU loads the plugin, and what it needs, from the archive.
if command -v qemu-x86_64 >/dev/null && [ -e "$build/lib/roofline/libroofline_count.so" ]; then
  env -u LD_ORIGIN_PATH -u LD_LIBRARY_PATH "$work/root/$folder/bin/roofline" cpu --doctor | grep >/dev/null 'known_triad *ok' || fail "roofline cpu"
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
echo "ok: $(du -h "$work/archive.tar.gz" | cut -f1)"
