#!/usr/bin/env python3
"""Fleets, generated: fleets_test.py ROOFLINE [--trials=40] [--seed=1] [--kind=K]

Sizes, rows, noise, names and faults are drawn at random. `roofline cluster` must be right, or refuse in a line, or say
what it could not tell. Wrong is a fault that nobody is told of, a sound node in the exclude list, and a node that is
called OK though its rows tell nothing.
"""

import argparse
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

DATA = pathlib.Path(__file__).parent.parent / "data" / "cluster"


class Fleet:
    """The runs of nodes in a folder, and what `roofline cluster` says of them."""

    def __init__(self, roofline, rng, folder):
        self.roofline, self.rng, self.folder = roofline, rng, pathlib.Path(folder)
        self.rows = [(f"ceiling/bandwidth/DRAM/{i}", True) for i in range(rng.randrange(1, 9))]
        self.rows += [(f"ceiling/flops/fp64/{i}", False) for i in range(rng.randrange(1, 15))]
        self.scatter = {name: rng.choice([0.1, 0.5, 1, 1, 2]) for name, _ in self.rows}  # of a row, in units of the noise
        self.schema = rng.choice([1, 2, 3, 4])

    def factors(self, noise, loss=0.0, memory=None):
        """By row. `memory`: which part is slow; None: both."""
        base = math.exp(self.rng.gauss(0, noise / 2))
        return {name: base * math.exp(self.rng.gauss(0, noise * self.scatter[name])) * (1 - loss if memory in (None, dram) else 1)
                for name, dram in self.rows}

    def run(self, host, factors, day=1, **more):
        ceilings = [{"name": name, "kind": "bandwidth" if dram else "compute", "level": "DRAM", "mix": "read",
                     "precision": "fp64", "operation": "fma", "rate": 1e11 * factors[name]}
                    for name, dram in self.rows if name in factors]
        return {"context": {"host_name": host, "suite_version": more.get("version", "0.1.0"), "failures": []},
                "benchmarks": [],
                "roofline": {"schema": self.schema, "date": f"2026-11-{day:02}T10:00:00Z", "threads": 2, "points": [],
                             "ceilings": ceilings,
                             "machine": {"name": "Made Up", "usable_cores": 2, "memory_bytes": 64e9, "isa": "avx512",
                                         "clock_hz": 3e9, "fingerprint": "made up"}}}

    def write(self, place, run):
        file = self.folder / "runs" / place / "run.json"
        file.parent.mkdir(parents=True)
        if run is not None:
            file.write_text(json.dumps(run))

    def sound(self, count, noise, first=1):
        for i in range(first, first + count):
            self.write(f"n{i:02}", self.run(f"n{i:02}", self.factors(noise)))

    def judged(self):
        """Exit code, all that was printed, verdicts by node, the exclude list."""
        done = subprocess.run([self.roofline, "cluster", self.folder / "runs", "--all", f"--json={self.folder}/c.json"],
                              capture_output=True, text=True, timeout=600, check=False)
        found = json.loads((self.folder / "c.json").read_text()) if (self.folder / "c.json").exists() else {}
        nodes = {name: node["verdict"] for name, node in found.get("nodes", {}).items()}
        return done.returncode, done.stdout + done.stderr, nodes, found.get("exclude", "")


def half_speed(fleet):
    """One node at half speed, another one low in a row: a suspect, and after two more runs slow, alone in the list."""
    count, noise, memory = fleet.rng.choice([4, 4, 4, 5, 8]), fleet.rng.choice([0.002, 0.01, 0.03]), fleet.rng.choice([True, False])
    fleet.sound(count - 2, noise)
    low = fleet.factors(noise)
    low[fleet.rng.choice(sorted(low))] *= fleet.rng.uniform(0.6, 1)
    fleet.write("low", fleet.run("low", low))
    for again in range(fleet.rng.choice([1, 3])):
        fleet.write(f"bad-{again}", fleet.run("bad", fleet.factors(noise, 0.5, memory), 1 + again))
    code, said, nodes, exclude = fleet.judged()
    want = ("SLOW", "bad", 1) if again else ("SUSPECT", "", 3)
    unknown = ("ALONE", "", 3)  # four nodes with one row in a part, which is of the low one, too
    return "" if (nodes.get("bad"), exclude, code) in (want, unknown) else f"{want}: {code} {nodes} {exclude} {said}"


def half_of_them(fleet):
    """As many slow nodes as sound ones: whatever is said, no slow one is sound, and none is excluded for it."""
    count, noise = fleet.rng.choice([2, 3, 4]), fleet.rng.choice([0.002, 0.01, 0.03])
    fleet.sound(count, noise)
    for i in range(count):
        fleet.write(f"bad{i}", fleet.run(f"bad{i}", fleet.factors(noise, 0.5)))
    code, said, nodes, exclude = fleet.judged()
    wrong = [name for name, verdict in nodes.items() if name.startswith("bad") and verdict == "OK"]
    return f"{code} {nodes} {said}" if wrong or exclude or code == 0 else ""


def none_slow(fleet):
    """Three runs of equal nodes, measured well or badly: an empty list."""
    count, noise = fleet.rng.randrange(1, 20), fleet.rng.choice([0.002, 0.01, 0.03, 0.1])
    for i in range(count):
        for again in range(3):
            fleet.write(f"n{i}-{again}", fleet.run(f"n{i}", fleet.factors(noise), 1 + again))
    code, said, nodes, exclude = fleet.judged()
    told = code == 0 if "OK" in nodes.values() and "ALONE" not in nodes.values() and "SUSPECT" not in nodes.values() else code == 3
    return "" if not exclude and told else f"{code} {nodes} {said}"


def two_names(fleet):
    """A slow node that some runs call by its full name: slow, and once in the list."""
    noise, domain = fleet.rng.choice([0.002, 0.01]), fleet.rng.choice(["cluster", "a.example.org", "lan."])
    fleet.sound(fleet.rng.randrange(6, 20), noise)
    names = ["bad7", f"bad7.{domain}", fleet.rng.choice(["bad7", f"bad7.{domain}"])]
    fleet.rng.shuffle(names)
    for again, name in enumerate(names):
        fleet.write(f"x-{again}", fleet.run(name, fleet.factors(noise, 0.3), 1 + again))
    code, said, nodes, exclude = fleet.judged()
    return "" if (code, exclude, nodes.get("bad7")) == (1, "bad7", "SLOW") else f"{code} {nodes} {exclude} {said}"


def two_domains(fleet):
    """Nodes of one short name in two domains are two nodes, and addresses have no domain."""
    fleet.sound(8, 0.01)
    names = fleet.rng.choice([["a1.x.org", "a1.y.org"], ["10.0.0.1", "10.0.0.2"], ["a1.x.org", "a1.y.org", "a1"]])
    for name in names:
        fleet.write(f"of-{name}", fleet.run(name, fleet.factors(0.01)))
    code, said, nodes, _ = fleet.judged()
    return "" if code in (0, 3) and all(name in nodes for name in names) else f"{code} {nodes} {said}"


def one_name_for_all(fleet):
    """Machines without a name are not runs of one node: refused in a line, those with a name judged."""
    name, named = fleet.rng.choice(["localhost", "localhost.localdomain", "localhost."]), fleet.rng.choice([0, 6])
    for i in range(fleet.rng.randrange(2, 8)):
        fleet.write(f"m{i}", fleet.run(name, fleet.factors(0.01, fleet.rng.choice([0, 0.5]))))
    fleet.sound(named, 0.01)
    code, said, nodes, _ = fleet.judged()
    right = len(nodes) == named and "--node=NAME" in " ".join(said.split()) and (named or code == 4)
    return "" if right else f"{code} {nodes} {said}"


def no_run(fleet):
    """A folder without run.json, beside those of nodes that have one: named."""
    fleet.sound(fleet.rng.randrange(3, 9), 0.01)
    fleet.write("gone23", None)
    if fleet.rng.random() < 0.5:
        (fleet.folder / "runs" / "gone23" / "log.txt").write_text("killed")
    if fleet.rng.random() < 0.5:
        (fleet.folder / "runs" / "n01" / "pictures").mkdir()
    code, said, _, _ = fleet.judged()
    said = " ".join(said.split())
    return "" if "gone23/run.json" in said and "pictures" not in said else f"{code} {said}"


def old_failures(fleet):
    """Wrong results of the first schema and of later ones: failed, and in the list."""
    fleet.schema = fleet.rng.choice([1, 1, 4])
    fleet.sound(fleet.rng.randrange(2, 9), 0.01)
    run, rows = fleet.run("wrong1", fleet.factors(0.01)), fleet.rng.randrange(1, 4)
    if fleet.schema == 1:
        run["context"]["failures"] = [f"stream/{i}: x[7]: got 1.5, expected 1.25" for i in range(rows)]
    else:
        run["roofline"]["failures"] = [[f"stream/{i}", "x[7]: got 1.5, expected 1.25"] for i in range(rows)]
    fleet.write("wrong1", run)
    code, said, nodes, exclude = fleet.judged()
    right = (code, nodes["wrong1"], exclude) == (1, "FAILED", "wrong1") and "got 1.5, expected 1.25" in " ".join(said.split())
    return "" if right else f"{code} {nodes} {exclude} {said}"


def rows_of_its_own(fleet):
    """A node whose rows no other node has cannot be judged, and is not OK."""
    fleet.sound(fleet.rng.randrange(3, 12), 0.01)
    run = fleet.run("other", fleet.factors(0.01, fleet.rng.choice([0, 0.6])))
    for ceiling in run["roofline"]["ceilings"]:
        ceiling["name"] += "/threads:1"
    fleet.write("other", run)
    code, said, nodes, _ = fleet.judged()
    return "" if (code, nodes["other"]) == (3, "ALONE") else f"{code} {nodes} {said}"


def two_versions(fleet):
    """Nodes that ran another version are named."""
    fleet.sound(fleet.rng.randrange(3, 12), 0.01)
    fleet.write("new1", fleet.run("new1", fleet.factors(0.01), version="0.2.0"))
    code, said, _, _ = fleet.judged()
    return "" if "suite 0.2.0 (else 0.1.0): new1" in " ".join(said.split()) else f"{code} {said}"


KINDS = [half_speed, half_of_them, none_slow, two_names, two_domains, one_name_for_all, no_run, old_failures, rows_of_its_own,
         two_versions]


# Six ceilings of real runs of four nodes, of which n3 had a busy loop on one of its two cores; and nodes that are made from
# a run of the first version, of which one had wrong results. The folder below data/cluster, the exit code, a verdict.
CASES = [("half_speed_of_four", 3, "n3", "SUSPECT"), ("failed_row_of_schema_1", 1, "n0042", "FAILED")]


def wrong_case(roofline, folder, code, node, verdict):
    with tempfile.TemporaryDirectory() as scratch:
        fleet = Fleet(roofline, random.Random(0), scratch)
        (fleet.folder / "runs").symlink_to(DATA / folder)
        found, said, nodes, _ = fleet.judged()
    return "" if (found, nodes[node]) == (code, verdict) else f"{found} {nodes} {said}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("roofline")
    parser.add_argument("--trials", type=int, default=40, help="of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", default="")
    arguments = parser.parse_args()
    all_wrong = False
    for case in CASES:
        failed = wrong_case(arguments.roofline, *case)
        all_wrong |= bool(failed)
        print(f"{case[0]:22} {'wrong: ' + failed if failed else 'right'}")
    for kind in KINDS:
        if arguments.kind not in kind.__name__:
            continue
        wrong = []
        for trial in range(arguments.trials):
            rng = random.Random(f"{kind.__name__} {arguments.seed} {trial}")
            with tempfile.TemporaryDirectory() as scratch:
                if found := kind(Fleet(arguments.roofline, rng, scratch)):
                    wrong.append((trial, found))
        all_wrong |= bool(wrong)
        print(f"{kind.__name__:22} {arguments.trials} fleets, {len(wrong)} wrong")
        for trial, found in wrong[:2]:
            print(f"    trial {trial}: {found[:1500]}")
    return 1 if all_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
