"""Cases of field.py that are not files: the program where users run it. Some minutes each; the quota needs root."""

import json
import os
import pathlib
import subprocess
import sys


def threads_of_a_library(out):
    """Rows of 1, 2 and 2 threads, 8192, 16384 and 32768 FLOP in a launch of all, no parallel regions."""
    rows = sorted((p["name"], p["threads"], 2 * p["counts"]["operations"]["fma"], "regions" in p["counts"])
                  for file in out.rglob("run.json") for p in json.loads(file.read_text())["roofline"]["points"])
    return rows, [row[1:] for row in rows] == [(1, 8192, False), (2, 16384, False), (2, 32768, False)]


def memory_limit(out):
    """DRAM's sets are twice the last cache at least, or a warning names the limit."""
    run = json.loads((out / "run.json").read_text())
    sets = [c["working_set"] for c in run["roofline"]["ceilings"] if c["name"].startswith("ceiling/bandwidth/DRAM/")]
    last, said = run["roofline"]["machine"]["largest_llc"], [w for w in run["roofline"].get("warnings", []) if "limit" in w]
    answer = f"sets of DRAM's ceilings: {min(sets, default=0):.0f} B and more, last cache: {last} B"
    return answer + "; ".join(["", *said]), min(sets, default=2 * last) >= 2 * last or bool(said)


def cpu_quota(out):
    """At least 10 rows of one thread with a time, marked as throttled; said: 0.5 of a core, running time."""
    run = json.loads((out / "run.json").read_text())
    rows = [r for r in run["benchmarks"] if not r["name"].startswith("ceiling/") and r.get("time_median", 0) > 0]
    said = [w for w in run["roofline"].get("warnings", []) if "0.5 of a core" in w and "running time" in w]
    marked = all(r["threads"] == 1 and "throttled" in r["label"] for r in rows)
    stopped = run["roofline"].get("noise", {}).get("throttled", 0)
    return (f"{len(rows)} rows of one thread with a time, stopped in {stopped:.0%} of the periods; " + "; ".join(said),
            len(rows) >= 10 and marked and bool(said))


def made_up_topology(out):
    """Cores and caches of the machine, and a word on HWLOC_SYNTHETIC."""
    machine = json.loads((out / "run.json").read_text())["roofline"]["machine"]
    said = [w for w in machine.get("overridden", []) if "HWLOC_SYNTHETIC" in w]
    return (f"{machine['usable_cores']} cores, last cache {machine['largest_llc']} B; " + "; ".join(said),
            machine["usable_cores"] <= len(os.sched_getaffinity(0)) and machine["largest_llc"] > 1 << 20 and bool(said))


# folder, command, what its files must say
ENVIRONMENTS = [
    ("26_library_threads", "THREADS --roofline --ceilings=quick --roofline-out=OUT", threads_of_a_library),
    ("27_memory_limit", "sh limit.sh BIN OUT", memory_limit),
    ("28_cpu_quota", "sh quota.sh BIN OUT", cpu_quota),
    ("29_made_up_topology", "sh made_up.sh BIN OUT", made_up_topology),
]


def run_environment(case, data, bench, threads, scratch):
    """A line of the table, and whether the case is right."""
    folder, command, judge = case
    out = pathlib.Path(scratch) / folder
    words = command.replace("THREADS", threads or "").replace("OUT", str(out))
    words = words.replace("BIN", str(pathlib.Path(bench).absolute().parent))
    done = subprocess.run(words, shell=True, cwd=data / folder, capture_output=True, text=True, timeout=1800)
    answer, right = judge(out) if done.returncode == 0 else (done.stderr.strip(), False)
    word = "right" if right else "WRONG"
    print(f"{folder}: {answer}: {word}", file=sys.stderr)
    wanted = judge.__doc__
    return f"| {folder} | `{command}` | {str(answer).replace('|', '/')} | {wanted} | {word} |", right
