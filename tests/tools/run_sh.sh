#!/usr/bin/env bash
# The targets that tools/run.sh builds, whatever the run's arguments: the GPU part where there is a GPU, or after
# tools/build.sh, and from then on always. Nothing is compiled:
# a copy of the scripts, with programs in the place of cmake and roofline_bench that write down how they were called.
set -euo pipefail
root=$(dirname -- "$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; exit 1; }

mkdir -p "$work/tree/build/release/bin" "$work/programs"
cp -R "$root/tools" "$work/tree"
cat >"$work/programs/cmake" <<'FAKE'
#!/usr/bin/env bash
case $* in
  --preset*)
    all=$*
    echo "$all" >configured
    printf '%s\n' "ROOFLINE_CUDA_LATER:BOOL=${all##*LATER=}" "ROOFLINE_NVCC:FILEPATH=$NVCC" >build/release/CMakeCache.txt ;;
  --build*) echo "$*" >>built ;;
esac
FAKE
# Packages that are not there are not this test's business.
printf '#!/bin/sh\necho all\n' >"$work/programs/dpkg"
printf '#!/bin/sh\necho "all installed"\n' >"$work/programs/dpkg-query"
printf '#!/bin/sh\necho "$@"; echo run >>"%s/tree/built"; exit ${CODE:-0}\n' "$work" >"$work/tree/build/release/bin/roofline_bench"
for program in g++ ninja pkg-config; do printf '#!/bin/sh\n' >"$work/programs/$program"; done
chmod +x "$work"/programs/* "$work/tree/build/release/bin/roofline_bench"
export PATH=$work/programs:$PATH NVCC=/bin/true

# runs ON|OFF ARGUMENT...: the GPU part is left for later or not, and the run gets its arguments
runs() {
  local later=$1
  shift
  rm -f "$work/tree/built"
  "$work/tree/tools/run.sh" "$@" >"$work/out" 2>"$work/err" || { cat "$work/err"; fail "run.sh $*"; }
  [ "$(cat "$work/out")" = "$*" ] || fail "run.sh $*: the program got $(cat "$work/out")"
  grep -q "LATER=$later\$" "$work/tree/configured" || fail "run.sh $*: cmake got $(cat "$work/tree/configured")"
  # The program that reads results is built when there is a result.
  [ "$(sed 's/.*--target //' "$work/tree/built" | paste -sd' ')" = "roofline_bench run roofline" ] ||
    fail "run.sh $*: built $(cat "$work/tree/built")"
}
says_so() { [ "$(grep -c 'without the GPU part.*tools/build.sh' "$work/err" || true)" = "$1" ] || fail "says: $(cat "$work/err")"; }

gpu=no
if [ -e /dev/nvidiactl ] || [ -e /dev/dxg ]; then gpu=yes; fi
if [ $gpu = no ]; then
  runs ON --device=cpu --quick
  says_so 1
  NVCC=ROOFLINE_NVCC-NOTFOUND runs ON --device=cpu
  says_so 0
  runs ON --device=virtual --verify
  says_so 1
fi
(cd "$work/tree" && tools/build.sh roofline_bench 2>/dev/null)
runs OFF --device=virtual --verify
says_so 0
runs OFF --device=cpu
says_so 0

# The run's own exit code is kept, and what cannot be built says how to go on.
code=0
CODE=3 "$work/tree/tools/run.sh" --device=cpu >/dev/null 2>"$work/err" || code=$?
[ $code = 3 ] || fail "the run ended with 3, run.sh with $code"
grep -q 'roofline show --all' "$work/err" || fail "does not say how to go on: $(cat "$work/err")"
