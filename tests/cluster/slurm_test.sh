#!/usr/bin/env bash
# Ranks and tools/cluster under a Slurm of four nodes on this host: slurm_test.sh BENCH ROOFLINE. Installs Slurm where it can;
# 77 (skipped) with the reason elsewhere.
set -u
bench=$(readlink -f -- "$1") roofline=$(readlink -f -- "$2")
root=$(cd "$(dirname "$0")/../.." && pwd)
up=$root/tests/data/cluster/slurm_up.sh down=$root/tests/data/cluster/slurm_down.sh
[ "$(id -u)" = 0 ] || { echo "skipped: not root"; exit 77; }
[ "$(nproc)" -ge 2 ] || { echo "skipped: one core"; exit 77; }
unshare --uts true 2>/dev/null || { echo "skipped: no namespaces for the names of nodes"; exit 77; }
folder=$(mktemp -d /tmp/roofline-slurm-XXXXXX) # short: names of sockets are
trap '"$down" "$folder/slurm" >/dev/null 2>&1; rm -rf "$folder"' EXIT
"$up" 4 "$folder/slurm" >"$folder/up" 2>&1 || {
  code=$?
  tail -n 5 "$folder/up"
  [ $code = 3 ] && { echo "skipped: Slurm cannot be installed here"; exit 77; }
  echo "Slurm does not come up: code $code"
  exit 1
}
# shellcheck disable=SC1091
. "$folder/slurm/env.sh"
cd "$folder" || exit 1
export XDG_CACHE_HOME=$folder/cache
tiny=(--ceilings=none --counters=none --stream=20000 --benchmark_filter=stream/copy --benchmark_min_time=0.001 --device=cpu --threads=1)
wrong=0
fail() {
  echo "$*"
  wrong=1
}

# context FILE KEY...: values of its context, "-" where one is absent
context() { python3 -c 'import json,sys; c=json.load(open(sys.argv[1]))["context"]; print(*(c.get(k,"-") for k in sys.argv[2:]))' "$@"; }
# expect FILE VALUES KEY...
expect() {
  local file=$1 values=$2 got
  shift 2
  got=$(context "$file" "$@" 2>/dev/null) || { fail "$file: no readable run"; return; }
  [ "$got" = "$values" ] || fail "$file: $* are '$got', not '$values'"
}
# started WHAT CODE OUT: the output of ranks, and that they end well
started() {
  [ "$2" = 0 ] || fail "$1: exit code $2: $(cat "$3.err")"
  [ ! -s "$3.err" ] || fail "$1: standard error: $(cat "$3.err")"
  [ "$(grep -c '^launcher:' "$3")" = 1 ] || fail "$1: rank 0 alone prints the screen: $(grep '^launcher:' "$3")"
}

srun -N4 -n4 "$bench" "${tiny[@]}" --out=four >four.txt 2>four.txt.err
started "srun -N4 -n4" $? four.txt
for i in 1 2 3 4; do
  expect four/n$i/run.json "n$i Slurm step $((i - 1)) 4 0 1" node launcher rank ranks local_rank local_ranks
done
[ "$(find cache/roofline -name 'levels-*-n[1-4]-threads-*.json' | wc -l)" = 4 ] || fail "levels are kept a node: $(ls cache/roofline)"

srun -N2 -n4 "$bench" "${tiny[@]}" --out=two >two.txt 2>two.txt.err
started "srun -N2 -n4" $? two.txt
for i in 0 1 2 3; do
  expect "two/n$((i / 2 + 1)).$((i % 2))/run.json" "$i 4 $((i % 2)) 2 $(($(nproc) / 2))" rank ranks local_rank local_ranks usable_cores
done
grep -q 'window=own' two/n1.0/run.json || fail "rows do not say that their windows are the rank's own"

# The scripts themselves, with a program that returns the measurements from above instead of measuring.
cat >stored <<'END'
#!/bin/sh
echo "$SLURMD_NODENAME $*" >>"$FOLDER/started"
for flag; do case $flag in --out=*) out=${flag#--out=} ;; esac; done
[ "$AT_ONCE" = 1 ] || out=$out/$SLURMD_NODENAME
mkdir -p "$out" && cp "$FOLDER/four/$SLURMD_NODENAME/run.json" "$out"
END
chmod +x stored
export FOLDER=$folder BENCH=$folder/stored FLAGS=--quick
AT_ONCE=2 sbatch --wait -N4 --output=sweep.txt "$root/tools/cluster/sweep.slurm" >/dev/null || fail "sweep: $(cat sweep.txt)"
for i in 1 2 3 4; do expect runs/n$i/run.json "n$i" node; done
[ "$(grep -c -e '--quick --out=runs$' started)" = 4 ] || fail "sweep started $(cat started)"
"$roofline" cluster runs --suspects=suspects >cluster.txt || [ $? = 3 ] || fail "roofline cluster: $(cat cluster.txt)"
grep -q '^4 nodes, 4 files$' cluster.txt || fail "runs of today are not read: $(cat cluster.txt)"
# Meanwhile: in a batch script without srun Slurm has variables of one task of several: it is one process all the same.
array=$(sbatch --parsable --array=2 -w n4 -N1 -n2 --output=array-%a.txt \
  --wrap "'$bench' ${tiny[*]@Q} --out=array-\$SLURM_ARRAY_TASK_ID") || fail "array: not taken"
echo n2 >suspects
AT_ONCE=1 "$root/tools/cluster/again.slurm" suspects --output=again.txt >/dev/null || fail "again: $(cat again.txt)"
for i in 1 2; do expect again-$i/n2/run.json n2 node; done
[ "$(ls again-1)" = n2 ] || fail "again measured $(ls again-1)"
for ((i = 0; i < 600; i++)); do [ -e array-2/run.json ] && break; sleep 0.1; done
expect array-2/run.json "- - ${array}_2" launcher rank job
: >suspects
"$root/tools/cluster/again.slurm" suspects >nothing.txt || fail "again without suspects: code $?"
exit $wrong
