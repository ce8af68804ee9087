"""Files of other programs, made up: what the generators of tests/field_generated.py share."""

import csv
import io
import json
import pathlib
import subprocess

DATA = pathlib.Path(__file__).parent / "data" / "field"
CPU, GPU = f"--ceilings={DATA / 'cpu_roofs.json'}", f"--ceilings={DATA / 'gpu_roofs.json'}"
GOOGLE = ["--flops=flops", "--bytes=bytes", "--precision=fp64"]

WORDS = ["step", "triad", "gemm", "spmv", "flux", "advect", "halo", "reduce", "pack", "norm2", "assemble", "sweep"]


class Made:
    """A folder with files, and what is drawn at random for them."""

    def __init__(self, random, folder):
        self.random, self.folder = random, pathlib.Path(folder)

    def name(self):
        return f"{self.random.choice(WORDS)}_{self.random.randrange(1000)}"

    def names(self, count):
        return self.random.sample([f"{word}_{i:02}" for word in WORDS for i in range(40)], count)

    def shuffled(self, items):
        items = list(items)
        self.random.shuffle(items)
        return items

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return str(path)

    def table(self, name, columns, rows, before="", quoted=True):
        """CSV; rows are dictionaries, columns in the order given."""
        out = io.StringIO()
        writer = csv.writer(out, quoting=csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL, lineterminator="\n")
        writer.writerow(columns)
        for row in rows:
            writer.writerow([row.get(column, "") for column in columns])
        return self.write(name, before + out.getvalue())

    def google(self, name, rows, caches=None):
        """Rows are (name, seconds, FLOP/s, B/s), of one thread by real time."""
        context = {"host_name": "node01", "num_cpus": 16, "library_version": "v1.9.4"}
        if caches is not None:
            context["caches"] = caches
        benchmarks = [{"name": row, "run_name": row, "run_type": "iteration", "threads": 1, "iterations": 10,
                       "real_time": seconds * 1e9, "cpu_time": seconds * 1e9, "time_unit": "ns", "flops": flops,
                       "bytes": moved} for row, seconds, flops, moved in rows]
        return self.write(name, json.dumps({"context": context, "benchmarks": benchmarks}))


def run(command, stdin=None):
    return subprocess.run(command, capture_output=True, text=True, timeout=600, input=stdin)


def is_refusal(outcome):
    return outcome.returncode in (2, 3, 4, 5) and len(outcome.stderr.strip().splitlines()) == 1


def near(got, want):
    if want is None or isinstance(want, str):
        return got == (want or "")
    try:
        return abs(float(got) - want) <= 0.02 * abs(want)
    except ValueError:
        return False


def rows_of(outcome):
    return list(csv.DictReader(io.StringIO(outcome.stdout)))


def wrong_rows(outcome, want):
    """The faults of the rows; empty: they are right. `want`: columns by a part of the name."""
    rows = rows_of(outcome)
    if len(rows) != len(want):
        return f"{len(rows)} rows for {len(want)}"
    for name, columns in want.items():
        found = [row for row in rows if name in row["name"]]
        if len(found) != 1:
            return f"no row {name}"
        for column, value in columns.items():
            if not near(found[0].get(column, "?"), value):
                return f"{name}: {column} {found[0].get(column)} for {value}"
    return ""


def opinions_of(outcome):
    """GB/s of the ceilings of another tool, by their name without that of the tool."""
    ceilings = json.loads(outcome.stdout)["roofline"]["ceilings"]
    return {c["label"].split(" ", 1)[1]: c["rate"] * 1e-9 for c in ceilings if c.get("external")}


def convert(roofline, *arguments, to="csv"):
    return [roofline, "convert", *arguments, f"--to={to}"]


def judged(outcome, want, words=()):
    """Empty: right, refused, or said in one of the words."""
    if is_refusal(outcome):
        return ""
    if outcome.returncode != 0:
        return f"exit {outcome.returncode}: {outcome.stderr[:200]}"
    wrong = wrong_rows(outcome, want)
    return "" if not wrong or any(word in outcome.stderr for word in words) else wrong
