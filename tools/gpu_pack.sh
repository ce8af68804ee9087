#!/usr/bin/env bash
# Copies the third-party headers and libraries of a build out of this Debian machine: tools/gpu_pack.sh FOLDER. With the
# folder a machine without network can build. `tools/gpu_check.sh --pack` calls this script. Exit code 4: something is missing.
set -uo pipefail

pack=${1:?usage: tools/gpu_pack.sh FOLDER}
libraries=$pack/usr/lib/x86_64-linux-gnu
packages=(libbenchmark-dev libbenchmark1debian libfmt-dev libfmt9 nlohmann-json3-dev libcli11-dev libhwloc-dev libhwloc15
  libudev1 libgtest-dev libzstd-dev libzstd1 liblz4-dev liblz4-1)

say() { printf '%s\n' "$*" >&2; }

missing=()
command -v dpkg-query >/dev/null || { say "gpu_check: --pack needs a Debian machine"; exit 4; }
for package in "${packages[@]}"; do
  dpkg-query -L "$package" >/dev/null 2>&1 || missing+=("$package")
done
[ ${#missing[@]} = 0 ] || { say "gpu_check: not installed: ${missing[*]}; tools/build.sh --tests installs them"; exit 4; }
rm -rf "$pack" && mkdir -p "$pack" || exit 4
for package in "${packages[@]}"; do
  dpkg-query -L "$package" | while read -r file; do
    case $file in
      */share/doc/* | */share/man/* | */share/bug/* | */usr/src/* | */bin/* | */libhwloc.a) continue ;;
    esac
    # Libraries may be listed under /lib, which is /usr/lib.
    [ -f "$file" ] || [ -L "$file" ] || continue
    to=$pack/usr/${file#/}
    to=${to/usr\/usr/usr}
    mkdir -p "$(dirname "$to")" && cp -P "$file" "$to"
  done
done
# Debian's compiler looks into the folder of its architecture by itself, others do not.
cp -R "$pack"/usr/include/x86_64-linux-gnu/. "$pack/usr/include/" || exit 4
printf '%s\n' "${packages[@]}" | xargs dpkg-query -W >"$pack/packages.txt"
say "packed $(du -sh "$pack" | cut -f1) into ${pack##*/}: copy the tree with it to the GPU machine"
say "its libraries need $(objdump -T "$libraries"/*.so* 2>/dev/null | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1)" \
  "and $(objdump -T "$libraries"/*.so* 2>/dev/null | grep -o 'GLIBCXX_[0-9.]*' | sort -Vu | tail -n 1) there"
