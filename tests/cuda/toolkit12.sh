#!/usr/bin/env bash
# Debian's CUDA 12.4 in a folder of its own, beside whatever is installed: tests/cuda/toolkit12.sh FOLDER. It comes from
# the mirror that this machine's apt uses: a gigabyte, of which 0.3 stay. Exits with 77 where it cannot be had.
set -euo pipefail
folder=$(readlink -m -- "$1")
[ ! -x "$folder/bin/nvcc" ] || exit 0
missing() {
  echo "no CUDA 12.4: $1" >&2
  exit 77
}
command -v apt-get >/dev/null || missing "apt-get is not here"
[ "$(dpkg --print-architecture)" = amd64 ] || missing "the script knows the packages for amd64 alone"
mirror=$(apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' | sed -n 's/^Debian //p' | head -n 1)
[ -n "$mirror" ] || missing "apt knows no mirror of Debian"
mkdir -p "$folder"
work=$(mktemp -d "$folder/XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/lists/partial "$work"/cache/archives/partial "$work"/root
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main non-free" >"$work/sources.list"
apt=(apt-get -q -o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=/dev/null
  -o "Dir::State::lists=$work/lists" -o "Dir::Cache=$work/cache" -o APT::Sandbox::User=root)
cd "$work"
{ "${apt[@]}" update && "${apt[@]}" download nvidia-cuda-toolkit nvidia-cuda-dev libcudart12 libcu++-dev libcupti-dev; } \
  >"$work/log" 2>&1 || missing "$(grep -m 1 '^[EW]:' "$work/log" || echo "the mirror has no trixie/non-free")"
for package in *.deb; do # none has all of these
  dpkg-deb --fsys-tarfile "$package" | tar -x -C root --wildcards './usr/include/*' './usr/bin/*' \
    './usr/lib/nvidia-cuda-toolkit/*' './usr/lib/*/libcudart*' './usr/lib/*/libcudadevrt.a' 2>/dev/null || true
done
# As NVIDIA's own installer lays it out, which does not depend on where it lies.
debian=root/usr/lib/nvidia-cuda-toolkit
mkdir -p "$folder"/bin "$folder"/nvvm/bin "$folder"/lib64
mv root/usr/bin/{bin2c,cudafe++,cuobjdump,fatbinary,nvdisasm,nvlink,ptxas} $debian/bin/crt "$folder/bin"
mv $debian/bin/cicc "$folder/nvvm/bin"
mv $debian/libdevice "$folder/nvvm"
mv root/usr/include "$folder"
mv root/usr/lib/x86_64-linux-gnu/libcuda* "$folder/lib64"
cat >"$folder/bin/nvcc.profile" <<'PROFILE'
TOP = $(_HERE_)/..
NVVMIR_LIBRARY_DIR = $(TOP)/nvvm/libdevice
PATH += $(TOP)/nvvm/bin:$(_HERE_):
INCLUDES += "-I$(TOP)/include" $(_SPACE_)
LIBRARIES =+ $(_SPACE_) "-L$(TOP)/lib64"
PROFILE
mv $debian/bin/nvcc "$folder/bin"
