#!/usr/bin/env python3
"""Makes a run.json, as far as `roofline claims` needs it, of the table and the roofs that are kept of the H200's default run:
results/h200-sxm/as_run.py >run.json. The run itself was not kept; samples and most ceilings are missing."""
import csv
import json
import pathlib
import re

here = pathlib.Path(__file__).parent
lines = re.findall(r"^  (?:GFLOP|GB)/s .*", (here / "default.txt").read_text(), re.MULTILINE)[:2]
roofs = dict(re.findall(r"(FP64 FMA|no FMA|FP32 FMA|L1|L2|DRAM) ([0-9]+)", " ".join(lines)))


def ceiling(name, rate, **more):
    base = {"name": "ceiling/" + name, "kind": "compute", "threads": 1, "whole_device": True, "sustained": False,
            "precision": "fp64", "operation": "fma", "isa": "vector", "ilp": True, "warps": 0, "level": "DRAM", "mix": "read",
            "working_set": 0.0, "bytes_per_explicit_byte": 1.0, "samples": 3, "replaced": 0, "disturbed": 0.0,
            "opinion": False, "variant": "kept in default.txt", "winner": 0, "clock_begin": 0.0, "clock_end": 0.0}
    return base | {"rate": rate, "rate_low": rate, "rate_high": rate} | more


ceilings = [
    ceiling("flops/fp64/fma/vector", 1e9 * float(roofs["FP64 FMA"])),
    ceiling("flops/fp64/nofma/vector", 1e9 * float(roofs["no FMA"]), operation="nofma"),
    ceiling("flops/fp32/fma/vector", 1e9 * float(roofs["FP32 FMA"]), precision="fp32"),
] + [
    ceiling(f"bandwidth/{level}/{mix}", 1e9 * float(roofs[level]), kind="bandwidth", level=level, mix=mix)
    for level, mix in (("L1", "read"), ("L2", "triad"), ("DRAM", "write"))
]


def problem_of(row):
    """The default sizes of the suite, which names leave out; streams' from their bytes."""
    if row["family"] == "lbm":
        return "lx:480/ly:7680"
    arrays = {"stream/copy": 2, "stream/scale": 2, "stream/add": 3, "stream/triad": 3, "stream/dot": 2}.get(row["name"])
    return f"n:{round(float(row['bytes_L1']) / 8 / arrays)}" if arrays else ""


def point(row):
    def number(key, otherwise=0.0):
        return float(row[key]) if row[key] else otherwise

    kinds = {to: int(number(of)) for to, of in
             (("add", "add"), ("mul", "mul"), ("fma", "fma_instructions"), ("div", "div"))}
    traffic = {level: {"read": number("bytes_" + level) - number("written_" + level), "written": number("written_" + level)}
               for level in ("L1", "L2", "DRAM") if row["bytes_" + level]}
    roof = {"attainable": number("attainable"), "efficiency": number("efficiency"), "bound": row["bound"]}
    mix = {"attainable": number("attainable_mix"), "efficiency": number("efficiency_mix"), "bound": row["bound_mix"]}
    return {"name": row["name"], "family": row["family"],
            "counts": {"operations": kinds | {"sqrt": 0, "logic": 0}, "operations_source": "analytic", "precision": "fp64",
                       "kinds_known": sum(kinds.values()) > 0 or not number("flops"), "traffic": traffic,
                       "traffic_source": "hardware", "modelled_device": "", "traffic_note": "CUPTI"},
            "time": {"median": number("time_median"), "low": number("time_ci_low"), "high": number("time_ci_high")},
            "declared_flops": int(number("flops")), "samples": int(number("samples")), "converged": True,
            "contaminated": 0.0, "threads": 1, "fma": row["fma"] == "1", "roof": roof, "mix": mix,
            "rounds": int(number("rounds")), "problem": problem_of(row)}


rows = [point(row) for row in csv.DictReader((here / "default.csv").open())]
gpu = {"index": 0, "name": "NVIDIA H200", "major": 9, "minor": 0, "sms": 132, "clock_hz": 1.98e9,
       "memory_bytes": 150109224960.0, "l2_bytes": 62914560.0, "driver_version": 13000, "runtime_version": 13000}
print(json.dumps({"context": {}, "benchmarks": [], "roofline": {
    "schema": 1, "gpu": gpu, "command_line": "roofline_bench --device=cuda:0 (of results/h200-sxm/default.csv)",
    "date": "2026-11-27T00:00:00Z", "complete": True, "threads": 1, "ceilings": ceilings, "points": rows}}))
