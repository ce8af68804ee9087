#!/usr/bin/env python3
"""Verdicts of `roofline compare` over all pairs of stored runs of one binary: every WORSE or BETTER is false.

    tests/trials/pairs_trials.py FOLDER [--slower=PERCENT] [--row=REGEX] [--out=FILE.json]

FOLDER holds run.json files at any depth, or files RUN.json. Pairs are ordered: base before new and the reverse. With
--slower every sample of the rows that match --row takes so many percent longer in a copy of the new run, which shows
the power: these rows must be WORSE, and no others. --out keeps the verdict of each row of each pair.
"""
import argparse
import collections
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile

roofline = pathlib.Path(__file__).resolve().parent.parent.parent / "build/release/bin/roofline"


def slowed(run, factor, row, path):
    """Writes a copy of a run whose matching rows take `factor` times as long; returns their names."""
    document, names = json.loads(run.read_text()), []
    for point in document["roofline"]["points"]:
        if not re.search(row, point["name"]):
            continue
        names.append(point["name"])
        for rounds in [point, *point.get("elsewhere", [])]:
            for sample in rounds.get("times", []):
                sample["seconds"] *= factor
        point["time"] = {end: seconds * factor for end, seconds in point["time"].items()}
    path.write_text(json.dumps(document))
    return set(names)


def times_of(base, new, folder):
    verdict = folder / "verdict.json"
    done = subprocess.run([roofline, "compare", base, new, f"--json={verdict}"], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"{base} {new}: exit {done.returncode}: {done.stderr}")
    found = json.loads(verdict.read_text())["findings"]
    return {f["row"]: f["verdict"] for f in found if f["metric"] == "time"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--slower", type=float, default=0)
    parser.add_argument("--row", default=".")
    parser.add_argument("--out", type=pathlib.Path)
    args = parser.parse_args()
    runs = sorted(args.folder.rglob("run.json")) or sorted(args.folder.glob("*.json"))
    pairs, found_slow, slow_rows, alarms = [], 0, 0, 0
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        for base, new in itertools.permutations(runs, 2):
            slow, compared = set(), new
            if args.slower:
                compared = folder / "slow.json"
                slow = slowed(new, 1 + args.slower / 100, args.row, compared)
            times = times_of(base, compared, folder)
            counts.update(times.values())
            alarms += any(verdict == "WORSE" and row not in slow for row, verdict in times.items())
            slow_rows += len(slow & set(times))
            found_slow += sum(times.get(row) == "WORSE" for row in slow)
            pairs.append({"base": str(base), "new": str(new), "times": times})
    print(f"{len(pairs)} pairs of {len(runs)} runs; {alarms} with a false WORSE row")
    print(", ".join(f"{number} {verdict}" for verdict, number in sorted(counts.items())))
    if args.slower:
        print(f"{found_slow} of {slow_rows} rows made {args.slower:g} % slower are WORSE")
    if args.out:
        args.out.write_text(json.dumps(pairs, indent=1) + "\n")


main()
