#!/usr/bin/env python3
"""flops.py PROGRAM COUNTS [counts.1.json]: the FLOPs of a program by precision and kind, from the counts of its blocks
and objdump's listing. With roofline_count's file of the same run it compares both and fails where they differ."""
import collections
import json
import os
import re
import subprocess
import sys

program, counts = sys.argv[1:3]
FLOP = re.compile(r"v?(?P<fma>fn?m(?:add|sub|addsub|subadd)(?:132|213|231))?"
                  r"(?P<kind>(?<!\d)(?:h?add|h?sub|addsub|mul|div|sqrt))?(?P<packed>[ps])(?P<wide>[ds])$")
X87 = re.compile(r"fi?(?P<kind>add|mul|sub|div|sqrt)r?p?[sltq]?$")
KINDS = {"hadd": "add", "hsub": "add", "sub": "add", "addsub": "add"}


def operations(mnemonic, operands):
    """(precision, kind), lanes of an instruction that calculates, or None."""
    if match := X87.match(mnemonic):
        return ("x87", KINDS.get(match["kind"], match["kind"])), 1
    match = FLOP.match(mnemonic)
    if not match or not (match["fma"] or match["kind"]):
        return None
    if "{%k" in operands:
        sys.exit(f"flops.py: the lanes under a mask are not known: {mnemonic} {operands}")
    kind = "fma" if match["fma"] else KINDS.get(match["kind"], match["kind"])
    register = re.findall(r"%([xyz])mm", operands)[-1]
    lanes = 1 if match["packed"] == "s" else {"x": 2, "y": 4, "z": 8}[register] * (1 if match["wide"] == "d" else 2)
    return ("fp64" if match["wide"] == "d" else "fp32", kind), lanes


with open(counts) as file:
    times = {int(place, 16): int(number) for place, number in (line.split() for line in file)}
headers = subprocess.run(["readelf", "-lW", program], capture_output=True, text=True, check=True).stdout
first = min(int(line.split()[2], 16) for line in headers.split("\n") if line.split()[:1] == ["LOAD"])
listing = subprocess.run(["objdump", "-dw", "--no-show-raw-insn", program], capture_output=True, text=True, check=True)
found, now = collections.Counter(), 0
for line in listing.stdout.split("\n"):
    if re.match(r"[0-9a-f]+ <", line):
        now = 0  # a function that was not assembled here has no counters
    elif match := re.match(r"\s+([0-9a-f]+):\t(?:(?:lock|rep\w*|bnd|notrack|data16) )?(\S+)\s*(.*)", line):
        now = times.get(int(match[1], 16) - first, now)
        if now and (done := operations(match[2], match[3])):
            found[done[0]] += now * done[1]
for (precision, kind), number in sorted(found.items()):
    print(precision, kind, number)
if len(sys.argv) > 3:
    others = collections.Counter()
    with open(sys.argv[3]) as file:
        for function in json.load(file)["functions"]:
            if function["module"] == os.path.realpath(program):
                for precision, kinds in function.get("operations", {}).items():
                    others.update({(precision, kind): n for kind, n in kinds.items() if kind not in ("logic", "other")})
    if +others != +found:
        sys.exit(f"flops.py: roofline_count has {dict(others)}")
