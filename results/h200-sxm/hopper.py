#!/usr/bin/env python3
"""What of the V100 talks is still true on an H200: results/h200-sxm/hopper.py ROOFLINE >results/h200-sxm/hopper.md. `roofline
claims` judges, on the figures that are kept of the default run (as_run.py)."""
import json
import pathlib
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).parent
families = ("GPP", "HPG", "LBM", "PP", "CA")  # the rest is of the model, of the tool or of CPUs
with tempfile.NamedTemporaryFile(suffix=".json") as run:
    run.write(subprocess.run([here / "as_run.py"], check=True, capture_output=True).stdout)
    run.flush()
    told = subprocess.run([sys.argv[1], "claims", run.name, "--json"], check=True, capture_output=True).stdout
claims = [c for c in json.loads(told)["runs"][0]["claims"] if c["id"].split("-")[0] in families]
data = (here / "../../reporters/claims/data").glob("[01]*.json")
why = {c["id"]: c.get("differs", "") for file in data for c in json.load(file.open())["claims"]}


def of(*verdicts):
    return [c for c in claims if c["verdict"] in verdicts]


def middle(side):
    return side if isinstance(side, float | int) else (side["low"] + side["high"]) / 2


def failed_checks(claim):
    wrong = [q for check in claim["checks"] for q in check.get("comparisons", []) if q["holds"] == "no"]
    return "; ".join("`{}`: {:.3g}, {:.3g}".format(q["text"].replace("|", "/"), middle(q["left"]), middle(q["right"])) for q in wrong)


def table(title, header, rows):
    print(f"\n## {title}\n\n| {' | '.join(header)} |\n|{'---|' * len(header)}")
    for row in rows:
        print("| " + " | ".join(row) + " |")


held, failed, left = of("reproduced"), of("not reproduced"), of("inconclusive", "not testable here")
print(f"""# What of the V100 talks is still true on Hopper

Made by `results/h200-sxm/hopper.py`: `roofline claims` on the default run of an H200 (default.csv). The run.json
of that run was not kept, so figures that the table lacks leave some claims open. Of the talks' statements on kernels {len(held)} hold, {len(failed)} do not, and {len(left)} are open.""")
table("What does not hold", ("claim", "statement", "published (V100)", "H200: failed check, its two sides", "why"),
      [(c["id"], c["statement"], c["published"], failed_checks(c), why[c["id"]]) for c in failed])
table("What holds", ("claim", "statement", "published (V100)"), [(c["id"], c["statement"], c["published"]) for c in held])
table("What is open", ("claim", "statement", "because"),
      [(c["id"], c["statement"], c.get("reason", c["verdict"])) for c in left])
