#!/usr/bin/env python3
"""Files of others to run.json and back: round_trips.py ROOFLINE [--out=FILE.md]

Every file of tests/field.py that has points or roofs is stored as run.json. Held: the same run.json comes of reading
that again, its table is that of the file itself, and each format that can be written is the same when it is read, stored
and written once more, but for what a format cannot say. Files in a format of their own that we write, too
(roofline.json, data.txt, p3's CSV), come back with their own numbers.
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

from field import CASES, DATA

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")
# Samples and roofs are not in the table, and what was read from it is imported.
NOT_IN_CSV = {"samples", "rounds", "time_min", "flops_source", "bytes_source", "efficiency_low", "efficiency_high",
              "resolved", "attainable", "bound", "efficiency", "attainable_mix", "bound_mix", "efficiency_mix"}


def words_of(form, text):
    """The content of a format, without the part that it cannot hold of a file that was read."""
    if form == "csv":
        return [[row[c] for c in row if c not in NOT_IN_CSV] for row in csv.DictReader(io.StringIO(text))]
    if form == "ert":
        document = json.loads(text)
        return [sorted(document[part][kind]["data"]) for part in ("empirical", "spec") for kind in ("gflops", "gbytes")
                if kind in document.get(part, {})]
    return text.split("\n", 1)[1]  # the comment names the machine


def numbers(text):
    return sorted({f"{float(n):.6g}" for n in NUMBER.findall(text)})


class Trips:
    def __init__(self, program, scratch):
        self.program, self.scratch, self.files = str(pathlib.Path(program).absolute()), pathlib.Path(scratch), 0

    def convert(self, source, form, folder="."):
        """SOURCE: words of a command line, or text, which becomes a file."""
        if isinstance(source, str):
            self.files += 1
            path = self.scratch / f"{self.files}"
            path.write_text(source)
            source = [str(path)]
        done = subprocess.run([self.program, "convert", *source, f"--to={form}"], cwd=DATA / folder,
                              capture_output=True, text=True, timeout=600)
        return done.stdout if done.returncode == 0 else f"exit {done.returncode}: {done.stderr}"

    def check(self, folder, command):
        """The outcome of one file: (words for the table, all of it right)."""
        source = [word for word in shlex.split(command)[2:] if not word.startswith("--to=")]
        run = self.convert(source, "run", folder)
        what = json.loads(run)["roofline"]
        said = {"run": self.convert(run, "run") == run}
        if what["points"]:
            said["its table"] = self.convert(source, "csv", folder) == self.convert(run, "csv")
        # Roofs next to points are those of other cases.
        for form in ("csv", "data") if what["points"] else ("data", "data-talk", "ert"):
            written = self.convert(run, form)
            again = self.convert(self.convert(written, "run"), form)
            said[form] = not again.startswith("exit") and words_of(form, again) == words_of(form, written)
        for file, form in ("data.txt", "data"), ("roofline.json", "ert"):
            if file in source:
                own = (DATA / folder / file).read_text()
                back = self.convert(run, form)
                if form == "ert":
                    said["its own"] = [[round(v, 6) for _, v in rates] for rates in words_of(form, own)] == \
                        [[round(v, 6) for _, v in rates] for rates in words_of(form, back)]
                else:
                    said["its own"] = numbers(words_of(form, own)) == numbers(words_of(form, back))
        return f"{len(what['points'])} points, {len(what['ceilings'])} roofs", said

    def p3(self, folder, source):
        """The text of p3's CSV that is written for efficiencies, and of that read again."""
        texts = []
        for turn in range(2):
            out = self.scratch / f"p3.{turn}.csv"
            subprocess.run([self.program, "portability", source, f"--p3={out}"], cwd=DATA / folder, capture_output=True,
                           check=True)
            texts.append(out.read_text())
            source = str(out)
        return texts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("roofline")
    parser.add_argument("--out", help="table, Markdown")
    arguments = parser.parse_args()
    sys.path.insert(0, str(DATA / "found"))
    from found import CASES as found
    lines, wrong = [], 0
    with tempfile.TemporaryDirectory() as scratch:
        trips = Trips(arguments.roofline, scratch)
        done = set()
        for folder, command, (kind, _), _ in CASES + found:
            key = folder, command.rsplit("--to=", 1)[0]
            if key in done or not command.startswith("roofline convert") or kind not in ("rows", "external", "ceilings"):
                continue
            done.add(key)
            what, said = trips.check(folder, command)
            lines.append(f"| {folder} | `{key[1].strip()}` | {what} | " +
                         ", ".join(form + ("" if right else " DIFFERS") for form, right in said.items()) + " |")
            wrong += not all(said.values())
            if not all(said.values()):
                print(lines[-1], file=sys.stderr)
        for folder, source in (("22_p3_round_trip", "eff.csv"), ("23_p3_efficiencies", "p3.csv"),
                               ("found", "eff_german.csv"), ("found", "p3_order.csv")):
            first, second = trips.p3(folder, source)
            wrong += first != second
            lines.append(f"| {folder} | `roofline portability {source} --p3=FILE` | {len(first.splitlines()) - 1} lines | "
                         f"p3{'' if first == second else ' DIFFERS'} |")
    if arguments.out:
        pathlib.Path(arguments.out).write_text(
            "# Files of others, stored as run.json and back\n\nWritten by `tests/round_trips.py ROOFLINE --out=FILE`, "
            "a test of every build. The last column has what was compared and is\nequal: `run`, the run.json that comes "
            "of reading run.json again, byte by byte; `its table`, efficiency.csv of the file and of its\nrun.json, byte "
            "by byte; `csv`, `data`, `data-talk`, `ert`: the format written, read, stored as run.json and written "
            "again, as far as it\ncan say it; `its own`: the numbers of a data.txt or roofline.json of others and of "
            "what comes back.\n\n| case | command | what is in it | equal |\n|---|---|---|---|\n" + "\n".join(lines) + "\n")
    print(f"{len(lines)} files, {wrong} wrong")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
