#!/usr/bin/env bash
# A release in FOLDER (build/packages): an archive that runs on any x86-64 Linux, a Debian package, the sources.
#   tools/package.sh [--gpu] [FOLDER]           builds in build/package for SSE2, AVX2 and AVX-512: run it on Debian 12
#   tools/package.sh --build=BUILD [FOLDER]     only the archive, with the programs of one build folder
# bin/ has starters (tools/release/start.c), which choose a program at run time. --gpu builds GPU kernels into those for
# AVX2 and AVX-512. The archive brings all libraries along: the C library for the programs lies in lib/roofline/glibc.
set -euo pipefail
cd -- "$(dirname -- "$0")/.."

gpu=OFF
given=
output=build/packages
for argument in "$@"; do
  case $argument in
    --build=*) given=${argument#--build=} ;;
    --gpu) gpu=ON ;;
    -*) echo "tools/package.sh: unknown flag $argument; usage: tools/package.sh [--gpu] [--build=BUILD] [FOLDER]" >&2; exit 2 ;;
    *) output=$argument ;;
  esac
done
fail() { echo "tools/package.sh: $1" >&2; exit "${2:-4}"; }
machine=$(uname -m)
[ "$machine" = x86_64 ] || fail "packages are for x86-64, this is $machine"

levels=(x86-64 x86-64-v3 x86-64-v4)
if [ -n "$given" ]; then
  levels=(x86-64)
else
  for level in "${levels[@]}"; do
    targets=(roofline_bench) with_gpu=$gpu
    [ "$level" != x86-64 ] || targets+=(roofline roofline_archive) with_gpu=OFF
    cmake --preset release -B "build/package/$level" -DROOFLINE_ARCH="$level" -DROOFLINE_CUDA="$with_gpu" \
      -DROOFLINE_WERROR=OFF -DROOFLINE_TESTS=OFF -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON
    cmake --build "build/package/$level" --target "${targets[@]}"
  done
fi
base=${given:-build/package/x86-64}
for program in bin/roofline_bench bin/roofline libroofline.a; do
  find "$base" -path "$base/$program" -o -path "$base/*/$program" | grep -q . || fail "$base has no $program: build it first"
done

version=$("$base/bin/roofline" --version | grep -oE '[0-9]+(\.[0-9]+)+' | head -n 1)
name=roofline-$version
epoch=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CMakeLists.txt)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
mkdir -p "$output"
packed=$(readlink -f -- "$output")

# The content of both packages below their prefix.
common() {
  local root=$1 level
  DESTDIR=$root cmake --install "$base" --prefix /usr --strip >/dev/null
  rm -f "$root/usr/bin/roofline_mpi" "$root"/usr/share/*/*/*roofline_mpi*
  mkdir -p "$root/usr/lib/roofline/x86-64" "$root/usr/share/doc/roofline-bench/examples"
  strip "$root"/usr/lib/roofline/{*.so,roofline_count} 2>/dev/null || true
  strip --strip-debug "$root/usr/lib/roofline/roofline_known" 2>/dev/null || true # its functions are found by name
  chmod 644 "$root"/usr/lib/roofline/*.so
  strip --strip-debug "$root/usr/lib/libroofline.a"
  mv "$root"/usr/bin/roofline{,_bench} "$root/usr/lib/roofline/x86-64/"
  for level in "${levels[@]:1}"; do
    install -D -s -m 755 "build/package/$level/bin/roofline_bench" "$root/usr/lib/roofline/$level/roofline_bench"
  done
  rm -f "$root"/usr/lib/roofline/libcudart* # for programs that this build's own toolkit compiled
  tests/library/readme_blocks.sh bench/library/README.md "$root/usr/share/doc/roofline-bench/examples"
  cp -r tools/ci "$root/usr/share/doc/roofline-bench/examples/"
  install -m 644 .github/CHANGELOG.md "$root/usr/share/doc/roofline-bench/"
}
# starters ROOT FLAGS...
starters() {
  local root=$1
  cc -O2 -s -Wall "${@:2}" tools/release/start.c -o "$root/bin/roofline"
  cp "$root/bin/roofline" "$root/bin/roofline_bench"
}

common "$stage/files"
root=$stage/$name-$machine
cp -r "$stage/files/usr" "$root"
starters "$root" -static
mkdir -p "$root/lib/gcc" "$root/lib/roofline/glibc"
loaded=("$root"/lib/roofline/*.so)
[ ! -e "$root/lib/roofline/roofline_count" ] || loaded+=("$root/lib/roofline/roofline_count")
own=("$root"/lib/roofline/*/roofline* "${loaded[@]}")
missing=$(ldd "${own[@]}" | awk '/not found/ {print $1}' | sort -u)
[ -z "$missing" ] || fail "not found: $missing"
# The parts of glibc fit only one another. The files in lib/ are also loaded into programs of the system, so
# GCC's libraries, which ask for a newer glibc than theirs may be, lie apart.
glibc='^(ld-linux.*|libc|libm|libdl|librt|libpthread|libresolv)\.so'
gcc='^(libstdc\+\+|libgcc_s)\.so'
{ ldd "${own[@]}" | awk '$2 == "=>" {print $1, $3} $1 ~ /^\/.*ld-linux/ {print "ld-linux-x86-64.so.2", $1}'; } | sort -u | while read -r soname path; do
  folder=lib
  [[ ! $soname =~ $gcc ]] || folder=lib/gcc
  [[ ! $soname =~ $glibc ]] || folder=lib/roofline/glibc
  install -m 755 "$path" "$root/$folder/$soname"
done
# These are loaded into programs of the system. The machine that builds them decides which glibc they need, and older
# systems are promised.
needed=$(objdump -T "$root"/lib/*.so* "${loaded[@]}" | grep -oE 'GLIBC_[0-9]+(\.[0-9]+)+' | sed 's/GLIBC_//' | sort -Vu | tail -n 1)
[ "$(printf '%s\n' "$needed" 2.35 | sort -V | tail -n 1)" = 2.35 ] || fail "roofline cpu would need glibc $needed, promised is 2.35: build it on Debian 12" 3
cpu="bin/roofline cpu -- ./program    where the functions of a program are; needs Linux 5.9 and glibc $needed"
[ -e "$root/lib/roofline/roofline_count" ] || cpu="bin/roofline cpu does not run: its counter is not in this archive."
gpu_part="It has GPU kernels. bin/roofline gpu does not run: the library that stands in for CUDA's is not in this archive."
grep -q '^CMAKE_CUDA_COMPILER:' "$base/CMakeCache.txt" "${levels[@]/#/build/package/}/CMakeCache.txt" 2>/dev/null ||
  gpu_part="There are no GPU kernels in it: --device=virtual and lab 11 need a build with nvcc. bin/roofline gpu does not run."
cp LICENSE "$root/"
cat >"$root/README" <<TEXT
bin/roofline_bench --quick      the first roofline of this machine, in less than a minute; --help
bin/roofline lab                teaching labs; bin/roofline lab 1 prints the first
bin/roofline claims FILE        which statements of the talks a run reproduces
$cpu

Nothing has to be installed: the folder can lie anywhere. It needs an x86-64 processor and Linux 3.2, and brings its own
C library. bin/ starts the program in lib/roofline that has the newest vector instructions of the processor.
$gpu_part
find_package(roofline) finds the library of this folder with -DCMAKE_PREFIX_PATH; it was built on
$(. /etc/os-release; echo "$PRETTY_NAME") and needs the libraries of that system. share/doc has an example.
lib/ holds copies of free libraries of Debian, unchanged; their licences are in /usr/share/doc of any Debian system.
TEXT
tar -C "$stage" --owner=0 --group=0 --sort=name --mtime="@$epoch" -czf "$packed/$name-$machine.tar.gz" "$name-$machine"
echo "$packed/$name-$machine.tar.gz"
[ -z "$given" ] || exit 0

git archive --prefix="$name/" -o "$packed/$name.tar.gz" HEAD
echo "$packed/$name.tar.gz"

# The Debian package. DEBEMAIL and DEBFULLNAME name who makes it, as for Debian's own tools.
root=$stage/files
starters "$root/usr" -fpie -pie -Wl,-z,now -Wl,-z,relro -D_FORTIFY_SOURCE=2
mkdir -p "$root/usr/share/zsh/vendor-completions" "$root/DEBIAN" "$stage/debian"
mv "$root"/usr/share/zsh/site-functions/* "$root/usr/share/zsh/vendor-completions/"
rmdir "$root/usr/share/zsh/site-functions"
maker="${DEBFULLNAME:-$(git log -1 --format=%an)} <${DEBEMAIL:-$(git log -1 --format=%ae)}>"
documents=$root/usr/share/doc/roofline-bench
mv "$documents/CHANGELOG.md" "$documents/changelog"
cat >"$documents/changelog.Debian" <<TEXT
roofline-bench ($version-1) unstable; urgency=medium

  * Release $version: /usr/share/doc/roofline-bench/changelog.gz has what changed.

 -- $maker  $(date -R -u -d "@$epoch")
TEXT
gzip -9n "$documents"/changelog{,.Debian} "$root"/usr/share/man/man1/*
{
  printf '%s\n' 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/' '' 'Files: *' \
    "Copyright: $(sed -n 's/^Copyright (c) //p' LICENSE)" 'License: Expat'
  sed '1,4d; s/^$/./; s/^/ /' LICENSE
} >"$documents/copyright"
install -d "$root/usr/share/lintian/overrides"
cat >"$root/usr/share/lintian/overrides/roofline-bench" <<TEXT
# its functions are found by name
roofline-bench: unstripped-binary-or-object [usr/lib/roofline/roofline_known]
# it runs within programs that may have no C library, or another one
roofline-bench: library-not-linked-against-libc [usr/lib/roofline/libroofline_counter.so]
TEXT
find "$root" -type d -exec chmod 755 {} +
printf 'Source: roofline-bench\n\nPackage: roofline-bench\nArchitecture: any\n' >"$stage/debian/control"
depends=$(cd "$stage" && dpkg-shlibdeps -O --ignore-missing-info "$root"/usr/bin/* "$root"/usr/lib/roofline/*/* "${loaded[@]/#"$stage/$name-$machine"/"$root/usr"}")
cat >"$root/DEBIAN/control" <<TEXT
Package: roofline-bench
Version: $version-1
Architecture: amd64
Section: utils
Priority: optional
Maintainer: $maker
Depends: ${depends#shlibs:Depends=}
Suggests: cmake (>= 3.24), g++, libbenchmark-dev, libfmt-dev, libhwloc-dev, nlohmann-json3-dev
Installed-Size: $(du -sk "$root/usr" | cut -f1)
Description: measured rooflines of CPUs and GPUs, with verified kernels
 It measures the compute and bandwidth ceilings of a machine, runs and verifies
 reference kernels next to them, counts FLOPs and bytes, and draws the
 hierarchical roofline. Programs are built for SSE2, AVX2 and AVX-512; one is
 chosen at run time. A library does the same for users' own benchmarks.
TEXT
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
SOURCE_DATE_EPOCH=$epoch dpkg-deb --root-owner-group --build "$root" "$packed/roofline-bench_$version-1_amd64.deb" >/dev/null
echo "$packed/roofline-bench_$version-1_amd64.deb"
