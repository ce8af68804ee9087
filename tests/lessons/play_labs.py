#!/usr/bin/env python3
"""Plays the labs as two students do: a careful one and one who copies the talks.

play_labs.py ROOFLINE LAB[,LAB...]=RUN.json[:RUN.json of the copier's own program] ...

Both see what a lab shows: the sheet of answers with their own numbers, and what `roofline show` and `roofline explain`
print of the run. The careful student reads and computes; the other one writes down the numbers of the talks. Exit code
1 when the careful student loses a point, or the other one has all of them.
"""
import os
import re
import subprocess
import sys
import tempfile

roofline = os.path.abspath(sys.argv[1])
student = "ada"


def said(*arguments):
    run = subprocess.run([roofline, *arguments], capture_output=True, text=True)
    if run.returncode > 1:
        sys.exit(f"{' '.join(arguments)}: {run.stderr}")
    return run.stdout


def numbers(text):
    return [float(n) for n in re.findall(r"(?<![\w.])\d+(?:\.\d+)?", text)]


class Seen:
    """The tables of a run, as they are printed."""

    def __init__(self, run):
        self.run, self.text = run, said("show", "--all", "--width=1000", run)
        self.threads = 0
        self.compute, self.theory, self.levels, self.rows = {}, {}, {}, []
        section, family, units, columns = "", "", "", []
        for line in self.text.splitlines():
            words = line.removesuffix(" !").split()
            if line and line[0] != " ":
                section = line
            if section.startswith("fp") and line.startswith("  "):
                precision, threads = re.match(r"(\w+)(?:, (\d+))?", section).groups("0")
                self.read_compute(precision, threads, words)
            elif words[:2] == ["level", "read"]:
                columns = words[1:words.index("roof")]
            elif words and words[0] in ("L1", "L2", "L3", "DRAM") and columns and words[0] not in self.levels:
                level = dict(zip(columns, words[1:]), ridge=words[-1])
                self.levels[words[0]] = level | {"roof": level[words[len(columns) + 1]]}
            elif line.startswith("kernel "):
                units = line
            elif units and re.match(r"[a-z]\S*$", line):
                family = line
            elif units and line.startswith("  ") and len(words) > 8 and words[2] in ("s", "ms", "us", "ns"):
                row = {"name": set(f"{family}/{words[0]}".split("/")),
                       "time": float(words[1]) * {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}[words[2]]}
                if "time >=" in units:
                    row["bound"] = re.findall(r" (L1|L2|L3|DRAM|HBM|issue)\b", line)[-1]
                else:
                    row |= dict(zip(["rate", "GB/s", "L1", "L2", "L3", "DRAM", "bound"], words[3:]))
                    row |= {"roof": words[-3], "mix": words[-1]}
                self.rows.append(row)
            elif line.startswith("time:"):
                units = ""

    def read_compute(self, precision, threads, words):
        chain = words[2] == "one"
        self.threads = max(self.threads, int(threads))
        key = (precision, threads, words[0], words[1], chain)
        self.compute[key], self.theory[key] = words[3 + chain], words[8 + chain]

    def best(self, operation, isa=None, threads=None, chain=False, precision="fp64", of=None):
        of = of or self.compute
        return max(float(of[key]) for key in self.compute
                   if key[0] == precision and key[1] == str(threads or self.threads) and key[2] == operation and
                   key[3] == (isa or key[3]) and key[4] == chain)

    def lanes(self):
        """Doubles of the narrowest vectors that reach the FMA ceiling."""
        width = {"scalar": 1, "sse": 2, "neon": 2, "avx2": 4, "sve256": 4, "avx512": 8, "sve512": 8}
        return min(width[key[3]] for key in self.compute
                   if key[:3] == ("fp64", str(self.threads), "fma") and not key[4] and
                   float(self.compute[key]) > 0.75 * self.best("fma"))

    def of(self, row, what):
        """A column of the row whose name has these parts and the fewest others: tables join what all rows have."""
        found = min((r for r in self.rows if set(row.split("/")) <= r["name"]), key=lambda r: len(r["name"]))
        return found[what] if what == "bound" else float(found[what])

    def explained(self, row, line):
        """The number behind some words of `roofline explain`."""
        return float(re.search(rf"^  .*?\b{line} +([-\d.e+]+)", said("explain", row, self.run), re.M)[1])

    def bound(self, row):
        """A level bounds, or arithmetic."""
        return "memory" if self.of(row, "bound") in ("L1", "L2", "L3", "DRAM", "HBM", "unpaired") else "compute"

    def ridge(self):
        return self.best("fma") / float(self.levels["DRAM"]["roof"])

    def roof(self, row):
        return min([self.best("fma")] + [float(level["roof"]) * self.of(row, name)
                                         for name, level in self.levels.items() if name in ("L1", "L2", "L3", "DRAM")])


def harmonic(*shares):
    return len(shares) / sum(1 / share for share in shares)


def yes(condition, right="yes", wrong="no"):
    return right if condition else wrong


row6, row1, far = "gpp/nw:6/fma:1/stride:1", "gpp/nw:1/fma:1/stride:1", "gpp/nw:6/fma:1/stride:8"
fp, branch, stride2 = (f"gsrb/{way}/op:fv4/level:" for way in ("fp", "branch", "stride2"))
v0 = "lbm/collide/v0/fma:1"
# By lab and question, of the numbers n in the question and what is seen, s.
careful = {
    1: {"peak": lambda n, s: n[0] * n[1] * n[2] * 2 * 2,
        "lecture_bandwidth": lambda n, s: n[1] / n[0], "lecture_rate": lambda n, s: 204.8 / 7.11 / n[-1],
        "opteron": lambda n, s: 8 * 2.3 * 2, "opteron_chain": lambda n, s: 8 * 2.3 / 4,
        "knl": lambda n, s: 68 * 2 * 8 * 2 * 1.2, "knl_scalar": lambda n, s: 68 * 1.2, "above": lambda n, s: "no",
        "fma": lambda n, s: s.best("fma"), "share": lambda n, s: 100 * s.best("fma") / s.best("fma", of=s.theory),
        "dram": lambda n, s: s.levels["DRAM"]["roof"], "ridge": lambda n, s: s.levels["DRAM"]["ridge"]},
    2: {"flops": lambda n, s: 2 * n[0] / 1e6, "source": lambda n, s: 24 * s.n / 1e6,
        "dram": lambda n, s: 32 * s.n / 1e6, "ai": lambda n, s: "2/32", "bound": lambda n, s: s.bound("stream/triad"),
        "rate": lambda n, s: s.of("stream/triad", "rate"), "streaming": lambda n, s: "32/24"},
    3: {"flops": lambda n, s: 7, "l1": lambda n, s: "7/64", "dram": lambda n, s: "7/24",
        "layers": lambda n, s: 3 * n[-1]**2 * 8 / 2**20,
        "reuse": lambda n, s: s.of("stencil/7pt", "DRAM") / s.of("stencil/7pt", "L1"),
        "bound": lambda n, s: s.bound("stencil/7pt")},
    4: {"chains": lambda n, s: 2 * n[0], "simd": lambda n, s: n[0] / 2 / 64, "lanes": lambda n, s: s.lanes(),
        "simd_measured": lambda n, s: s.best("fma") / s.best("fma", "scalar"),
        "fma_measured": lambda n, s: s.best("fma") / s.best("nofma"), "add": lambda n, s: "no",
        "ilp": lambda n, s: s.best("fma", threads=1) / s.best("fma", threads=1, chain=True)},
    5: {"ai": lambda n, s: n[-1] / 16, "balance": lambda n, s: n[0] / n[1] * 16, "ridge": lambda n, s: s.ridge(),
        "low": lambda n, s: s.bound("ert/flops:4/fma:1/set:DRAM"),
        "high": lambda n, s: yes(32 < s.ridge(), "memory", "compute"),
        "share": lambda n, s: 100 * s.of("ert/flops:512/fma:1/set:DRAM", "rate") / s.best("fma")},
    6: {"flops": lambda n, s: (8 + 28 * n[-1]) / 36, "bytes": lambda n, s: 1, "ai": lambda n, s: 176 / 36,
        "bound1": lambda n, s: s.bound(row1), "bound6": lambda n, s: yes(5.5 < s.ridge(), "memory", "compute"),
        "gain": lambda n, s: s.of(row6.replace("fma:1", "fma:0"), "time") / s.of(row6, "time"),
        "eff": lambda n, s: s.of(row6, "roof")},
    7: {"useful": lambda n, s: 100 / n[-1], "flops": lambda n, s: 1, "bytes": lambda n, s: 4,
        "slower": lambda n, s: yes(s.of(far, "time") > s.of(row6, "time")),
        "better": lambda n, s: yes(s.of(far, "roof") > s.of(row6, "roof")),
        "roof": lambda n, s: s.roof(row6) / s.roof(far)},
    8: {"cells": lambda n, s: n[0]**3 / 2, "flops": lambda n, s: 113 / 2 / 114, "bytes": lambda n, s: 1,
        "ai": lambda n, s: s.of(fp + "7", "DRAM"),
        "time": lambda n, s: s.of(branch + "7", "time") / s.of(fp + "7", "time"),
        "fast": lambda n, s: yes(s.of(fp + "7", "time") <= s.of(branch + "7", "time"), "FP", "BRANCH")},
    9: {"bytes": lambda n, s: 592, "propagate": lambda n, s: 0, "amdahl": lambda n, s: 1 / (0.31 + 0.69 / n[-1]),
        "ai": lambda n, s: 6275 / 592,
        "gain": lambda n, s: s.of(v0, "time") / min(r["time"] for r in s.rows if {"collide", "fma:1"} <= r["name"]),
        "share": lambda n, s: 100 * s.of("lbm/propagate", "time") / s.of("lbm/step", "time"),
        "propagate_bound": lambda n, s: s.bound("lbm/propagate")},
    10: {"beta": lambda n, s: 50 * (1 + n[0]), "count": lambda n, s: 176 + 6 * (n[0] - 1), "moves": lambda n, s: "no",
         "alpha": lambda n, s: s.explained(row6, "alpha"), "divider": lambda n, s: s.best("mul") / s.best("div"),
         "mix": lambda n, s: s.of(row6, "mix")},
    11: {"unit": lambda n, s: 8, "strided": lambda n, s: min(32, 8 * n[-1]), "stores": lambda n, s: 2,
         "flops": lambda n, s: s.explained(fp + "6", "flop_count_dp") / 1e6,
         "active": lambda n, s: 100 * s.explained(branch + "6", "predication"),
         "bound": lambda n, s: s.bound(fp + "6")},
    12: {"harmonic": lambda n, s: harmonic(n[0], n[1]), "unsupported": lambda n, s: 0,
         "talk": lambda n, s: harmonic(39.65, 66.38), "mine": lambda n, s: s.of(row6, "roof"),
         "three": lambda n, s: harmonic(39.65, 66.38, s.of(row6, "roof")),
         "falls": lambda n, s: yes(s.of(row6, "roof") < s.of(row1, "roof"))},
    13: {"ai": lambda n, s: "2/24", "bound": lambda n, s: "memory"},
    14: {"gap": lambda n, s: 100 * (1 - 959.5 / 1228.8), "empirical": lambda n, s: 100 * n[0] / 959.5,
         "theory_phi": lambda n, s: harmonic(82.81 * 959.5 / 1228.8, 99.73 * 3535.8 / 3916.8),
         "mine": lambda n, s: 100 * s.best("nofma") / s.best("nofma", of=s.theory),
         "fused": lambda n, s: s.best("fma") / s.best("nofma"), "ridge": lambda n, s: s.ridge() / 8.53,
         "bound": lambda n, s: yes(n[0] < s.ridge(), "memory", "compute")}}
copied = {
    1: {"peak": 7833.6, "lecture_bandwidth": 28.8, "lecture_rate": 2.057, "opteron": 36.8, "opteron_chain": 4.6,
        "knl": 3046.4, "knl_scalar": 84.6, "above": "no", "fma": 7068.9, "share": 90, "dram": 828.8, "ridge": 8.53},
    2: {"ai": "1/12", "bound": "memory", "flops": 2, "source": 24, "dram": 24, "streaming": 1, "rate": 69},
    3: {"flops": 7, "l1": 0.11, "dram": 0.44, "layers": 1.5, "reuse": 4, "bound": "memory"},
    4: {"chains": 4, "simd": 2, "lanes": 2, "simd_measured": 2, "fma_measured": 2, "add": "no", "ilp": 4},
    5: {"ai": 0.25, "balance": 80, "ridge": 8.53, "low": "memory", "high": "compute", "share": 90},
    6: {"flops": 4.89, "bytes": 1, "ai": 5.11, "bound1": "memory", "bound6": "compute", "gain": 1.33, "eff": 66.4},
    7: {"useful": 25, "flops": 1, "bytes": 4, "slower": "yes", "better": "yes", "roof": 4},
    8: {"cells": 64**3 / 2, "flops": 0.5, "bytes": 1, "ai": 1.2, "time": 1, "fast": "FP"},
    9: {"bytes": 592, "propagate": 0, "amdahl": 1.6, "ai": 11.1, "gain": 1.6, "share": 21, "propagate_bound": "memory"},
    10: {"beta": 80, "count": 230, "moves": "no", "alpha": 0.6, "divider": 11, "mix": 87},
    11: {"unit": 8, "strided": 32, "stores": 1, "flops": 30.28, "active": 100, "bound": "memory"},
    12: {"harmonic": 49.65, "unsupported": 0, "talk": 49.65, "mine": 66.38, "three": 49.65, "falls": "yes"},
    13: {"ai": "1/12", "bound": "memory"},
    14: {"gap": 22, "empirical": 82.81, "theory_phi": 90.49, "mine": 90, "fused": 2, "ridge": 1, "bound": "memory"}}


def graded(lab, run, answers):
    with open("answers.toml", "w") as file:
        file.writelines(f'{name} = "{answer}"\n' for name, answer in answers.items())
    text = said("lab", str(lab), "--predict", "answers.toml", "--grade", "--replay", run, f"--student={student}")
    score, possible = map(float, re.search(r"score: ([\d.]+) of ([\d.]+)", text).groups())
    return score, possible, text


def play(lab, run, run_of_copier):
    seen = Seen(run)
    sheet = said("lab", str(lab), "--sheet", f"--student={student}")
    asked = dict((name, numbers(text)) for text, name in re.findall(r"^# \w+: (.*)\n# (\w+) = ", sheet, re.M))
    if lab == 2:
        seen.n = asked["flops"][-1]
    answers = {}
    for name, answer in careful[lab].items():
        try:
            answers[name] = answer(asked[name], seen)
        except (ValueError, KeyError):
            pass  # a row that the run does not have: nothing to read
    score, possible, text = graded(lab, run, answers)
    theirs, most, _ = graded(lab, run_of_copier, copied[lab])
    print(f"| {lab} | {score:g} of {possible:g} | {theirs:g} of {most:g} |")
    for why in re.findall(r"^\s*(\w+: undecided: .*)", text, re.M):
        print(f"    {why}")
    if score < possible:
        print(answers, text, sep="\n")
    return score == possible and theirs < most


runs = []
for argument in sys.argv[2:]:
    labs, files = argument.split("=")
    files = [os.path.abspath(file) for file in files.split(":")]
    runs += [(int(lab), files[0], files[-1]) for lab in labs.split(",")]
good = True
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for game in runs:
        good &= play(*game)
sys.exit(not good)
