#!/usr/bin/env python3
"""Runs the program where memory, CPUs, files or OpenMP are not what it would like: tests/environments.py BENCH.

Prints the two tables of results/trust/environments.md. Needs root for control groups (version 1) and file systems;
what cannot be set up is said. Each case has the exit code that README documents; another one is marked and ends it
with 1.
"""
import argparse
import contextlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

OPENMP = ["OMP_PROC_BIND=false", "OMP_PROC_BIND=master", "OMP_PROC_BIND=close", "OMP_THREAD_LIMIT=1",
          "OMP_WAIT_POLICY=passive", "OMP_WAIT_POLICY=active", "OMP_NUM_THREADS=1", "OMP_NUM_THREADS=8",
          "OMP_DYNAMIC=true", "OMP_PLACES=cores", "GOMP_CPU_AFFINITY=0", "GOMP_SPINCOUNT=0", "OMP_SCHEDULE=dynamic",
          "KMP_AFFINITY=disabled", "OMP_MAX_ACTIVE_LEVELS=0"]
FMA = "ceiling/flops/fp64/fma/"


@contextlib.contextmanager
def control_group(controller, **settings):
    group = pathlib.Path(f"/sys/fs/cgroup/{controller}/roofline_environments")
    group.mkdir()
    try:
        for name, value in settings.items():
            (group / name.replace("__", ".")).write_text(str(value))
        yield f"echo $$ > {group}/cgroup.procs; "
    finally:
        for process in (group / "cgroup.procs").read_text().split():
            (group.parent / "cgroup.procs").write_text(process)
        group.rmdir()


@contextlib.contextmanager
def file_system(folder, options, size):
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", folder], check=True)
    try:
        if options:
            subprocess.run(["mount", "-o", f"remount,{options}", folder], check=True)
        yield ""
    finally:
        subprocess.run(["umount", folder], check=True)


def run(bench, flags, before="", after=""):
    command = f"{before} exec '{bench}' {flags} {after}"
    return subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=300)


def cases(bench, folder):
    """Name, what is run, the documented exit code, the outcome."""
    quick = f"--quick --out={folder}/out"
    short = f"--ceilings=none --benchmark_filter=stream/copy --stream=100000 --benchmark_min_time=0.001 --out={folder}/out"
    unlimited = contextlib.nullcontext("")
    limited = lambda size: contextlib.nullcontext(f"ulimit -v {size}; ")
    yield "control group of 300 MiB", "--quick", 0, control_group("memory", memory__limit_in_bytes=300 << 20), quick, ""
    yield ("control group of 300 MiB", "--quick --benchmark_filter=lbm --lbm=1024,1024", 2,
           control_group("memory", memory__limit_in_bytes=300 << 20), quick + " --benchmark_filter=lbm --lbm=1024,1024", "")
    yield "address space of 600 MB", "--quick", 0, limited(600000), quick, ""
    yield "address space of 300 MB", "--quick", 0, limited(300000), quick, ""
    yield ("quota of 1.5 CPUs", "--quick", 0,
           control_group("cpu", cpu__cfs_period_us=100000, cpu__cfs_quota_us=150000), quick, "")
    disk = folder / "disk"
    disk.mkdir()
    elsewhere = short.replace(f"{folder}/out", str(disk))
    yield "read-only file system", "one row", 4, file_system(disk, "ro", "1m"), elsewhere, ""
    yield "file system of 64 KiB", "one row", 4, file_system(disk, "", "64k"), elsewhere, ""
    yield "standard output closed", "one row", 4, unlimited, short, ">&-"
    yield "standard output full", "one row", 4, unlimited, short, "> /dev/full"
    yield "standard error closed", "one row", 0, unlimited, short, "2>&-"


def limits(bench, folder):
    print("| where | what | exit code | lines on standard error | said |\n|---|---|---:|---:|---|")
    wrong = 0
    for where, what, expected, setting, flags, after in cases(bench, folder):
        try:
            with setting as before:
                done = run(bench, flags, before, after)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"| {where} | {what} | not set up: {error} | | |")
            continue
        lines = [line for line in re.split(r"[\r\n]+", done.stderr) if line.startswith("roofline_bench:")]
        said = lines[0][len("roofline_bench: "):].replace(str(folder), "...") if lines else ""
        cores = re.search(r"^cores +(.*)$", done.stdout, re.M)
        if not said and "quota" in where and cores:
            said = cores[1]
        if not said and "Left out" in done.stdout:
            said = f"{len(re.findall(r'choose a smaller', done.stdout))} lines among what is left out"
        wrong += done.returncode != expected
        code = str(done.returncode) if done.returncode == expected else f"**{done.returncode}, not {expected}**"
        print(f"| {where} | {what} | {code} | {len(lines)} | {said.replace('|', '/')} |", flush=True)
    return wrong


def fma_rate(bench, folder, setting):
    flags = f"--ceilings=quick --benchmark_filter='{FMA}' --out={folder}/openmp"
    done = run(bench, flags, f"export {setting};" if setting else "")
    if done.returncode:
        return done.returncode, None, done.stderr.strip().split("\n")[-1]
    rows = json.loads((folder / "openmp/run.json").read_text())["benchmarks"]
    rates = [row["FLOP/s"] for row in rows if row["name"].startswith(FMA) and "threads:1" not in row["name"]]
    name = setting.split("=")[0] if setting else "?"
    said = [line for line in re.split(r"\n(?! )", done.stdout) if name in line]
    return 0, max(rates, default=0.0), " ".join(said[0].split()) if said else "nothing"


def openmp(bench, folder):
    """Every case between two runs without the variable, so that a drift of the machine is seen as such."""
    print("\n| variable | FMA [GFLOP/s] | without it, before and after | ratio | said |\n|---|---:|---:|---:|---|")
    before, worst = fma_rate(bench, folder, "")[1], 1.0
    for setting in OPENMP:
        code, rate, said = fma_rate(bench, folder, setting)
        after = fma_rate(bench, folder, "")[1]
        if rate is None:
            print(f"| {setting} | refused, {code} | | | {said} |")
        else:
            ratio = rate / ((before + after) / 2)
            worst = min(worst, ratio)
            print(f"| {setting} | {rate / 1e9:.1f} | {before / 1e9:.1f}, {after / 1e9:.1f} | {ratio:.3f} "
                  f"| {said.replace('|', '/')} |", flush=True)
        before = after
    print(f"\nThe least ratio is {worst:.3f}.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench", type=lambda path: os.path.abspath(path))
    parser.add_argument("--only", choices=["limits", "openmp"])
    options = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        if options.only != "openmp":
            wrong = limits(options.bench, pathlib.Path(folder))
        if options.only != "limits":
            openmp(options.bench, pathlib.Path(folder))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
