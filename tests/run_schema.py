#!/usr/bin/env python3
"""Holds files that roofline_bench writes against the schema that roofline prints: run_schema.py BENCH ROOFLINE."""

import copy
import glob
import json
import os
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    sys.exit(77)  # skipped; tools/test.sh installs it

bench, roofline = sys.argv[1:]
runs = (
    ["--model=host", "--quick", "--benchmark_filter=stream|stencil"],
    ["--model=v100", "--quick", "--benchmark_filter=stream"],
    ["--ceilings=none", "--stream=20000", "--benchmark_filter=stream/triad", "--benchmark_min_time=0.001"],
)
# The last of them once more, as a rank of a launcher.
rank = {"PALS_RANKID": "0", "PMI_SIZE": "2", "PALS_LOCAL_RANKID": "0", "PALS_LOCAL_SIZE": "1", "PBS_JOBID": "7"}


def errors(validator, document):
    return [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(document)]


def damaged(document):
    """Each a file that is not one: (what is wrong, the file)."""
    for what, edit in (
        ("an unknown field", lambda run: run["points"][0].update(undescribed=1)),
        ("a missing field", lambda run: run["points"][0].pop("name")),
        ("a number as text", lambda run: run["points"][0]["time"].update(median="1")),
        ("an unknown source", lambda run: run["points"][0]["counts"].update(traffic_source="guessed")),
        ("another version", lambda run: run.update(schema=99)),
    ):
        copied = copy.deepcopy(document)
        edit(copied["roofline"])
        yield what, copied


schema = json.loads(subprocess.run([roofline, "schema"], check=True, capture_output=True).stdout)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
printed = subprocess.run([roofline, "compare", "--print-schema"], check=True, capture_output=True).stdout
of_verdicts = jsonschema.Draft202012Validator(json.loads(printed))


def undescribed(part, place=""):
    """Fields without a word on what they mean; the levels of a map are described by the map."""
    for name, field in part.get("properties", {}).items():
        if "description" not in field and name not in ("L1", "L2", "L3", "DRAM", "shared", "sysmem"):
            yield f"no description: {place}/{name}"
        yield from undescribed(field, f"{place}/{name}")
    if isinstance(part.get("items"), dict):
        yield from undescribed(part["items"], place + "[]")


wrong = list(undescribed(schema))
for arguments, environment in [*((run, {}) for run in runs), (runs[-1], rank)]:
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([bench, *arguments, "--out=" + folder], check=False, capture_output=True, text=True,
                              env=os.environ | environment)
        if "no CUDA kernels" in done.stderr:  # a described GPU has none to run
            continue
        done.check_returncode()
        (path,) = glob.glob(folder + "/**/run.json", recursive=True)
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        if environment and document["roofline"]["place"].get("job") != "7":
            wrong.append("a rank has no place")
        verdict = folder + "/verdict.json"
        subprocess.run([roofline, "compare", path, path, "--json=" + verdict], check=False, capture_output=True)
        with open(verdict, encoding="utf-8") as file:
            wrong += [f"verdict of {' '.join(arguments)}: {error}" for error in errors(of_verdicts, json.load(file))]
    wrong += [f"{' '.join(arguments)}: {error}" for error in errors(validator, document)]
    wrong += [f"not seen: {what}" for what, bad in damaged(document) if not errors(validator, bad)]
print("\n".join(wrong))
sys.exit(1 if wrong else 0)
