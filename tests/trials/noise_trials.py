#!/usr/bin/env python3
"""How well the shares of runs repeat, estimator by estimator: runs as found, beside a spinner, beside a memory hog.

    tests/trials/noise_trials.py run OUT [--runs N] [--kinds found,spin,hog] [-- ARGUMENTS of roofline_bench]
    tests/trials/noise_trials.py table OUT        Markdown of what OUT holds, raw figures included

Of each kind of load: how far the shares of two runs lie apart (median over the rows, and 90th percentile of the rows,
of the median over all pairs of runs; the share is of the row's mix where there is one, else of its roof), the same of
pairs whose cores lay alike (core_distance), of how many ranges the share of another run lies inside, rounds, times.
Then what each part of the estimator is worth, from the samples of the rows with one probe: the same figures with half
and a quarter of the rounds, with one sample of kernel and roof a round, and with the roof of the whole run.
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


def middle(values):
    """As middle_interval() of bench/model; below six values their median."""
    if len(values) < 6:
        return statistics.median(values)
    return statistics.median((a + b) / 2 for a, b in itertools.combinations_with_replacement(values, 2))


class Run:
    """The shares of a run with their ranges, and what the estimators need."""

    def __init__(self, path):
        self.block = json.loads(path.read_text())["roofline"]
        self.points = {p["name"]: p for p in self.block["points"]}
        self.distance = self.block.get("core_distance", 0)
        judged = {name: p.get("mix") or p.get("roof") for name, p in self.points.items()}
        self.shares = {name: j["efficiency"] for name, j in judged.items() if j}
        self.ranges = {name: j["range"] for name, j in judged.items() if j and j.get("range")}
        self.rounds = [len({t.get("round", 0) for t in p["times"]}) for p in self.points.values()]
        elsewhere = [t for p in self.points.values() for e in p.get("elsewhere", []) for t in e["times"]]
        self.aside = len(elsewhere)
        self.first = min(t["start"] for t in elsewhere + [t for p in self.points.values() for t in p["times"]])

    def estimated(self, part=1.0, samples=99, roof_of_run=False, over_rounds=None):
        """Shares up to a factor that is the same in all runs, of the rows with one probe."""
        rates = {c["name"]: c["rate"] for c in self.block["ceilings"]}
        found = {}
        for name, p in self.points.items():
            if len(p.get("probes", [])) != 1 or "samples" not in p["probes"][0]:
                continue
            probe, rounds = p["probes"][0], {}
            for t in p["times"]:
                rounds.setdefault(t.get("round", 0), []).append(t["seconds"])
            number = max(1, round(part * len(rounds)))
            each = []
            for k in sorted(rounds)[:number]:
                best = rates[probe["ceiling"]] if roof_of_run else max(probe["samples"][k][:samples])
                each.append(1 / (min(rounds[k][:samples]) * best))
            found[name, probe["ceiling"]] = (over_rounds or middle)(each)
        return found


def alike(a, b):
    return not (a.distance and b.distance) or max(a.distance, b.distance) < 2.5 * min(a.distance, b.distance)


def spread(runs, shares, chosen=lambda a, b: True):
    """Median and 90th percentile over the rows of how far two runs lie apart, in percent; and the number of pairs."""
    rows, pairs = {}, [(a, b) for a, b in itertools.combinations(range(len(runs)), 2) if chosen(runs[a], runs[b])]
    for a, b in pairs:
        for name in shares[a].keys() & shares[b].keys():
            x, y = shares[a][name], shares[b][name]
            rows.setdefault(name, []).append(200 * abs(x - y) / (x + y))
    each = sorted(statistics.median(d) for d in rows.values())
    return (f"{statistics.median(each):.1f}, {each[int(0.9 * len(each))]:.1f} %" if each else "-"), len(pairs)


def coverage(runs):
    held = [r.ranges[n]["low"] <= o.shares[n] <= r.ranges[n]["high"]
            for r, o in itertools.permutations(runs, 2) if alike(r, o) for n in r.ranges if n in o.shares]
    return f"{100 * sum(held) / len(held):.0f} %" if held else "-"


def table(out):
    kinds = {p.name: [Run(path) for path in sorted(p.glob("*/run.json"))] for p in sorted(out.iterdir()) if p.is_dir()}
    kinds = {kind: runs for kind, runs in kinds.items() if len(runs) > 1}
    print("| | " + " | ".join(f"{kind}: {len(runs)} runs" for kind, runs in kinds.items()) + " |\n|---|" + "---:|" * len(kinds))

    def line(text, figure):
        print(f"| {text} | " + " | ".join(str(figure(runs)) for runs in kinds.values()) + " |")

    def between(values, form="{:.1f}"):
        return " to ".join(dict.fromkeys((form.format(min(values)), form.format(max(values)))))

    as_reported = lambda runs: [r.shares for r in runs]
    line("all pairs: median, 90 %", lambda runs: spread(runs, as_reported(runs))[0])
    line("pairs whose cores lay alike", lambda runs: "{} ({} pairs)".format(*spread(runs, as_reported(runs), alike)))
    line("ranges that hold the other run's share, cores alike", coverage)
    line("ns from core to core", lambda runs: between([1e9 * r.distance for r in runs], "{:.0f}"))
    line("rounds, least of a run's rows", lambda runs: between([min(r.rounds) for r in runs], "{}"))
    line("samples set aside, of a run", lambda runs: between([r.aside for r in runs], "{}"))
    line("s in the run", lambda runs: between([r.block["timer"]["run_seconds"] for r in runs]))
    line("s to the first sample", lambda runs: between([r.first for r in runs]))
    line("s in samples", lambda runs: between([r.block["timer"]["sampled_seconds"] for r in runs]))
    line("rows above 105 %, all runs", lambda runs: sum(share > 1.05 for r in runs for share in r.shares.values()))
    for text, how in [("as it is", {}), ("the median of the rounds", {"over_rounds": statistics.median}),
                      ("half of the rounds", {"part": 0.5}), ("a quarter of the rounds", {"part": 0.25}),
                      ("one sample a round", {"samples": 1}), ("roof of the whole run", {"roof_of_run": True})]:
        line(f"rows with one probe, {text}", lambda runs: spread(runs, [r.estimated(**how) for r in runs], alike)[0])
    for kind, runs in kinds.items():
        rows = sorted(((spread(runs, [{n: r.shares[n]} for r in runs if n in r.shares], alike)[0], n)
                       for n in runs[0].shares if all(n in r.shares for r in runs)), key=lambda row: -float(row[0].split(",")[0]))
        print(f"\n{kind}: rows that repeat worst: " + "; ".join(f"{name} {text.split(',')[0]} %" for text, name in rows[:6]))


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
