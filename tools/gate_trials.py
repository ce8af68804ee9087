#!/usr/bin/env python3
"""How often the gate is wrong, and what it finds: trials of `roofline ab` on this machine.

    tools/gate_trials.py TRIAL [--trials N] [--filter REGEX] [--pairs N | --budget TIME] [--flags '--quick']

TRIAL is one of
    aa         one build against itself: every WORSE or BETTER is false
    hog        the same while a process copies memory beside it
    control    one build against itself with functions aligned to 128 bytes, which --control, aligned to 32, is to absorb
    power      a build whose stencil does PERCENT more work (--percent, default 5), by a patch on a copy of the tree
    disturbed  memory copied beside the new side only: rows that DRAM bounds must not be blamed
    table      no trial: the table of what results/gate holds
Each writes results/gate/TRIAL.json (every trial with its verdicts and seconds) and results/gate/README.md. Leave the
machine alone meanwhile: a file says what the load was before and after.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

root = pathlib.Path(__file__).resolve().parent.parent
results = root / "results" / "gate"
build = root / "build" / "release"
hog = "a = bytearray(1 << 28); b = bytearray(1 << 28)\nwhile True: b[:] = a"

# One plane in so many is done twice, the second time far away, where DRAM has to bring it again.
place = "  space.parallel(n - 2, [=](Index plane) mutable {\n"
injected = place + """    if constexpr (std::is_same_v<Space, OpenMp<true>>)
      if (plane % EVERY == 0)
        for (Index j = 0; j < n - 2; ++j) {
          const Index row = first + ((plane + n / 2) % (n - 2) * n + j) * pitch;
          space.lanes(row, row + row_length, body);
        }
"""


def run(*command, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **more)
    return done.returncode, done.stdout, done.stderr


def build_copy(folder, flags=(), patch=None):
    """Programs of a copy of the tree, built with other flags or a patch."""
    tree = folder / "tree"
    shutil.copytree(root, tree, ignore=shutil.ignore_patterns("build", ".git", "results"))
    if patch:
        patch(tree)
    for command in (["cmake", "-S", tree, "--preset", "release", "-DROOFLINE_TESTS=OFF", "-DROOFLINE_CUDA=OFF", *flags],
                    ["cmake", "--build", tree / "build/release", "-j2", "--target", "roofline_bench"]):
        code, out, err = run(*command, cwd=tree)
        if code:
            sys.exit(f"{' '.join(map(str, command))}: {err[-2000:] or out[-2000:]}")
    return tree / "build/release/bin/roofline_bench"


def inject(percent):
    def patch(tree):
        path = tree / "apps/stencil/cpu.cpp"
        text = path.read_text()
        if text.count(place) != 1:
            sys.exit(f"{path}: the loop to slow down is not where it was; adapt tools/gate_trials.py")
        text = text.replace(place, injected.replace("EVERY", str(round(100 / percent))))
        path.write_text(text.replace("#include <stdexcept>\n", "#include <stdexcept>\n#include <type_traits>\n", 1))
    return patch


def one_trial(arguments, base, new, control, folder):
    command = [build / "bin/roofline", "ab", f"--base={base} {arguments.flags}", f"--new={new} {arguments.flags}",
               f"--json={folder}/verdict.json"]
    command += [f"--filter={arguments.filter}"] if arguments.filter else []
    command += [f"--pairs={arguments.pairs}"] if arguments.pairs else [f"--budget={arguments.budget}"]
    command += [f"--control={control} {arguments.flags}"] if control else []
    start = time.time()
    code, out, err = run(*command)
    if code not in (0, 1, 3):
        sys.exit(f"{' '.join(map(str, command))}: code {code}: {err}")
    verdict = json.loads((folder / "verdict.json").read_text())
    times = [f for f in verdict["findings"] if f["metric"] == "time"]
    return {"code": code, "pairs": verdict["pairs"], "seconds": round(time.time() - start),
            "rows": [{key: f[key] for key in ("row", "verdict", "ratio", "p", "why") if key in f} for f in times]}


def carry_out(arguments, folder):
    base = new = build / "bin/roofline_bench"
    control, beside = None, None
    if arguments.trial == "power":
        new = build_copy(folder, patch=inject(arguments.percent))
    elif arguments.trial == "control":
        # Two other placements: were the control the new side itself, its floor would be the change that is judged.
        new = build_copy(folder / "new", flags=["-DCMAKE_CXX_FLAGS=-falign-functions=128 -falign-loops=64"])
        control = build_copy(folder / "control", flags=["-DCMAKE_CXX_FLAGS=-falign-functions=32"])
    elif arguments.trial == "disturbed":
        new = folder / "disturbed"
        new.write_text(f"#!/bin/sh\n{sys.executable} -c '{hog}' &\n{base} \"$@\"\ncode=$?\nkill $!\nexit $code\n")
        new.chmod(0o755)
    elif arguments.trial == "hog":
        beside = subprocess.Popen([sys.executable, "-c", hog])
    trials = []
    try:
        for number in range(arguments.trials):
            trials.append(one_trial(arguments, base, new, control, folder))
            print(f"{arguments.trial} {number + 1} of {arguments.trials}: code {trials[-1]['code']}, "
                  f"{trials[-1]['pairs']} pairs, {trials[-1]['seconds']} s", file=sys.stderr)
    finally:
        if beside:
            beside.kill()
    return trials


def count(trials, *verdicts):
    return sum(row["verdict"] in verdicts for trial in trials for row in trial["rows"])


def summary(name, stored):
    trials = stored["trials"]
    rows = sum(len(trial["rows"]) for trial in trials)
    alarmed = sum(any(row["verdict"] in ("WORSE", "BETTER") for row in trial["rows"]) for trial in trials)
    seconds = sorted(trial["seconds"] for trial in trials)
    return (f"| {name} | {len(trials)} | {alarmed} | {rows} | {count(trials, 'WORSE')} | {count(trials, 'BETTER')} | "
            f"{count(trials, 'SAME')} | {count(trials, 'INCONCLUSIVE')} | {count(trials, 'INVALID', 'NOT_COMPARABLE')} | "
            f"{seconds[len(seconds) // 2] if seconds else 0} |")


def write_table():
    lines = ["# Error rates and power of the gate", "",
             "Written by `tools/gate_trials.py`; one file per trial holds every verdict.", "",
             "| trial | comparisons | with WORSE or BETTER | rows | WORSE | BETTER | SAME | INCONCLUSIVE | others | "
             "median s |", "|" + " --- |" + " ---: |" * 9]
    for path in sorted(results.glob("*.json")):
        lines.append(summary(path.stem, json.loads(path.read_text())))
    (results / "README.md").write_text("\n".join(lines) + "\n")
    print((results / "README.md").read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trial", choices=["aa", "hog", "control", "power", "disturbed", "table"])
    parser.add_argument("--trials", type=int, default=20)
    parser.add_argument("--filter", default="stencil/7pt|stream/triad")
    parser.add_argument("--flags", default="--quick")
    parser.add_argument("--pairs", type=int, default=0)
    parser.add_argument("--budget", default="10min")
    parser.add_argument("--percent", type=float, default=5)
    arguments = parser.parse_args()
    results.mkdir(parents=True, exist_ok=True)
    if arguments.trial != "table":
        with tempfile.TemporaryDirectory() as folder:
            stored = {"load_before": os.getloadavg(), "cpus": os.cpu_count(), "arguments": vars(arguments),
                      "trials": carry_out(arguments, pathlib.Path(folder))}
        stored["load_after"] = os.getloadavg()
        suffix = f"-{arguments.percent:g}" if arguments.trial == "power" else ""
        (results / f"{arguments.trial}{suffix}.json").write_text(json.dumps(stored, indent=1) + "\n")
    write_table()


if __name__ == "__main__":
    main()
