#!/usr/bin/env bash
# Two and eight ranks on this node by the mpirun of Open MPI and of MPICH, where they are installed: mpi_test.sh BENCH.
# 77 (skipped) where neither is.
set -u
bench=$(readlink -f -- "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
export XDG_CACHE_HOME=$folder/cache ROOFLINE_NODE=here OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
tiny=(--ceilings=none --counters=none --stream=20000 --benchmark_filter=stream/copy --benchmark_min_time=0.001 --device=cpu)
wrong=0
tried=0
fail() {
  echo "$*"
  wrong=1
}
for library in openmpi mpich; do
  start=mpirun.$library
  command -v "$start" >/dev/null || continue
  tried=1
  for n in 2 8; do
    more=()
    [ $library = mpich ] || more=(--oversubscribe)
    out=$library-$n
    "$start" "${more[@]}" -n $n "$bench" "${tiny[@]}" --out="$out" >screen 2>errors
    code=$?
    [ $code = 0 ] || fail "$out: exit code $code: $(cat errors)"
    [ ! -s errors ] || fail "$out: standard error: $(cat errors)"
    [ "$(grep -c '^launcher:' screen)" = 1 ] || fail "$out: rank 0 alone prints the screen"
    [ "$(find "$out" -name run.json | wc -l)" = $n ] || fail "$out: $(find "$out" -name run.json | wc -l) runs of $n"
    # Each readable, each rank once, cores of their own while there are as many.
    python3 - "$out" $n "$(nproc)" <<'END' || wrong=1
import glob, json, sys
out, ranks, cores = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
taken, seen, ok = set(), set(), True
for path in glob.glob(out + "/here.*/run.json"):
    run = json.load(open(path))
    context, place = run["context"], run["roofline"]["place"]
    seen.add(int(context["rank"]))
    right = {"node": "here", "ranks": str(ranks), "local_rank": context["rank"], "local_ranks": str(ranks)}
    for key, value in right.items():
        if context.get(key) != value:
            print(f"{path}: {key} is {context.get(key)}, not {value}"); ok = False
    if not path.endswith(f"/here.{context['rank']}/run.json"):
        print(f"{path}: is of rank {context['rank']}"); ok = False
    if ranks <= cores and taken & set(run["roofline"]["machine"]["cpus"]):
        print(f"{path}: CPUs {run['roofline']['machine']['cpus']} are those of another rank, too"); ok = False
    taken |= set(run["roofline"]["machine"]["cpus"])
    if (ranks > cores) != ("disturbed" in place):
        print(f"{path}: disturbed is {place.get('disturbed')}"); ok = False
if seen != set(range(ranks)):
    print(f"{out}: ranks {sorted(seen)}"); ok = False
sys.exit(0 if ok else 1)
END
  done
done
[ $tried = 1 ] || { echo "skipped: neither Open MPI nor MPICH is installed"; exit 77; }
exit $wrong
