#!/usr/bin/env bash
# roofline_mpi by the mpirun that it was built for: roofline_mpi_test.sh [ROOFLINE_MPI [network]]. 77 (skipped) where it
# was not built. With "network" also over one of known speed, which is measured: by hand, on a machine without other load.
set -u
[ $# -ge 1 ] || { echo "skipped: there was no MPI when this was built"; exit 77; }
program=$(readlink -f -- "$1") network=${2:-}
links=$(cd "$(dirname "$0")/../data/cluster" && pwd)/netns_links.sh
start=mpirun.mpich more=()
if ldd "$program" | grep -q libopen-pal; then # Open MPI's
  start=mpirun.openmpi more=(--oversubscribe --bind-to none)
fi
command -v $start >/dev/null || start=mpirun
command -v $start >/dev/null || { echo "skipped: no mpirun"; exit 77; }
folder=$(mktemp -d)
trap '"$links" down "$folder/net" 2>/dev/null; rm -rf "$folder"' EXIT
cd "$folder" || exit 1
export XDG_CACHE_HOME=$folder/cache ROOFLINE_NODE=here OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
wrong=0
fail() {
  echo "$*"
  wrong=1
}

# Three ranks, for which no size is a multiple: every result is that of one rank, or the exit code is 1.
$start "${more[@]}" -n 3 "$program" --quick --phases=links,halo --stencil=20 --lbm=37,96 --largest-message=4k --out=three >screen 2>errors
code=$?
[ $code = 0 ] || fail "three ranks: exit code $code: $(cat screen errors)"
python3 - <<'END' || wrong=1
import json, sys
run, ok = json.load(open("three/mpi.json")), True
def need(condition, what):
    global ok
    if not condition: print(what); ok = False
need(run["complete"] and run["nodes"] == ["here"] * 3, f"nodes {run['nodes']}, complete {run['complete']}")
need(len(run["links"]["pairs"]) == 3, "three ranks have three links")
need(len(run["halos"]) == 18, f"{len(run['halos'])} halos: 3 problems, strong and weak, 1, 2 and 3 ranks")
for h in run["halos"]:
    parts = sum(h[part] for part in ("compute", "pack", "exchange", "waiting"))
    need(abs(parts / h["seconds"] - 1) < 1e-9, f"{h['problem']}: parts are {parts}, the step {h['seconds']}")
    need((h["ranks"] > 1) == (h["bytes"] > 0) == ("predicted_exchange" in h), f"{h}: bytes, messages")
by = {(h["problem"], h["scaling"], h["ranks"]): h for h in run["halos"]}
face = by["stencil/7pt, 3D", "strong", 2]
need((face["messages"], face["bytes"]) == (1, 20 * 20 * 8), f"a face of 20 x 20: {face}")
# D2Q37 moves out a population of cx = 3 by three layers, each of 96 rows and 3 rows of the halo on both sides.
part = by["lbm/D2Q37, 1D", "strong", 2]
layers = sum(x for x in range(1, 4) for y in range(-3, 4) if x * x + y * y <= 10)
need((part["messages"], part["bytes"]) == (2, 2 * layers * (96 + 6) * 8), f"{layers} layers each way: {part}")
sys.exit(0 if ok else 1)
END

# Two ranks in common windows: their sum is what `roofline cluster` may add up from the run.json of each.
# The caches are measured before, so that a set that is DRAM's need not be that of caches that a guest has a share of.
"${program%_mpi}_bench" --ceilings=none --counters=none --stream=20000 --benchmark_filter=stream/copy --benchmark_min_time=0.001 \
  --device=cpu --out=one >/dev/null 2>&1
$start "${more[@]}" -n 2 "$program" --quick --phases=windows --out=two >screen 2>errors || fail "windows: code $?: $(cat screen errors)"
python3 - <<'END' || wrong=1
import json, sys
run = json.load(open("two/mpi.json"))
ranks = [json.load(open(f"two/here.{i}/run.json")) for i in (0, 1)]
for row in run["windows"]:
    rates, total = row["ranks"], row["sum"]["median"]
    if row["window"] != "common" or len(rates) != 2 or not 0.5 < total / sum(rates) < 2 or row["slowest_times_ranks"] != 2 * min(rates):
        sys.exit(f"{row}")
    kept = [c["rate"] for r in ranks for c in r["roofline"]["ceilings"] if c["name"] == row["name"]]
    if len(kept) != 2 or abs(sum(kept) / row["best"] - 1) > 1e-9 or row["best"] < total:
        sys.exit(f"ranks' own files have {kept}, not {row}")
if [(r["context"]["window"], r["context"]["rank"], r["context"]["local_ranks"]) for r in ranks] != [("common", "0", "2"), ("common", "1", "2")]:
    sys.exit(f"{ranks[0]['context']}")
END

# The process of a rank that measures: the one whose parent is this program, too.
rank_process() { # RANK
  local pid
  for pid in $(pgrep -x roofline_mpi); do
    [ "$(readlink "/proc/$pid/cwd")" = "$folder" ] &&
      [ "$(readlink "/proc/$(awk '/^PPid/ { print $2 }' "/proc/$pid/status")/exe")" = "$program" ] &&
      tr '\0' '\n' <"/proc/$pid/environ" | grep -q -e "^OMPI_COMM_WORLD_RANK=$1$" -e "^PMI_RANK=$1$" && echo "$pid" && return
  done 2>/dev/null
}
# A rank that hangs or dies: the phase and the rank are named, and what was found before stays. ends SIGNAL LINE
ends() {
  rm -rf ended
  $start "${more[@]}" -n 3 "$program" --quick --phases=messages,halo --stencil=256 --largest-message=64 --time-limit=5 --out=ended >screen 2>errors &
  local launcher=$! pid code
  for ((i = 0; i < 400; i++)); do grep -q '"messages"' ended/mpi.json 2>/dev/null && break; sleep 0.02; done
  pid=$(rank_process 2)
  [ -n "$pid" ] && kill "-$1" "$pid"
  wait $launcher
  code=$?
  [ -n "$pid" ] || { fail "$1: the third rank was not found: $(cat errors)"; return; }
  kill -KILL "$pid" 2>/dev/null
  # Hydra kills the others, and returns that signal: 9.
  [ $code = 3 ] || { [ ${#more[@]} = 0 ] && [ "$1 $code" = "KILL 9" ]; } || fail "$1: exit code $code: $(cat errors)"
  cp errors "errors.$1"
  grep -q "$2" errors || fail "$1: who it was is not told: $(cat errors)"
  grep -q '"complete": false' ended/mpi.json && grep -q '"messages"' ended/mpi.json || fail "$1: what was found before is lost"
}
ends STOP 'roofline_mpi: rank [01] on here: phase halo: .* waits for .*rank 2 on here'
ends KILL 'roofline_mpi: rank 2 on here: phase halo: killed by signal 9'

# A rank that was stopped is woken by the launcher before it is ended: it accuses nobody.
grep 'rank 2 on here: .* waits for' errors.STOP && fail "a rank that was stopped accuses another one"

# Ranks of two versions are not one measurement.
version=$("$program" --version 2>/dev/null | sed 's/^roofline_mpi \([0-9.]*\),.*/\1/')
sed "s/${version//./\\.}/$(tr 0-9 1-90 <<<"$version")/g" "$program" >other && chmod +x other
"$start" "${more[@]}" -n 1 "$program" --quick --phases=links --out=two_versions : -n 1 ./other --quick --phases=links --out=two_versions >screen 2>errors
code=$?
[ $code = 3 ] && [ "$(grep -c 'rank 0 on here is version .*, rank 1 on here is version ' errors)" = 1 ] ||
  fail "two versions: code $code: $(cat screen errors)"
[ ! -e two_versions/mpi.json ] || fail "two versions: their sum is kept"

# Too little memory is not a wrong result.
"$start" "${more[@]}" -n 1 "$program" --phases=halo --quick --stencil=2000 --out=small >screen 2>errors
code=$?
[ $code = 3 ] && grep -q 'rank 0 on here: phase halo: out of memory: choose a smaller --stencil' errors ||
  fail "out of memory: code $code: $(cat screen errors)"

$start "${more[@]}" -n 1 "$program" --phases=nothing >screen 2>errors
code=$?
[ $code = 2 ] && [ "$(grep -c roofline_mpi: errors)" = 1 ] || fail "bad flag: code $code: $(cat errors)"
$start "${more[@]}" -n 1 "$program" --lbm=37,50 --quick --phases=halo >screen 2>errors
code=$?
[ $code = 2 ] && grep -q 'multiple of' errors || fail "bad size: code $code: $(cat errors)"

# A cable at a quarter of the others' rate, by its known answer.
[ -n "$network" ] || exit $wrong
unset ROOFLINE_NODE
if [ $start = mpirun.openmpi ] && [ "$(id -u)" = 0 ] && "$links" up 4 "$folder/net" 400 >net.txt 2>&1 && "$links" slow "$folder/net" 2 100; then
  timeout 120 "$links" mpirun "$folder/net" -n 4 --map-by node "$program" --quick --phases=links --largest-message=4M --out="$folder/cable" >screen 2>errors || fail "network: code $?: $(cat screen errors)"
  python3 - <<'END' || wrong=1
import json, sys
run, ok = json.load(open("cable/mpi.json")), True
for slow, rate in ((False, 50e6), (True, 12.5e6)):
    links = sorted(l["bandwidth"] for l in run["links"]["pairs"] if (1 in (l["a"], l["b"])) == slow)
    known = rate * 1448 / 1514
    if abs(links[1] / known - 1) > 0.15:
        print(f"{links} B/s, known {known:.4g}"); ok = False
slow = [f for f in run["links"]["findings"] if f["verdict"] == "SLOW" and f["in"] == "bandwidth"]
if len(slow) != 1 or slow[0]["rank"] != 1 or "other_rank" in slow[0] or not 0.6 < slow[0]["loss"] < 0.9:
    print(f"findings: {run['links']['findings']}"); ok = False
sys.exit(0 if ok else 1)
END
else
  echo "no network of known speed here: $(cat net.txt 2>/dev/null)"
fi
exit $wrong
