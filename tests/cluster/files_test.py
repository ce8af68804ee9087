#!/usr/bin/env python3
"""Files of tools/cluster that have no cluster here: files_test.py BENCH. Exit code 77: skipped."""

import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile

bench = sys.argv[1]
folder = os.path.join(os.path.dirname(__file__), "../../tools/cluster")
wrong = []


def expect(what, condition):
    if not condition:
        wrong.append(what)


def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, check=False, **more)


# Every flag of roofline_bench that is in a file exists.
flags = run([bench, "--help"]).stdout
for name in os.listdir(folder):
    path = os.path.join(folder, name)
    if name.endswith((".slurm", ".sh", ".nhc")):
        expect(f"{name}: bash -n", run(["bash", "-n", path]).returncode == 0)
    if name.endswith(".py"):
        with open(path, encoding="utf-8") as file:
            compile(file.read(), name, "exec")
for flag in ("--quick", "--out", "--ranks", "--node", "--time-limit"):
    expect(f"{flag} is no flag", re.search(rf"^\s+{flag}\b", flags, re.MULTILINE))

tiny = ["--ceilings=none", "--stream=20000", "--benchmark_filter=stream/(triad|copy)", "--benchmark_min_time=0.001"]
clean = {name: value for name, value in os.environ.items() if not re.match("SLURM|PMI|OMPI|FLUX|JOB_COMP|ROOFLINE", name)}
with tempfile.TemporaryDirectory() as scratch:
    # The parser of the ReFrame test, without ReFrame.
    done = run([bench, *tiny, f"--out={scratch}/one"], env=clean)
    expect(f"a run: {done.stderr}", done.returncode == 0)
    spec = importlib.util.spec_from_file_location("reframe_roofline", os.path.join(folder, "reframe_roofline.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    figures = module.figures(f"{scratch}/one/run.json")
    with open(f"{scratch}/one/run.json", encoding="utf-8") as file:
        triad = [row for row in json.load(file)["benchmarks"] if row["name"] == "stream/triad/n:20000"][0]
    expect(f"figures: {figures}", figures.get("stream/triad/n:20000") == (triad["FLOP/s"] / 1e9, "GFLOP/s"))
    for bad in ("", "{", "[]", '{"benchmarks": 1}', '{"benchmarks": [1]}', '{"benchmarks": [{}]}'):
        with open(f"{scratch}/bad.json", "w", encoding="utf-8") as file:
            file.write(bad)
        try:
            module.figures(f"{scratch}/bad.json")
            wrong.append(f"accepted: {bad}")
        except ValueError:
            pass

    # The view of a pod of the Kubernetes job: its variables, and the place of its files.
    try:
        import yaml
    except ImportError:
        sys.exit(77)  # tools/test.sh installs it
    with open(os.path.join(folder, "job.yaml"), encoding="utf-8") as file:
        job = yaml.safe_load(file)
    container = job["spec"]["template"]["spec"]["containers"][0]
    names = {entry["name"]: entry for entry in container["env"]}
    expect("job.yaml: indexed", job["kind"] == "Job" and job["spec"]["completionMode"] == "Indexed")
    expect("job.yaml: as many at once", job["spec"]["completions"] == job["spec"]["parallelism"])
    expect("job.yaml: node", names["ROOFLINE_NODE"]["valueFrom"]["fieldRef"]["fieldPath"] == "spec.nodeName")
    program, *arguments = container["command"]
    expect("job.yaml: program", program == "roofline_bench" and "--out=/results" in arguments)
    pod = clean | {"ROOFLINE_NODE": "worker-a", "JOB_COMPLETION_INDEX": "2"}
    done = run([bench, *tiny, f"--out={scratch}/pods"], env=pod)
    expect(f"a pod: {done.stderr}", done.returncode == 0 and "launcher:" in done.stdout)
    expect("a pod: its folder", os.path.exists(f"{scratch}/pods/worker-a.2/run.json"))

    # Flux, by a stand-in that starts as many tasks with its variables.
    with open(f"{scratch}/flux", "w", encoding="utf-8") as file:
        file.write(
            "#!/bin/sh\n"
            '[ "$1" = run ] && [ "$2" = --nodes=2 ] && [ "$3" = --ntasks=2 ] && [ "$4" = --exclusive ] || exit 9\n'
            "shift 4\n"
            "for rank in 0 1; do\n"
            "  FLUX_TASK_RANK=$rank FLUX_JOB_SIZE=2 FLUX_TASK_LOCAL_ID=0 FLUX_JOB_ID=f1 ROOFLINE_NODE=f$rank "
            '"$@" || exit\n'
            "done\n"
        )
    os.chmod(f"{scratch}/flux", 0o755)
    flux = clean | {"PATH": f"{scratch}:{os.environ['PATH']}", "BENCH": bench, "OUT": f"{scratch}/flux-runs"}
    done = run(["bash", os.path.join(folder, "flux.sh"), "2", *tiny], env=flux)
    expect(f"flux.sh: {done.returncode} {done.stderr}", done.returncode == 0)
    for rank in (0, 1):
        path = f"{scratch}/flux-runs/f{rank}.0/run.json"
        if not os.path.exists(path):
            wrong.append(f"flux.sh: no {path}")
            continue
        with open(path, encoding="utf-8") as file:
            context = json.load(file)["context"]
        seen = {key: context.get(key) for key in ("node", "launcher", "rank", "ranks", "job")}
        right = {"node": f"f{rank}", "launcher": "Flux", "rank": str(rank), "ranks": "2", "job": "f1"}
        expect(f"flux.sh: {seen}", seen == right)
    expect("flux.sh: one screen", done.stdout.count("launcher:") == 1)
print("\n".join(wrong))
sys.exit(1 if wrong else 0)
