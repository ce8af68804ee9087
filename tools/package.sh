#!/usr/bin/env bash
# A release archive that starts on Ubuntu 22.04, Debian 12 and later (glibc 2.35) without installing anything:
#   tools/package.sh [--build=FOLDER] [OUTPUT.tar.gz]
# Exits with 3 where the programs need newer libraries of the system than that.
# Builds for x86-64-v3 in build/package, or takes the programs of a folder that is built already. GPU kernels are in it
# where nvcc is found: lab 11 and --device=virtual execute them. All libraries but those of glibc and GCC come along, in
# lib/, where the programs look for them first.
set -euo pipefail
cd -- "$(dirname -- "$0")/.."

build=
output=
for argument in "$@"; do
  case $argument in
    --build=*) build=${argument#--build=} ;;
    -*) echo "tools/package.sh: unknown flag $argument; usage: tools/package.sh [--build=FOLDER] [OUTPUT.tar.gz]" >&2; exit 2 ;;
    *) output=$argument ;;
  esac
done

if [ -z "$build" ]; then
  build=build/package
  cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DROOFLINE_ARCH=x86-64-v3 -DROOFLINE_CUDA=ON -DROOFLINE_TESTS=OFF
  cmake --build "$build" --target roofline_bench roofline
fi
for program in roofline_bench roofline; do
  [ -x "$build/bin/$program" ] || { echo "tools/package.sh: $build/bin/$program is not there: build it first" >&2; exit 4; }
done

version=$("$build/bin/roofline" --version | grep -oE '[0-9]+(\.[0-9]+)+' | head -n 1)
machine=$(uname -m)
arch=$(sed -n 's/^ROOFLINE_ARCH:[A-Z]*=//p' "$build/CMakeCache.txt")
case $arch in
  x86-64-v3) processor="an x86-64 processor with AVX2" ;;
  x86-64-v4) processor="an x86-64 processor with AVX-512" ;;
  native) processor="a processor with all instructions of the one it was built on" ;;
  *) processor="a processor of ${arch:-$machine}" ;;
esac
name=roofline-$version-$machine
output=${output:-$name.tar.gz}
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
root=$stage/$name
mkdir -p "$root/bin" "$root/lib/gcc"
for program in roofline_bench roofline; do
  install -s -m 755 "$build/bin/$program" "$root/bin/"
done

own=("$root"/bin/*)
# Libraries that `roofline cpu` loads into QEMU and into programs; the emulator is the system's.
cpu="bin/roofline cpu does not run: its plugin is not in this archive."
if [ -e "$build/lib/roofline/libroofline_count.so" ]; then
  mkdir "$root/lib/roofline"
  install -s -m 755 "$build"/lib/roofline/libroofline_{count,sampler,markers}.so "$root/lib/roofline/"
  [ ! -e "$build/lib/roofline/roofline_known" ] || install -m 755 "$build/lib/roofline/roofline_known" "$root/lib/roofline/"
  own+=("$root"/lib/roofline/*)
  cpu="bin/roofline cpu -- ./program    where the functions of a program are; needs the package qemu-user (QEMU 6 to 8)"
fi

# Parts of glibc must come from the system, because they fit only one another. GCC's must, too: Debian's libstdc++ asks
# for glibc 2.36 (arc4random), while Ubuntu 22.04 with 2.35 has one of GCC 12 as well. This machine's are in lib/gcc for
# a system that has none.
glibc='^(ld-linux.*|libc|libm|libdl|librt|libpthread|libresolv|linux-vdso)\.so'
gcc='^(libstdc\+\+|libgcc_s)\.so'
missing=$(ldd "${own[@]}" | awk '/not found/ {print $1}' | sort -u)
[ -z "$missing" ] || { echo "tools/package.sh: not found: $missing" >&2; exit 4; }
ldd "${own[@]}" | awk '$2 == "=>" {print $1, $3}' | sort -u | while read -r soname path; do
  if [[ $soname =~ $gcc ]]; then
    install -m 644 "$path" "$root/lib/gcc/$soname"
  elif ! [[ $soname =~ $glibc ]]; then
    install -m 644 "$path" "$root/lib/$soname"
  fi
done

# The newest versions that anything asks for: where it is built decides, and the archive is promised to older systems.
symbols=$(find "$root/bin" "$root/lib" -path "$root/lib/gcc" -prune -o -type f -exec objdump -T {} +) || { echo "tools/package.sh: objdump (binutils) fails: it says which glibc is needed" >&2; exit 4; }
# newest LIBRARY PROMISED: exits where that is not enough
newest() {
  local needed
  needed=$(grep -oE "$1_[0-9]+(\.[0-9]+)+" <<<"$symbols" | sed "s/$1_//" | sort -Vu | tail -n 1 || true)
  if [ -z "$needed" ] || [ "$(printf '%s\n' "$needed" "$2" | sort -V | tail -n 1)" != "$2" ]; then
    echo "tools/package.sh: needs $1 ${needed:-of an unknown version}, promised is $2: build it on Debian 12" >&2
    exit 3
  fi
  echo "$needed"
}
needed=$(newest GLIBC 2.35)
newest GLIBCXX 3.4.30 >/dev/null
gpu="bin/roofline gpu does not run: the library that it puts in the place of CUDA's is not in this archive."
grep -q '^CMAKE_CUDA_COMPILER:' "$build/CMakeCache.txt" ||
  gpu="There are no GPU kernels in it: --device=virtual and lab 11 need a build with nvcc. bin/roofline gpu does not run."

cp LICENSE "$root/"
cat >"$root/README" <<TEXT
bin/roofline_bench          ceilings, kernels, tables, plots: --help
bin/roofline lab            teaching labs; bin/roofline lab 1 prints the first
bin/roofline claims FILE    which statements of the talks a run reproduces
$cpu

Nothing has to be installed: the folder can lie anywhere. It needs glibc $needed, libstdc++ of GCC 12 and
$processor.
Where libstdc++ is missing, with glibc 2.36 or newer: LD_LIBRARY_PATH=.../lib/gcc.
$gpu
lib/ holds copies of free libraries of Debian, unchanged; their licences are in /usr/share/doc of any Debian system.
TEXT
tar -C "$stage" --owner=0 --group=0 --sort=name -czf "$output" "$name"
echo "$output"
