#!/usr/bin/env python3
"""What a disturbed machine does to a run: default runs on a quiet one, beside a process that spins, beside a memory hog.

    tools/noise_trials.py run [--rounds N] [--out DIR]    rounds of one run of each kind: some seven minutes each
    tools/noise_trials.py table DIR                       results/trust/noise.json and noise.md from what DIR holds

A round that was interrupted can be continued: runs that are there are not made again. Leave the machine alone meanwhile.

What is held against the quiet runs, whose value is the median of theirs:
    ceilings   FMA of the widest vectors, and L1 read, of all threads: within 2 %, or the run says "disturbed"
    shares     percent of the roof of their mix that some kernels reach, with the interval that their samples (relative
               to DRAM's, where DRAM's streams bound) and the interval of the roof give: it is to hold the quiet value,
               that of the quiet runs in which the cores lay alike beside that row, where there are any: a hypervisor that
               moves them makes another machine
    verdict    no run with one of these values more than 10 % off may say "quiet"
    rows       two quiet runs in a row: the intervals of their shares touch, of all rows and of those beside which the
               cores lay alike; rows with any mark in a quiet run
"""
import argparse
import csv
import itertools
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

root = pathlib.Path(__file__).resolve().parent.parent
bench = root / "build" / "release" / "bin" / "roofline_bench"
spinner = "while True: pass"
hog = "a = bytearray(1 << 28); b = bytearray(1 << 28)\nwhile True: b[:] = a"
kinds = {"quiet": None, "spin": spinner, "hog": hog}
watched_ceilings = {"FMA": "ceiling/flops/fp64/fma/", "L1 read": "ceiling/bandwidth/L1/read/"}
watched_rows = {"triad": "stream/triad", "stencil": "stencil/7pt", "GPP nw 6": "gpp/nw:6/fma:1/stride:1",
                "LBM v4": "lbm/collide/v4/", "GSRB": "gsrb/fp/op:fv4/level:8"}


def one_run(kind, folder):
    before = os.getloadavg()[0]
    beside = kinds[kind] and subprocess.Popen([sys.executable, "-c", kinds[kind]])
    begin = time.monotonic()
    try:
        done = subprocess.run([bench, f"--out={folder}"], capture_output=True, text=True, check=False)
    finally:
        if beside:
            beside.kill(), beside.wait()
    (folder / "trial.json").write_text(json.dumps(
        {"kind": kind, "seconds": time.monotonic() - begin, "exit": done.returncode, "load_before": before}))
    return done.returncode


def run(out, rounds):
    for number, kind in itertools.product(range(rounds), kinds):
        folder = out / f"{number:02}-{kind}"
        if (folder / "trial.json").exists():
            continue
        folder.mkdir(parents=True, exist_ok=True)
        code = one_run(kind, folder)
        verdict = json.loads((folder / "run.json").read_text())["context"]["verdict"]["trust"]
        print(f"{folder.name}: exit {code}, {verdict}", flush=True)
        time.sleep(5)  # until the load of this run has left the next one's first samples


def share_of(row, roof):
    """Percent of the roof of the mix: value, low, high. Samples relative to DRAM's where DRAM bounds the row."""
    if "efficiency_mix" not in row:
        return None
    label = row.get("label", "")
    paced = "time_paced" in row and "bound_mix=DRAM" in label and "lone_lines" not in label
    value, prefix = row["efficiency_mix"], "time_paced" if paced else "time"
    middle = row["time_paced" if paced else "time_median"]
    low, high = roof
    return [100 * value * middle / row[f"{prefix}_ci_high"] * low, 100 * value,
            100 * value * middle / row[f"{prefix}_ci_low"] * high]


def roof_interval(row, ceilings, threads):
    """Interval of a roof relative to it, upside down as a share has it; (1, 1) of a roof that this run does not hold."""
    bound = next((word[len("bound_mix="):] for word in row.get("label", "").split() if word.startswith("bound_mix=")), "")
    named = {"DRAM_lone_lines": "DRAM/stride:16", "L1_gathers": "L1/gather", "L1_split_loads": "L1/read_split"}
    mix = named.get(bound, bound.replace("_", "/", 1))
    name = f"ceiling/bandwidth/{mix}/threads:{threads}" if "_" in bound else watched_ceilings["FMA"]
    for ceiling in ceilings:
        if ceiling["name"].startswith(name):
            return ceiling["rate"] / ceiling["rate_high"], ceiling["rate"] / ceiling["rate_low"]
    return 1, 1


def summary(folder):
    trial = json.loads((folder / "trial.json").read_text())
    stored = json.loads((folder / "run.json").read_text())
    ceilings = stored["roofline"]["ceilings"]
    rows = [row for row in stored["benchmarks"] if not row["name"].startswith("ceiling/") and "time_median" in row]
    threads = stored["roofline"]["threads"]
    rates = {name: next(c for c in ceilings if c["name"].startswith(prefix) and c["threads"] == threads)
             for name, prefix in watched_ceilings.items()}
    with (folder / "efficiency.csv").open() as file:
        marked = {line["name"] for line in csv.DictReader(file) if is_marked(line)}
    verdict = stored["context"]["verdict"]
    return {**trial, "name": folder.name, "version": stored["context"]["suite_version"],
            "verdict": verdict["trust"], "facts": verdict["facts"],
            "ceilings": {name: [c["rate_low"], c["rate"], c["rate_high"]] for name, c in rates.items()},
            "of_theory": {name: c["theory"] and c["rate"] / c["theory"] for name, c in rates.items()},
            "disturbed_ceilings": {name: c["disturbed"] for name, c in rates.items()},
            "shares": {row["name"]: share_of(row, roof_interval(row, ceilings, threads)) for row in rows},
            "distances": {row["name"]: row.get("core_distance", 0) for row in rows},
            "marked": len(marked), "rows": len(rows)}


def is_marked(line):
    """As the table of kernels marks a row: above its roof, wide, contaminated, DRAM off its ceiling."""
    number = lambda field: float(line[field] or "nan")
    width = (number("time_ci_high") - number("time_ci_low")) / 2 / number("time_median")
    elsewhere = line["elsewhere"] == "1"
    return (width > 0.05 or number("contaminated") > 0.2 or number("efficiency_mix") > 1.05 or elsewhere
            or abs(number("dram_pace") - 1) > 0.05)


def alike(a, b):
    """Whether two distances from core to core may be of one placement; 0: not known, or no matter."""
    return not a or not b or max(a, b) < 1.6 * min(a, b)  # as bench/model/core_distance.hpp


def touching(a, b):
    return a[0] <= b[2] and b[0] <= a[2]


def percent_off(value, quiet):
    return 100 * (value / quiet - 1)


def judged(runs):
    """Each run with how far it is off the quiet ones, and the counts that the text quotes."""
    quiet_runs = [r for r in runs if r["kind"] == "quiet"]
    quiet_ceiling = {c: statistics.median(r["ceilings"][c][1] for r in quiet_runs) for c in watched_ceilings}
    names = {label: next((n for r in runs for n in r["shares"] if n.startswith(prefix)), None)
             for label, prefix in watched_rows.items()}
    quiet_share = {label: statistics.median(r["shares"][n][1] for r in quiet_runs if r["shares"].get(n))
                   for label, n in names.items() if n and any(r["shares"].get(n) for r in quiet_runs)}

    def quiet_as_in(run, label):
        name = names[label]
        others = [r for r in quiet_runs if r is not run and r["shares"].get(name)]
        same = [r["shares"][name][1] for r in others if alike(r["distances"][name], run["distances"].get(name, 0))]
        return statistics.median(same or [r["shares"][name][1] for r in others] or [quiet_share[label]])
    quiet_theory = statistics.median(r["ceilings"]["FMA"][1] / r["of_theory"]["FMA"] for r in quiet_runs)
    for r in runs:
        r["theory_off"] = percent_off(r["ceilings"]["FMA"][1] / r["of_theory"]["FMA"], quiet_theory)
        r["off"] = {c: percent_off(r["ceilings"][c][1], quiet_ceiling[c]) for c in watched_ceilings}
        shares = {label: r["shares"].get(names[label]) for label in quiet_share}
        r["held"] = {label: None if s is None else s[0] <= quiet_as_in(r, label) <= s[2] for label, s in shares.items()}
        r["share_off"] = {label: s and percent_off(s[1], quiet_as_in(r, label)) for label, s in shares.items()}
    pairs = [(a, b, n) for a, b in itertools.pairwise(quiet_runs)
             for n in a["shares"] if a["shares"][n] and b["shares"].get(n)]
    agreeing = [touching(a["shares"][n], b["shares"][n]) for a, b, n in pairs]
    of_one_placement = [touching(a["shares"][n], b["shares"][n]) for a, b, n in pairs
                        if alike(a["distances"][n], b["distances"][n])]
    return quiet_share, agreeing, of_one_placement


def table(folder):
    runs = [summary(f) for f in sorted(folder.iterdir()) if (f / "trial.json").exists()]
    quiet_share, agreeing, of_one_placement = judged(runs)
    good = [r for r in runs if all(abs(off) <= 2 for off in r["off"].values()) or r["verdict"] == "disturbed"]
    loud = [r for r in runs if r["verdict"] == "quiet" and any(
        abs(off) > 10 for off in [*r["off"].values(), *(o for o in r["share_off"].values() if o is not None)])]
    quiet_runs = [r for r in runs if r["kind"] == "quiet"]
    fma_of_theory = [100 * r["of_theory"]["FMA"] for r in runs]
    lines = [
        "# Default runs on a quiet machine, beside a process that spins, and beside a memory hog", "",
        f"`tools/noise_trials.py`: {len(runs)} runs of version {runs[0]['version']}, one of each kind in turn. What is",
        "compared stands at the head of the script; each run's values with their intervals are in noise.json.", "",
        f"- FMA and L1 read within 2 % of the quiet runs, or *disturbed* said: {len(good)} of {len(runs)}",
        f"- FMA is {min(fma_of_theory):.1f} to {max(fma_of_theory):.1f} % of theory at the clock of the moment, in all runs",
        *(f"- the interval of the share of {label} holds that of the other quiet runs ({share:.1f} % over all): "
          f"{sum(r['held'][label] is True for r in runs)} of {sum(r['held'][label] is not None for r in runs)}"
          for label, share in quiet_share.items()),
        f"- runs called quiet with one of these values more than 10 % off: {len(loud)}",
        f"- quiet: rows with any mark: {statistics.median(100 * r['marked'] / r['rows'] for r in quiet_runs):.0f} % (median)",
        f"- quiet: shares of one run and the next whose intervals touch: {sum(agreeing)} of {len(agreeing)}; of rows beside",
        f"  which the cores lay alike in both: {sum(of_one_placement)} of {len(of_one_placement)}", "",
        "| run | s | verdict | FMA off | its theory off | L1 read off | " + " | ".join(quiet_share) + " | marked rows |",
        "|---|---:|---|---:|---:|---:|" + "---:|" * len(quiet_share) + "---:|"]
    for r in runs:
        cells = ["-" if r["held"][label] is None else f"{r['share_off'][label]:+.1f} %{'' if r['held'][label] else ' out'}"
                 for label in quiet_share]
        lines.append(f"| {r['name']} | {r['seconds']:.0f} | {r['verdict']} | "
                     + f"{r['off']['FMA']:+.1f} % | {r['theory_off']:+.1f} % | {r['off']['L1 read']:+.1f} %"
                     + " | " + " | ".join(cells) + f" | {r['marked']} of {r['rows']} |")
    lines += ["", "Columns of kernels: how far the share of the roof is from the quiet one; *out*: its interval does not hold it.",
              "Theory moves with the clock of wide vectors, which this host changes with what runs beside the guest."]
    target = root / "results" / "trust"
    (target / "noise.md").write_text("\n".join(lines) + "\n")
    (target / "noise.json").write_text("[\n" + ",\n".join(json.dumps(r) for r in runs) + "\n]\n")
    print("\n".join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("run", "table"))
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--out", type=pathlib.Path, default=root / "build" / "noise")
    arguments = parser.parse_args()
    if arguments.what == "run":
        run(arguments.folder or arguments.out, arguments.rounds)
    else:
        table(arguments.folder or arguments.out)


if __name__ == "__main__":
    main()
