#!/usr/bin/env python3
"""Files as users have them from their tools, each with its right answer: field.py ROOFLINE BENCH [--out=FILE.md]

Every case is a command in its folder below data/field and what must come of it: numbers within 2 %, words on standard
error, or a refusal of one line with its words. A number that is wrong without a word fails.
"""

import argparse
import csv
import io
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from field_cases import CASES, DATA, FOUND


def near(got, want):
    if want is None or isinstance(want, str):
        return got == (want or "")
    return got != "" and abs(float(got) - want) <= 0.02 * abs(want)


def table_of_phi(text):
    found = {}
    for line in text.splitlines():
        words = line.split()
        if len(words) >= 3 and re.fullmatch(r"[0-9]+\.[0-9]{2}", words[-1]):
            found[words[0]] = float(words[-1])
    return found


def picture(svg, points):
    """The main plot has its frame, at least a third of the picture wide, and as many markers with a tooltip in it."""
    width, height = (float(n) for n in re.search(r'viewBox="0 0 ([0-9.]+) ([0-9.]+)"', svg).groups())
    frames = [{key: float(value) for key, value in re.findall(r'(x|y|width|height)="(-?[0-9.]+)"', rectangle)}
              for rectangle in re.findall(r'<rect[^>]*class="frame"[^>]*>', svg)]
    negative = re.search(r'width="-|height="-', svg)
    marked = len(re.findall("<title>", svg))
    answer = f"{width:.0f} x {height:.0f}, frame {frames[0]['width']:.0f} wide, {marked} marks"
    return answer, (not negative and frames[0]["width"] > width / 3 and height <= 4 * width and marked >= points)


def check(kind, want, outcome, out):
    """The answer in words, and whether it is right."""
    if kind == "refused":
        line = outcome.stderr.strip().splitlines()[-1:] or [""]
        right = outcome.returncode in (2, 3, 4, 5) and all(word in outcome.stderr for word in want)
        return f"exit {outcome.returncode}: {line[0]}", right
    if outcome.returncode != 0:
        return f"exit {outcome.returncode}: {outcome.stderr.strip()}", False
    if kind == "text":
        return "written", all(words in outcome.stdout for words in want)
    if kind == "picture":
        return picture((out / "plot.svg").read_text(), want)
    if kind == "svg":
        text = (out / "ncu.svg").read_text()
        return "drawn", all(word in text for word in want)
    if kind == "rows":
        got = {row["name"]: row for row in csv.DictReader(io.StringIO(outcome.stdout))}
        said, right = [], len(got) == len(want)
        for name, columns in want.items():
            exact = [row for row in got if row == name] or [row for row in got if name in row]
            row = got[exact[0]] if exact else {}
            right = right and all(near(row.get(column, "?"), value) for column, value in columns.items())
            said.append(f"{exact[0] if exact else name + ' is missing'}: " +
                        ", ".join(f"{column} {row.get(column, '?')}" for column in columns))
        return "; ".join(said) + ("" if len(got) == len(want) else f"; {len(got)} rows"), right
    if kind in ("external", "ceilings"):
        got = {c["label"].split(" ", 1)[1] if c.get("external") else c["label"]: c["rate"] * 1e-9
               for c in json.loads(outcome.stdout)["roofline"]["ceilings"] if kind == "ceilings" or c.get("external")}
        right = got.keys() == want.keys() and all(near(got[name], value) for name, value in want.items())
    else:
        got = table_of_phi(outcome.stdout)
        right = got.keys() == want.keys() and all(abs(got[name] - value) < 0.02 for name, value in want.items())
    return ", ".join(f"{name} {value:g}" for name, value in got.items()), right


def run(case, programs, out):
    folder, command, (kind, want), words = case
    words_of = [programs.get(word, word).replace("OUT", str(out)) for word in shlex.split(command)]
    if words_of[0] in ("sh", "bash"):
        words_of[2] = words_of[2].replace("roofline ", programs["roofline"] + " ", 1)
    outcome = subprocess.run(words_of, cwd=DATA / folder, capture_output=True, text=True, timeout=300)
    answer, right = check(kind, want, outcome, out)
    missing = [word for word in words if word not in outcome.stderr]
    notes = "; ".join(line for line in outcome.stderr.splitlines() if "ordinal" not in line)
    if kind != "refused" and notes:
        answer += f" ({notes})"
    return answer, right and not missing


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("roofline")
    parser.add_argument("bench", nargs="?")
    parser.add_argument("--out", help="table of the answers, Markdown")
    parser.add_argument("--only", default="", help="part of a case's name")
    arguments = parser.parse_args()
    programs = {"roofline": str(pathlib.Path(arguments.roofline).absolute())}
    if arguments.bench:
        programs["roofline_bench"] = str(pathlib.Path(arguments.bench).absolute())
    lines = ["| case | command | answer | right answer | |", "|---|---|---|---|---|"]
    wrong = 0
    sys.path.insert(0, str(FOUND))
    from found import CASES as found, SOURCES
    with tempfile.TemporaryDirectory() as scratch:
        for case in CASES + found:
            if arguments.only not in case[0] or ("roofline_bench" in case[1] and not arguments.bench):
                continue
            answer, right = run(case, programs, pathlib.Path(scratch))
            wrong += not right
            if not right:
                print(f"{case[0]}: {case[1]}\n  {answer}\n  wanted: {case[2]} {case[3]}", file=sys.stderr)
            cell = lambda text: str(text).replace("|", "\\|").replace(scratch, "OUT").replace("\n", " ")
            wanted = f"{case[2][0]} {case[2][1]}" + (f", said: {', '.join(case[3])}" if case[3] else "")
            source = next((f": {SOURCES[name]}" for name in SOURCES if name in case[1]), "")
            lines.append(f"| {case[0]}{source} | `{cell(case[1])}` | {cell(answer)} | {cell(wanted)} | "
                         f"{'right' if right else 'WRONG'} |")
    if arguments.out:
        head = ("# Files of others and what is read of them\n\nWritten by `tests/field.py ROOFLINE BENCH --out=FILE`. "
                "`found`: files written anew after public reports, with the issue or pull request of GitHub where "
                "the form was seen, if it was one.\n\n")
        pathlib.Path(arguments.out).write_text(head + "\n".join(lines) + "\n")
    print(f"{len(lines) - 2} cases, {wrong} wrong")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
