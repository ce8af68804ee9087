#!/usr/bin/env python3
"""How often the gate is wrong, and what it finds: trials of `roofline ab` on this machine.

    tests/trials/gate_trials.py build                          the programs that the trials compare, once
    tests/trials/gate_trials.py TRIAL [--trials N] [--pairs N | --budget TIME] [--filter REGEX] [--flags '...']

TRIAL is one of
    aa         one build against itself: every WORSE or BETTER is false
    hog        the same while a process copies memory beside both
    control    one build against itself with functions aligned to 128 bytes, which --control, aligned to 32, is to absorb
    power      a build whose GPP does PERCENT more work (--percent, default 5), by a patch on a copy of the tree
    disturbed  memory copied beside the new side only (its process is stopped with that side), both with a thread less
               than there are CPUs, the new one with 10 % more work in GPP: the rows that DRAM bounds must not be
               blamed, GPP must be found
    table      no trial: the table of what results/gate holds
Each writes results/gate/TRIAL.json (every trial with its verdicts and seconds) and results/gate/README.md. Leave the
machine alone meanwhile: a file says what the load was before and after. All programs are built the same way, below
build/gate.
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

root = pathlib.Path(__file__).resolve().parent.parent.parent
results = root / "results" / "gate"
programs = root / "build" / "gate"
roofline = root / "build" / "release" / "bin" / "roofline"
hog = "a = bytearray(1 << 28); b = bytearray(1 << 28)\nwhile True: b[:] = a"

# One row in so many is summed twice.
gpp_loop = "    std::tuple<Lanes, Rest> sums{};\n    space.lanes(\n"
gpp_work = """    std::tuple<Lanes, Rest> sums{};
    for (int turn = std::is_same_v<Space, OpenMp<true>> && chunk % EVERY == 0 ? 0 : 1; turn < 2; ++turn)
      sums = {}, space.lanes(
"""


def run(*command, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **more)
    return done.returncode, done.stdout, done.stderr


def replace(path, old, new):
    text = path.read_text()
    if text.count(old) != 1:
        sys.exit(f"{path}: what is to be changed is not there once; adapt tests/trials/gate_trials.py")
    text = text.replace(old, new)
    space = '#include "bench/space/openmp.hpp"\n'
    path.write_text(text if space in text else text.replace('#include "bench/space/pack', space + '#include "bench/space/pack', 1))


def slower_gpp(percent):
    return lambda tree: replace(tree / "apps/gpp/launch.hpp", gpp_loop,
                                gpp_work.replace("EVERY", str(round(100 / percent))))


patches = {
    "gpp-5": slower_gpp(5),
    "gpp-10": slower_gpp(10),
}
placements = {
    "aligned-128": "-falign-functions=128 -falign-loops=64",
    "aligned-32": "-falign-functions=32",
}


def copied_tree(name):
    tree = programs / "trees" / name
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(root, tree, ignore=shutil.ignore_patterns("build", ".git", "results"))
    return tree


def build(tree, name, flags=""):
    """Builds what a tree holds now and keeps the program: paths of all trees and programs are equally long or links."""
    configure = ["cmake", "-S", tree, "--preset", "release", "-DROOFLINE_TESTS=OFF", "-DROOFLINE_CUDA=OFF",
                 f"-DCMAKE_CXX_FLAGS={flags}"]
    for command in (configure, ["cmake", "--build", tree / "build/release", "-j2", "--target", "roofline_bench"]):
        print(f"{name}: {command[1]}", file=sys.stderr)
        code, out, err = run(*command, cwd=tree)
        if code:
            sys.exit(f"{' '.join(map(str, command))}: {err[-2000:] or out[-2000:]}")
    shutil.copy(tree / "build/release/bin/roofline_bench", programs / name)


def build_all():
    """Every program of the trials: one tree with one patch after the other, one tree for each placement."""
    tree = copied_tree("base")
    build(tree, "base")
    for name, patch in patches.items():
        patch(tree)
        build(tree, name)
        shutil.copytree(root / "apps/gpp", tree / "apps/gpp", dirs_exist_ok=True)
        for path in (tree / "apps/gpp").iterdir():
            path.touch()
    for name, flags in placements.items():
        build(copied_tree(name), name, flags)


def program(name):
    made = programs / name
    if not made.exists():
        sys.exit(f"{made}: not there; tests/trials/gate_trials.py build makes it")
    return made


def shortened(verdict):
    times = [f for f in verdict["findings"] if f["metric"] == "time"]
    return [{key: f[key] for key in ("row", "verdict", "ratio", "why") if key in f} for f in times]


def one_trial(arguments, sides, folder):
    command = [roofline, "ab", f"--json={folder}/verdict.json", f"--filter={arguments.filter}"]
    command += [f"--{side}={path} {arguments.flags}" for side, path in sides.items()]
    command += [f"--pairs={arguments.pairs}"] if arguments.pairs else [f"--budget={arguments.budget}"]
    start = time.time()
    code, _, err = run(*command)
    if code not in (0, 1, 3):
        sys.exit(f"{' '.join(map(str, command))}: code {code}: {err}")
    verdict = json.loads((folder / "verdict.json").read_text())
    return {"code": code, "pairs": verdict["pairs"], "seconds": round(time.time() - start), "rows": shortened(verdict)}


def beside_a_hog(path, folder):
    """A program that has memory copied beside it."""
    script = folder / "disturbed"
    script.write_text(f"#!/bin/sh\n{sys.executable} -c '{hog}' &\n{path} \"$@\"\ncode=$?\nkill $!\nexit $code\n")
    script.chmod(0o755)
    return script


def sides_of(arguments, folder):
    trial = arguments.trial
    if trial == "power":
        return {"base": program("base"), "new": program(f"gpp-{arguments.percent}")}
    if trial == "control":
        # Two other placements: were the control the new side itself, its floor would be the change that is judged.
        return {"base": program("base"), "new": program("aligned-128"), "control": program("aligned-32")}
    if trial == "disturbed":
        return {"base": program("base"), "new": beside_a_hog(program("gpp-10"), folder)}
    return {"base": program("base"), "new": program("base")}


def carry_out(arguments, folder):
    sides = sides_of(arguments, folder)
    # Ceilings of one moment for all processes; changes of DRAM meanwhile are seen beside each row.
    ceilings = folder / "ceilings"
    if arguments.trial == "disturbed":  # which is to take bandwidth, not a core
        arguments.flags += f" --threads={os.cpu_count() - 1}"
    run(sides["base"], *arguments.flags.split(), f"--benchmark_filter={arguments.filter}", f"--out={ceilings}")
    arguments.flags += f" --ceilings={ceilings}/run.json"
    beside = subprocess.Popen([sys.executable, "-c", hog]) if arguments.trial == "hog" else None
    trials = []
    try:
        for number in range(arguments.trials):
            trials.append(one_trial(arguments, sides, folder))
            print(f"{arguments.trial} {number + 1} of {arguments.trials}: code {trials[-1]['code']}, "
                  f"{trials[-1]['pairs']} pairs, {trials[-1]['seconds']} s", file=sys.stderr)
    except KeyboardInterrupt:
        print("interrupted: the comparisons that ended are kept", file=sys.stderr)
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
            f"{count(trials, 'SAME')} | {count(trials, 'UNDECIDED', 'INCONCLUSIVE')} | {count(trials, 'INVALID', 'NOT_COMPARABLE')} | "
            f"{seconds[len(seconds) // 2] if seconds else 0} |")


def by_row(stored):
    """The verdict of each row: "stencil/7pt/n:194: 20 WORSE"."""
    tally = {}
    for trial in stored["trials"]:
        for row in trial["rows"]:
            verdicts = tally.setdefault(row["row"], {})
            verdicts[row["verdict"]] = verdicts.get(row["verdict"], 0) + 1
    return [f"{row}: " + ", ".join(f"{n} {verdict}" for verdict, n in sorted(tally[row].items())) for row in sorted(tally)]


def write_table():
    lines = ["# Error rates and power of the gate", "",
             "Written by `tests/trials/gate_trials.py`; one file per trial holds every verdict and the command's flags.",
             "INCONCLUSIVE, in older files, is UNDECIDED today. The script says what each trial is.",
             "[pairs.csv](pairs.csv) has the verdicts of all pairs of stored runs: [precision](../precision/README.md) tells "
             "of them.", "",
             "| trial | comparisons | with WORSE or BETTER | rows | WORSE | BETTER | SAME | UNDECIDED | others | "
             "median s |", "|" + " --- |" + " ---: |" * 9]
    stored = {path.stem: json.loads(path.read_text()) for path in sorted(results.glob("*.json"))}
    lines += [summary(name, trial) for name, trial in stored.items()]
    for name, trial in stored.items():
        lines += ["", f"`{name}`, {trial['cpu']}, {trial['date']}, load {trial['load_before'][0]:.1f} before and "
                  f"{trial['load_after'][0]:.1f} after:"]
        lines += [f"* {line}" for line in by_row(trial) or trial["trials"][0]["output"][:3]]
    (results / "README.md").write_text("\n".join(lines) + "\n")
    print((results / "README.md").read_text())


def cpu_name():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return os.uname().machine


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trial", choices=["build", "aa", "hog", "control", "power", "disturbed", "table"])
    parser.add_argument("--trials", type=int, default=20)
    parser.add_argument("--filter", default="stencil/7pt|gpp/nw:6/fma:1/stride:1$")
    parser.add_argument("--flags", default="--quick --stencil=194 --gpp=2,2,2048,8")
    parser.add_argument("--pairs", type=int, default=0)
    parser.add_argument("--budget", default="10min")
    parser.add_argument("--percent", type=int, choices=[5, 10], default=5)
    arguments = parser.parse_args()
    if arguments.trial == "build":
        build_all()
        return
    results.mkdir(parents=True, exist_ok=True)
    if arguments.trial != "table":
        with tempfile.TemporaryDirectory() as folder:
            stored = {"date": time.strftime("%Y-%m-%d"), "cpu": cpu_name(), "cpus": os.cpu_count(),
                      "load_before": os.getloadavg(), "filter": arguments.filter, "flags": arguments.flags}
            stored["trials"] = carry_out(arguments, pathlib.Path(folder))
        stored["load_after"] = os.getloadavg()
        suffix = f"-gpp-{arguments.percent}" if arguments.trial == "power" else ""
        (results / f"{arguments.trial}{suffix}.json").write_text(json.dumps(stored, indent=1) + "\n")
    write_table()


if __name__ == "__main__":
    main()
