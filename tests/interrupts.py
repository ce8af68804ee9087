#!/usr/bin/env python3
"""Interrupts runs at random times and looks at what is left: interrupts.py BENCH [--trials=20] [--seed=1] [--out=FILE.md]

Each trial: a folder with an earlier complete run; a run into it that a signal ends; --resume. Held: the exit code; rows
that were finished keep their time, rows with one of their two turns keep it and get the other; the resumed run says how
many rows it took over; the earlier result is byte for byte what it was until the resumed run is complete.
"""

import argparse
import json
import math
import pathlib
import random
import signal
import statistics
import subprocess
import tempfile
import time

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)
ARGUMENTS = ["--ceilings=none", "--stream=500000", "--benchmark_filter=stream", "--benchmark_min_time=0.05"]


def rows(path):
    """Rows with a result, by name."""
    if not path.exists():
        return {}
    return {row["name"]: row for row in json.loads(path.read_text())["benchmarks"] if "time_median" in row}


def lost(kept, complete):
    """Rows of an interrupted run that the resumed one does not have, or measured again."""
    return [name for name, row in kept.items()
            if name not in complete or
            (row["turns"] == 2 and not math.isclose(complete[name]["time_median"], row["time_median"], rel_tol=1e-9))]


def journalled(journal):
    """Rows with at least one turn, by name: what a killed process leaves, which writes no run.partial.json."""
    medians = {}
    for line in journal.read_text(errors="replace").splitlines() if journal.exists() else []:
        try:
            entry = json.loads(line)
        except json.JSONDecodeError:
            continue  # cut off by the end of its process
        for key in ("first_turn", "kernel"):
            if key in entry:
                medians.setdefault(entry["row"], []).append(statistics.median(entry[key]["seconds"]))
    # The time of a row is the mean of its turns.
    return {row: {"turns": len(turns), "time_median": statistics.mean(turns)} for row, turns in medians.items()}


def ended(folder):
    """Of a run that came to its end before the signal: nothing else may be in its place."""
    complete = json.loads((folder / "run.json").read_text())["roofline"]["complete"]
    return "finished" if complete else "exit code 0 and a result that is not complete"


def trial(bench, which, moment, folder, earlier):
    """Nothing, or what was not as documented."""
    with subprocess.Popen([bench, *ARGUMENTS, f"--out={folder}"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        time.sleep(moment)
        finished = run.poll() is not None
        run.send_signal(which)
        run.communicate()
        code = run.returncode
    if finished and code != 0:
        return f"exit code {code} before the signal", 0
    if code == 0:
        return ended(folder) if (folder / "run.json").read_bytes() != earlier else "exit code 0 and no result", 0
    expected = (-which,) if which == signal.SIGKILL else (128 + which,)
    # Before the program has installed its handlers a signal ends it at once.
    if code not in expected and code != -which:
        return f"exit code {code}", 0
    if (folder / "run.json").read_bytes() != earlier:
        # Only by a complete one: the signal came while reports were written.
        complete = json.loads((folder / "run.json").read_text())["roofline"]["complete"]
        return ("finished" if complete else "the earlier result changed"), 0
    partial = rows(folder / "run.partial.json")
    turns = journalled(folder / "run.journal")
    kept = len(turns)
    if which != signal.SIGKILL and kept != len(partial):
        return f"{kept} rows in the journal, {len(partial)} reported", kept
    if kept == 0:
        return "before the first row", 0
    resumed = subprocess.run([bench, *ARGUMENTS, f"--out={folder}", "--resume"], capture_output=True, text=True, check=False)
    if resumed.returncode != 0:
        return f"--resume: exit code {resumed.returncode}: {resumed.stderr.strip()[-200:]}", kept
    complete = rows(folder / "run.json")
    run = json.loads((folder / "run.json").read_text())["roofline"]
    if missing := {*lost(turns, complete), *lost(partial, complete)}:
        return f"lost: {', '.join(sorted(missing))}", kept
    if not run["complete"]:
        return "the resumed run is not complete", kept
    if not any(f"resumed: {kept} row" in warning for warning in run.get("warnings", [])):
        return f"{kept} rows were not taken over", kept
    return "", kept


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bench")
    parser.add_argument("--trials", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out")
    arguments = parser.parse_args()
    bench = str(pathlib.Path(arguments.bench).resolve())
    rng = random.Random(arguments.seed)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup programs leave it ignored, as ours does
    lines = ["| signal | trials | interrupted and resumed | before the first row | after the end | rows kept | wrong |",
             "|---|---:|---:|---:|---:|---:|---|"]
    failed = False
    with tempfile.TemporaryDirectory() as scratch:
        template = pathlib.Path(scratch) / "earlier"
        begin = time.monotonic()
        subprocess.run([bench, *ARGUMENTS, f"--out={template}"], check=True, capture_output=True)
        length = time.monotonic() - begin
        for which in SIGNALS:
            outcomes = []
            for number in range(arguments.trials):
                folder = pathlib.Path(scratch) / f"{which.name}-{number}"
                folder.mkdir()
                earlier = (template / "run.json").read_bytes()
                (folder / "run.json").write_bytes(earlier)
                outcomes.append(trial(bench, which, rng.uniform(0, length), folder, earlier))
                print(f"\r{which.name} {number + 1}/{arguments.trials}", end="", flush=True)
            print()
            early = sum(why == "before the first row" for why, _ in outcomes)
            late = sum(why == "finished" for why, _ in outcomes)
            wrong = [why for why, _ in outcomes if why not in ("", "finished", "before the first row")]
            good = len(outcomes) - early - late - len(wrong)
            failed = failed or bool(wrong)
            lines.append(f"| {which.name} | {len(outcomes)} | {good} | {early} | {late} | {sum(n for _, n in outcomes)} "
                         f"| {'; '.join(wrong) or 'none'} |")
    text = "\n".join(lines) + "\n"
    print(text)
    if arguments.out:
        head = (f"# Interrupted runs\n\n`tests/interrupts.py --trials={arguments.trials} --seed={arguments.seed}`, a run of "
                f"{length:.1f} s ended at random times, then resumed.\n\n")
        pathlib.Path(arguments.out).write_text(head + text)
    raise SystemExit(failed)


if __name__ == "__main__":
    main()
