#!/usr/bin/env python3
"""Google Benchmark's compare.py reads two run.json of roofline_bench and their --benchmark_out:
compare_py.py BENCH. It is that of the package libbenchmark-tools, or of $COMPARE_PY; without one, or without the
packages that it needs, the test is skipped."""
import json
import os
import re
import subprocess
import sys
import tempfile

script = os.environ.get("COMPARE_PY", "/usr/share/benchmark/compare.py")
if not os.path.exists(script) or subprocess.run([sys.executable, script, "--help"], capture_output=True).returncode:
    print("skipped: no compare.py that works (packages libbenchmark-tools, python3-scipy)")
    sys.exit(77)

with tempfile.TemporaryDirectory() as folder:
    def run(name, *more):
        subprocess.run([sys.argv[1], "--device=cpu", "--stream=20000", "--ceilings=none", "--benchmark_repetitions=3",
                        "--benchmark_filter=stream/(copy|triad)", "--benchmark_format=json", f"--out={name}",
                        f"--benchmark_out={name}.json", *more], cwd=folder, check=True, stdout=subprocess.DEVNULL)

    def compare(*files):
        done = subprocess.run([sys.executable, script, "--no-color", "benchmarks", *files], cwd=folder,
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    run("base")
    run("next")
    text = compare("base/run.json", "next.json")
    for row in ("copy", "triad"):
        for kind in ("", "_mean", "_median", "_stddev"):
            pattern = rf"^stream/{row}/n:20000{kind} +[+-]\d"
            found = len(re.findall(pattern, text, re.MULTILINE))
            assert found == (3 if kind == "" else 1), (pattern, found, text)
        assert re.search(rf"^stream/{row}/n:20000_pvalue", text, re.MULTILINE), text

    # A row that takes twice as long is a row that takes twice as long.
    document = json.load(open(f"{folder}/base.json"))
    for row in document["benchmarks"]:
        row["real_time"] *= 2
    json.dump(document, open(f"{folder}/slow.json", "w"))
    assert re.search(r"^stream/triad/n:20000_median +\+1\.0000", compare("base/run.json", "slow.json"),
                     re.MULTILINE), compare("base/run.json", "slow.json")

    run("aggregates", "--benchmark_report_aggregates_only=true")
    kinds = {row["run_type"] for row in json.load(open(f"{folder}/aggregates/run.json"))["benchmarks"]}
    assert kinds == {"aggregate"}, kinds
