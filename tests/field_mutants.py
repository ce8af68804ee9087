#!/usr/bin/env python3
"""Numbers and units of files of the field written otherwise: field_mutants.py ROOFLINE [--trials=12] [--seed=1]

Each trial changes how one number or unit of a case is written (a comma for a point, thin spaces, an exponent, another
prefix, a column that is not there). Held: the answer is the same, or lacks a value, or is what the new unit says, or it
is refused, or standard error has a line more than for the file as it was. Never another value without a word.

A number that is lawful in the language of its file after the change ("1.048" where others have points) is no mutant:
nobody could tell.
"""

import argparse
import csv
import io
import json
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

from field import CASES, DATA, table_of_phi

NUMBER = re.compile(r"(?<![\w.,:/-])\d+(?:[.,]\d+)*(?:e[+-]?\d+)?(?![\w.,])")
UNIT = re.compile(r"(?<![\w.])(K|M|G|u|m|n|mi|)([Bb]ytes?|seconds?|B(?=/s)|mibytes|FLOPS?|s)(?=[\"/,:;_\s)]|$)")
SPACES = ("\u202f", "\u2009", "\u00a0", "'")  # between thousands


def another_number(text, random):
    """One number, its value kept or made doubtful."""
    found = [n for n in NUMBER.finditer(text) if len(n.group()) > 2]
    if not found:
        return None
    number = random.choice(found)
    old = number.group()
    way = random.choice(["comma", "thin", "exponent", "small exponent", "point"])
    others = [n for n in NUMBER.findall(text) if "." in n and not re.fullmatch(r"\d\.0", n)]  # but a GPU's "8.0"
    if way == "comma" and others == [old]:
        return None  # lawful: no other number has a point
    if way == "comma" and "." in old:
        new = old.replace(".", ",")
    elif way == "point" and old.count(",") > 1:
        new = old.replace(",", ".")
    elif way == "thin" and old.isdigit() and len(old) > 3:
        new = f"{int(old):,}".replace(",", random.choice(SPACES))
    elif way == "exponent" and old.isdigit():
        new = f"{int(old):.12e}"
    elif way == "small exponent" and old.replace(".", "", 1).isdigit() and not re.fullmatch(r"\d+\.\d{3}", old):
        new = f"{float(old) * 1e6:.12g}E-06"
    else:
        return None
    if "," in new and '"' + old + '"' not in text[number.start() - 1:number.end() + 1] and new != old:
        new = '"' + new + '"'  # else it would be another field
    return text[:number.start()] + new + text[number.end():]


def another_unit(text, random):
    found = list(UNIT.finditer(text))
    if not found:
        return None
    unit = random.choice(found)
    prefix = random.choice(["Q", "x", "Y"])
    return text[:unit.start(1)] + prefix + text[unit.end(1):]


def without_key(text, random):
    """JSON whose rows all lack something."""
    document = json.loads(text)
    rows = [d for d in document.get("benchmarks", []) if isinstance(d, dict)]
    keys = sorted({key for row in rows for key in row})
    if not keys:
        return None
    gone = random.choice(keys)
    for row in rows:
        row.pop(gone, None)
    return json.dumps(document, indent=1)


def without_column(text, random):
    lines = text.splitlines()
    tables = [list(csv.reader([line]))[0] if line else [] for line in lines]
    widest = max((len(t) for t in tables), default=0)
    if widest < 4:
        return None
    gone = random.randrange(widest)
    out = []
    for line, fields in zip(lines, tables):
        if len(fields) == widest:
            fields = fields[:gone] + fields[gone + 1:]
            line = ",".join('"' + f.replace('"', '""') + '"' for f in fields)
        out.append(line)
    return "\n".join(out) + "\n"


def values(outcome):
    """Everything that the answer says in numbers."""
    text = outcome.stdout
    if text.startswith("{"):
        return {c["label"]: c["rate"] for c in json.loads(text)["roofline"]["ceilings"]}
    if text.startswith("name,"):
        columns = ("flops", "time_median", "bytes_L1", "bytes_L2", "bytes_DRAM", "efficiency")
        return {(row["name"], c): float(row[c]) for row in csv.DictReader(io.StringIO(text)) for c in columns if row[c]}
    return table_of_phi(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("roofline")
    parser.add_argument("--trials", type=int, default=12, help="for each case")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    sys.path.insert(0, str(DATA / "found"))
    from found import CASES as found
    program = str(pathlib.Path(arguments.roofline).absolute())
    trials = refused = same = said = wrong = 0
    for folder, command, (kind, _), _ in CASES + found:
        if kind not in ("rows", "external", "ceilings", "phi") or not command.startswith("roofline ") \
                or "OUT" in command:
            continue
        source = random.Random(f"{arguments.seed} {folder} {command}")
        names = [w.split("=")[-1] for w in shlex.split(command) if (DATA / folder / w.split("=")[-1]).is_file()]
        names = [n for n in names if not n.startswith("..") and "roofs" not in n]
        with tempfile.TemporaryDirectory() as scratch:
            home = pathlib.Path(scratch) / "case"
            shutil.copytree(DATA / folder, home)
            for roofs in DATA.glob("*.json"):
                shutil.copy(roofs, scratch)
            run = lambda: subprocess.run([program] + shlex.split(command)[1:], cwd=home, capture_output=True,
                                         text=True, timeout=600)
            before = run()
            truth = values(before)
            for _ in range(arguments.trials):
                name = source.choice(names)
                data = (DATA / folder / name).read_bytes()
                if data.startswith(b"\xff\xfe"):
                    break
                text = data.decode("utf-8-sig")
                missing = without_key if name.endswith(".json") else without_column
                ways = [another_number, another_number, another_unit, missing]
                bad = source.choice(ways)(text, source)
                if bad is None or bad == text:
                    continue
                (home / name).write_text(bad)
                after = run()
                trials += 1
                if after.returncode not in (0, 2, 3, 4, 5):
                    wrong += 1
                    print(f"{folder}/{name}: exit {after.returncode}\n{bad}", file=sys.stderr)
                elif after.returncode:
                    refused += 1
                    if len(after.stderr.strip().splitlines()) != 1:
                        wrong += 1
                        print(f"{folder}/{name}: {after.stderr}", file=sys.stderr)
                elif all(key in truth and abs(value - truth[key]) <= 1e-6 * abs(truth[key])
                         for key, value in values(after).items()):
                    same += 1
                elif set(after.stderr.splitlines()) - set(before.stderr.splitlines()):
                    said += 1
                else:
                    wrong += 1
                    print(f"{folder}/{name}: another value without a word\n{bad}\n{after.stdout}", file=sys.stderr)
                (home / name).write_bytes(data)
    print(f"{trials} mutants: {refused} refused, {same} with the same values, {said} with a word, {wrong} wrong")
    return wrong > 0 or refused < trials / 20


if __name__ == "__main__":
    sys.exit(main())
