#!/usr/bin/env python3
"""How well the shares of runs repeat, estimator by estimator: runs as found, beside a spinner, beside a memory hog.

    tests/trials/noise_trials.py run OUT [--runs N] [--kinds found,spin,hog] [-- ARGUMENTS of roofline_bench]
    tests/trials/noise_trials.py table OUT        Markdown of what OUT holds, raw figures included

Of each row whose share has a probe, from the samples that run.json keeps:
    beside          1 / (best sample x best probe of a round), the median over the rounds: what the run reports
    rounds, best    1 / (best sample of all x best of the ceiling)
    rounds, median  1 / (median sample x median of the ceiling)
Shown: the median and the 90th percentile of |a / b - 1| over all pairs of runs, and of the ranges that a run gives its
shares how many hold the median of the other runs.
"""
import argparse
import itertools
import json
import pathlib
import signal
import statistics
import subprocess
import sys
import time

bench = pathlib.Path(__file__).resolve().parent.parent.parent / "build/release/bin/roofline_bench"
beside = {"found": None, "spin": "while True: pass",
          "hog": "a = bytearray(1 << 28); b = bytearray(1 << 28)\nwhile True: b[:] = a"}
estimators = ["beside", "rounds, best", "rounds, median"]


def run(out, runs, kinds, arguments):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the load must not outlive the trial
    for kind, number in itertools.product(kinds, range(runs)):
        folder = out / kind / f"{number:02}"
        if (folder / "run.json").exists():
            continue
        folder.mkdir(parents=True, exist_ok=True)
        other = beside[kind] and subprocess.Popen([sys.executable, "-c", beside[kind]])
        begin = time.monotonic()
        try:
            code = subprocess.run([bench, f"--out={folder}", *arguments], stdout=subprocess.DEVNULL, check=False).returncode
        finally:
            if other:
                other.kill(), other.wait()
        print(f"{kind} {number}: exit {code}, {time.monotonic() - begin:.0f} s", flush=True)
        for extra in folder.glob("*"):
            if extra.name != "run.json":
                extra.unlink()


def shares(path):
    """Of each row: the three estimates, up to a factor that is the same in all runs, and the range of the first."""
    block = json.loads(path.read_text())["roofline"]
    ceilings = {c["name"]: c for c in block["ceilings"]}
    found = {}
    for p in block["points"]:
        if not p.get("probes") or not p.get("times"):
            continue
        probe, rounds = p["probes"][0], {}
        for t in p["times"]:
            rounds.setdefault(t.get("round", 0), []).append(t["seconds"])
        each = [1 / (min(rounds[k]) * rate) for k, rate in zip(sorted(rounds), probe["rates"])]
        every, ceiling = [s for k in rounds.values() for s in k], ceilings[probe["ceiling"]]
        found[p["name"]] = (statistics.median(each), 1 / (min(every) * ceiling["rate"]),
                            1 / (statistics.median(every) * ceiling["rate_median"]), min(each), max(each), probe["ceiling"])
    return found


def percent(values, q):
    return 100 * sorted(values)[min(len(values) - 1, int(q * len(values)))] if values else float("nan")


def table(out):
    for kind in sorted(p.name for p in out.iterdir() if p.is_dir()):
        runs = [shares(path) for path in sorted((out / kind).glob("*/run.json"))]
        rows = sorted(set.intersection(*(set(r) for r in runs))) if runs else []
        print(f"\n## {kind}: {len(runs)} runs\n\n| row | " + " | ".join(f"{e}: median, 90 %" for e in estimators) +
              " | ranges that hold |\n|---|" + "---:|" * (len(estimators) + 1))
        medians = {e: [] for e in estimators}
        tenths, holding, ranges = {e: [] for e in estimators}, 0, 0
        for row in rows:
            same = [r[row] for r in runs if r[row][5] == runs[0][row][5]]  # the same ceiling binds
            cells, held = [], 0
            for i, e in enumerate(estimators):
                off = [abs(a[i] / b[i] - 1) for a, b in itertools.permutations(same, 2)]
                cells.append(f"{percent(off, 0.5):.1f}, {percent(off, 0.9):.1f}")
                if off:
                    medians[e].append(percent(off, 0.5)), tenths[e].append(percent(off, 0.9))
            for k, one in enumerate(same):
                others = [o[0] for j, o in enumerate(same) if j != k]
                if others:
                    ranges += 1
                    held += one[3] <= statistics.median(others) <= one[4]
            holding += held
            print(f"| {row} | " + " | ".join(cells) + f" | {held} of {len(same)} |")
        print("| **median of the rows** | " + " | ".join(
            f"{statistics.median(medians[e]):.1f}, {statistics.median(tenths[e]):.1f}" for e in estimators if medians[e]) +
            f" | {holding} of {ranges} |")


def main():
    cut = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    mine, passed_on = sys.argv[1:cut], sys.argv[cut + 1:]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["run", "table"])
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--kinds", default="found,spin,hog")
    args = parser.parse_args(mine)
    if args.what == "run":
        run(args.out, args.runs, args.kinds.split(","), passed_on)
    else:
        table(args.out)


main()
