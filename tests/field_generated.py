#!/usr/bin/env python3
"""Whole kinds of other programs' files, generated: field_generated.py ROOFLINE [--trials=25] [--seed=1] [--kind=K]

Names, order, columns, units and devices are drawn at random. Each file must be read right, or be refused in one line, or
standard error must say what was assumed of it. Everything else is wrong: above all a number without a word.
"""

import argparse
import concurrent.futures
import json
import pathlib
import random
import re
import sys
import tempfile

from made_up_files import Made, is_refusal, near, opinions_of, rows_of, run, wrong_rows

DATA = pathlib.Path(__file__).parent / "data" / "field"
CPU, GPU = f"--ceilings={DATA / 'cpu_roofs.json'}", f"--ceilings={DATA / 'gpu_roofs.json'}"
GOOGLE = ["--flops=flops", "--bytes=bytes", "--precision=fp64"]
PEAK, BANDWIDTH = 10000e9, 2000e9  # of gpu_roofs.json, FP64 and DRAM
SASS = "smsp__sass_thread_inst_executed_op_d{}_pred_on.sum"


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


def attainable(intensity):
    return min(PEAK, BANDWIDTH * intensity)


# Profiles with FLOPs, a time, and bytes or none: each returns the files.

def ncu(made, launches, long=None):
    """Launches are dictionaries: name, seconds, fma, bytes or None, and what tells them apart."""
    long = made.random.random() < 0.5 if long is None else long
    fixed = ["ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Context", "Stream", "Block Size", "Grid Size",
             "Device", "CC"]
    rows, metrics = [], []
    for i, launch in enumerate(launches):
        unit, scale = made.random.choice([("us", 1e6), ("ms", 1e3), ("ns", 1e9)])
        values = [("gpu__time_duration.sum", unit, launch["seconds"] * scale)] if long else \
            [("gpu__time_duration.sum", "us", launch["seconds"] * 1e6)]
        values += [(SASS.format("add"), "inst", 0), (SASS.format("mul"), "inst", 0), (SASS.format("fma"), "inst", launch["fma"])]
        if launch["bytes"] is not None:
            values.append(("dram__bytes.sum", "Mbyte", launch["bytes"] / 1e6))
        base = {"ID": launch.get("id", i), "Process ID": launch.get("process", 10), "Process Name": "app",
                "Host Name": launch.get("host", "gpu01"), "Kernel Name": launch["name"] + "(double *)", "Context": 1,
                "Stream": launch.get("stream", 7), "Block Size": "(256, 1, 1)", "Grid Size": "(64, 1, 1)",
                "Device": launch.get("device", 0), "CC": "8.0"}
        text = lambda value: f"{value:.6f}" if isinstance(value, float) else str(value)
        if long:
            rows += [dict(base, **{"Metric Name": n, "Metric Unit": u, "Metric Value": text(v)})
                     for n, u, v in made.shuffled(values)]
        else:
            metrics = metrics or made.shuffled(values)
            rows.append(dict(base, **{n: text(v) for n, u, v in values}))
    if long:
        return [made.table("ncu.csv", fixed + ["Metric Name", "Metric Unit", "Metric Value"], rows)]
    units = {name: unit for name, unit, value in metrics}
    return [made.table("ncu.csv", fixed + [n for n, u, v in metrics], [units] + rows)]


def nvprof(made, launch):
    rows = [("flop_count_dp", 2 * launch["fma"])]
    if launch["bytes"] is not None:
        rows += [("dram_read_transactions", launch["bytes"] // 64), ("dram_write_transactions", launch["bytes"] // 64)]
    kernel = launch["name"] + "(double*)"
    metrics = made.table("metrics.csv", ["Device", "Kernel", "Invocations", "Metric Name", "Metric Description", "Min", "Max", "Avg"],
                         [{"Device": "Tesla V100 (0)", "Kernel": kernel, "Invocations": 1, "Metric Name": n, "Min": v,
                           "Max": v, "Avg": v} for n, v in made.shuffled(rows)], "==1== Metric result:\n")
    return [metrics, nvprof_times(made, {kernel: launch["seconds"]})]


def nvprof_times(made, kernels):
    columns = ["Type", "Time(%)", "Time", "Calls", "Avg", "Min", "Max", "Name"]
    unit, scale = made.random.choice([("ms", 1e3), ("us", 1e6), ("s", 1)])
    units = {"Time(%)": "%", "Time": unit, "Avg": unit, "Min": unit, "Max": unit}
    rows = [{"Type": "GPU activities", "Time(%)": "90.0", "Time": f"{s * scale:.9f}", "Calls": 1, "Avg": f"{s * scale:.9f}",
             "Min": f"{s * scale:.9f}", "Max": f"{s * scale:.9f}", "Name": name} for name, s in kernels.items()]
    return made.table("times.csv", columns, [units] + rows, "==2== Profiling result:\n")


def rocprof(made, launches, long=None):
    long = made.random.random() < 0.5 if long is None else long
    rows = []
    for i, launch in enumerate(launches):
        counters = {"SQ_INSTS_VALU_ADD_F64": 0, "SQ_INSTS_VALU_MUL_F64": 0, "SQ_INSTS_VALU_FMA_F64": launch["fma"] // 64}
        if launch.get("total"):
            counters = {"TOTAL_64_OPS": 2 * launch["fma"]}
        if launch["bytes"] is not None:
            counters.update(FETCH_SIZE=launch["bytes"] // 2048, WRITE_SIZE=launch["bytes"] // 2048)
        begin = launch.get("begin", 1000000 * (i + 1))
        base = {"Correlation_Id": launch.get("id", i + 1), "Dispatch_Id": launch.get("id", i + 1),
                "Agent_Id": f"Agent {launch.get('device', 4)}", "Queue_Id": launch.get("stream", 1),
                "Process_Id": launch.get("process", 10), "Kernel_Name": launch["name"] + "(double*) [clone .kd]",
                "Start_Timestamp": begin, "End_Timestamp": begin + round(launch["seconds"] * 1e9)}
        if long:
            rows += [dict(base, Counter_Name=n, Counter_Value=v) for n, v in made.shuffled(counters.items())]
        else:
            rows.append(dict(base, **counters))
    columns = ["Correlation_Id", "Dispatch_Id", "Agent_Id", "Queue_Id", "Process_Id", "Kernel_Name"]
    columns = made.shuffled(columns + (["Counter_Name", "Counter_Value"] if long else list(counters)))
    return [made.table("counters.csv", columns + ["Start_Timestamp", "End_Timestamp"], rows, quoted=made.random.random() < 0.5)]


def launch_of(made, with_bytes=True):
    return {"name": made.name(), "seconds": made.random.choice([1e-4, 2.5e-4, 1e-3, 4e-3]),
            "fma": 64 * made.random.randrange(10**6, 10**8 // 64) if made.random.random() < 0.5 else 64 * 10**6,
            "bytes": 2048 * made.random.randrange(10**4, 10**5) if with_bytes else None}


def expected(launch):
    flops = 2 * launch["fma"]
    want = {"flops": flops, "time_median": launch["seconds"], "FLOP/s": flops / launch["seconds"]}
    if launch["bytes"] is None:
        return dict(want, AI_DRAM=None, bound=None, efficiency=None)
    roof = attainable(flops / launch["bytes"])
    return dict(want, AI_DRAM=flops / launch["bytes"], attainable=roof, efficiency=flops / launch["seconds"] / roof)


def bound_without_bytes(made, roofline):
    launch = launch_of(made, made.random.random() < 0.2)
    writer = made.random.choice(["ncu", "nvprof", "rocprof", "data", "csv"])
    if writer in ("data", "csv") and launch["bytes"] is not None:
        launch["bytes"] = None
    rate = 2 * launch["fma"] / launch["seconds"]
    if writer == "data":
        files = [made.write("d.txt", f"memroofs 2000\nmem_roof_names 'HBM'\ncomproofs 10000\ncomp_roof_names 'FP64 FMA'\n"
                                     f"GFLOPs {rate * 1e-9}\nlabels '{launch['name']}'\n")]
        outcome = run(convert(roofline, *files))
        want = {launch["name"]: {"FLOP/s": rate, "bound": None, "efficiency": None}}
    else:
        if writer == "csv":
            files = [made.table("e.csv", made.shuffled(["name", "flops", "time_median", "precision"]),
                                [{"name": launch["name"], "flops": 2 * launch["fma"], "time_median": launch["seconds"],
                                  "precision": "fp64"}], quoted=False)]
        else:
            files = {"ncu": lambda: ncu(made, [launch]), "nvprof": lambda: nvprof(made, launch),
                     "rocprof": lambda: rocprof(made, [launch])}[writer]()
        outcome = run(convert(roofline, *files, GPU))
        want = {launch["name"]: expected(launch)}
    wrong = judged(outcome, want)
    silent = launch["bytes"] is None and not is_refusal(outcome) and "needed" not in outcome.stderr
    return wrong or ("does not say what would be needed" if silent else "")


def set_in_a_cache(made, roofline):
    size = 10 ** made.random.uniform(4, 9.5)
    if 30e6 < size < 450e6:
        size = 1e9
    elements = int(size / 24)
    size = 24 * elements
    small = size < 1e8
    rate = made.random.uniform(50, 150) if not small else made.random.uniform(100, 900)
    shown = f"{rate * 1e3:.3f}"
    kind = made.random.choice(["babel", "babel no sizes", "babel csv", "stream", "likwid", "google", "google caches"])
    seconds = size / (rate * 1e9)
    if kind.startswith("google"):
        caches = [{"type": "Data", "level": 1, "size": 32768, "num_sharing": 1},
                  {"type": "Unified", "level": 2, "size": 1 << 20, "num_sharing": 1},
                  {"type": "Unified", "level": 3, "size": 40 << 20, "num_sharing": 16}] if "caches" in kind else \
            made.random.choice([None, []])
        file = made.google("gb.json", [(made.name() + "/real_time", seconds, rate * 1e9 / 12, rate * 1e9)], caches)
        outcome = run(convert(roofline, file, *GOOGLE, CPU))
        row = rows_of(outcome)[0] if outcome.returncode == 0 else {}
        said = "fit in" in outcome.stderr and "--level" in outcome.stderr
        right = is_refusal(outcome) or (said if small else not said and near(row["AI_DRAM"], 1 / 12))
        return "" if right else f"{kind}: {size:.3g} B: {row.get('bound')} {row.get('efficiency')}"
    mb = made.random.choice([("MB", 1e6), ("GB", 1e9), ("MiB", 2**20)]) if kind == "stream" else ("MB", 1e6)
    if kind == "babel csv":
        order = made.shuffled(["function", "n_elements", "sizeof", "max_mbytes_per_sec", "min_runtime", "num_times"])
        file = made.table("b.csv", order, [{"function": "Triad", "num_times": 100, "n_elements": elements, "sizeof": 8,
                                            "max_mbytes_per_sec": shown, "min_runtime": seconds}], quoted=False)
    elif kind == "likwid":
        text = f"LIKWID MICRO BENCHMARK\nTest: triad_{made.name()}\nTime:\t1.0 sec\nSize (Byte):\t{size}\nMByte/s:\t{shown}\n"
        file = made.write("l.txt", text)
    elif kind == "stream":
        text = (f"STREAM version $Revision: 5.10 $\nThis system uses 8 bytes per array element.\n"
                f"Array size = {elements} (elements), Offset = 0 (elements)\n"
                f"Memory per array = {size / 3 / mb[1]:.1f} {mb[0]}\nTotal memory required = {size / mb[1]:.1f} {mb[0]}\n"
                "Function    Best Rate MB/s  Avg time     Min time     Max time\n"
                f"Triad:      {shown}     {seconds:.6f}     {seconds:.6f}     {seconds:.6f}\n"
                "-----\nSolution Validates: avg error less than 1.0e-13 on all three arrays\n")
        file = made.write("s.txt", text)
    else:
        sizes = "" if "no" in kind else f"Precision: double\nArray size: {size / 3e6:.1f} MB\nTotal size: {size / 1e6:.1f} MB\n"
        digits = made.random.choice([5, 6])
        text = (f"BabelStream\nVersion: 5.0\n{sizes}Function    MBytes/sec  Min (sec)   Max         Average\n"
                f"Triad       {shown}  {seconds:.{digits}f}     {seconds:.{digits}f}     {seconds:.{digits}f}\n")
        file = made.write("b.txt", text)
    outcome = run(convert(roofline, str(DATA / "cpu_roofs.json"), f"--external-ceilings={file}", to="run"))
    if is_refusal(outcome):
        return ""
    if outcome.returncode != 0:
        return f"exit {outcome.returncode}"
    said = "cache" in outcome.stderr and "fit" in outcome.stderr
    got = list(opinions_of(outcome).values())
    if said != small or not near(got[0] if got else 0, rate):
        return f"{kind}: {size:.3g} B: said {said}, {got}"
    return ""


def identity(made, roofline):
    kind = made.random.choice(["ncu", "rocprof", "perf", "ncu appended", "rocprof appended"])
    first = launch_of(made)
    others = made.random.randrange(1, 4)
    if kind == "perf":
        event = made.random.choice(["umc_cas_cmd.rd", "instructions", "cache-misses"])
        line = lambda extra: json.dumps({"counter-value": "1000000.000000", "unit": "", "event": event, "event-runtime": 100,
                                         "pcnt-running": 100.0, **extra})
        text = "# started on Mon Mar  2 10:00:00 2026\n\n" + line({}) + "\n"
        for _ in range(others):
            text += made.random.choice(["", "# started on Mon Mar  2 10:00:09 2026\n\n"]) + line({}) + "\n"
        file = made.write("perf.json", text)
        outcome = run([str(pathlib.Path(roofline).parent / "roofline_bench"), "--device=cpu", f"--counters={file}",
                       "--ceilings=none", "--benchmark_filter=^$", f"--out={made.folder / 'out'}"])
        return "" if is_refusal(outcome) and "twice" in outcome.stderr else "two runs were added up, or not named"
    what = made.random.choice(["process", "device", "stream", "id"])
    launches = [dict(first, id=1, begin=10**6)]
    for i in range(others):
        launches.append(dict(first, id=1, begin=10**6 + 10**7 * (i + 1), seconds=first["seconds"] * made.random.choice([1, 2, 3])))
        launches[-1][what] = (20 if what == "process" else 50) + i
    writer = ncu if kind.startswith("ncu") else rocprof
    if kind.endswith("appended"):
        texts = []
        for i, launch in enumerate(launches):
            made.folder.joinpath(str(i)).mkdir(exist_ok=True)
            texts.append(pathlib.Path(writer(Made(made.random, made.folder / str(i)), [launch], True)[0]).read_text())
        files = [made.write("all.csv", "".join(texts))]
    else:
        files = writer(made, launches)
    outcome = run(convert(roofline, *files, GPU))
    if is_refusal(outcome):
        return ""
    rows = rows_of(outcome) if outcome.returncode == 0 else []
    times = [launch["seconds"] for launch in launches]
    good = rows and all(near(row["flops"], 2 * first["fma"]) and min(times) * 0.98 <= float(row["time_median"]) <=
                        max(times) * 1.02 for row in rows)
    if not good:
        return f"{kind}, {what}: " + "; ".join(f"{row['flops']} FLOP in {row['time_median']}" for row in rows)
    if what == "device" and len(rows) < len(launches) and "device" not in outcome.stderr:
        return f"{kind}: {len(rows)} rows for {len(launches)} devices"
    if sum(int(row["samples"]) for row in rows) != len(launches):
        return f"{kind}, {what}: {sum(int(row['samples']) for row in rows)} of {len(launches)} launches"
    return ""


STRANGE = ["TC", "Tensor", "FP16", "SP/DP", "INT8", "BF16", "Matrix FP16", "XDL", "FP16 Tensor", "MFMA", "TF32", "DP Tensor", "FP8",
           "AMX BF16", "mixed", "Half", "HMMA", "SP+DP"]


def roof_names(made, roofline):
    strange = made.random.choice(STRANGE + [made.name().upper()])
    roofs = made.shuffled([("FP64", 7000.0), ("FP32", 14000.0), (strange, made.random.choice([50000.0, 110000.0, 3000.0]))])
    ert = made.random.random() < 0.5
    if ert:
        file = made.write("roofline.json", json.dumps({"empirical": {
            "metadata": {"HOSTNAME": ["gpu01"]}, "gflops": {"data": [[f"{n} GFLOPs", r] for n, r in roofs]},
            "gbytes": {"data": [["L1", 14000.0], ["L2", 3000.0], ["DRAM", 830.0]]}}}))
    else:
        file = made.write("d.txt", "memroofs 14000 3000 830\nmem_roof_names 'L1' 'L2' 'HBM'\n"
                          f"comproofs {' '.join(str(r) for n, r in roofs)}\n"
                          f"comp_roof_names {' '.join(repr(n + made.random.choice(['', ' FMA'])) for n, r in roofs)}\n")
    points = made.google("gb.json", [("dgemm<double>/67108864/real_time", 1e-2, 5e12, 5e9)])
    to = made.random.choice(["ert", "data", "run"])
    back = made.folder / ("back.txt" if to == "data" else "back.json")
    written = run(convert(roofline, file, f"--out={back}", to=to))
    for roofs_of in (file, str(back)):
        outcome = run(convert(roofline, points, *GOOGLE, "--level=DRAM", f"--ceilings={roofs_of}"))
        wrong = judged(outcome, {"dgemm": {"attainable": 7000e9, "efficiency": 5 / 7}})
        if wrong:
            return f"{strange} of {pathlib.Path(roofs_of).name}: {wrong}"
    text = back.read_text()
    rate = [r for n, r in roofs if n == strange][0]
    word = strange.split()[0].replace("/", "")
    kept = str(int(rate)) in text and word.lower() in text.lower().replace("/", "").replace("\\", "")
    return "" if kept or strange in written.stderr else f"{strange} is lost in --to={to}"


FAILED = ["FAILED validation of sum: 12 (is) != 44 (should)", "Validation failed on sum. Error 1e-3",
          "Failed Validation on array a[], AvgRelAbsErr > epsilon", "Verification: FAILED", "Solution is INVALID",
          "Results are incorrect", "Checksum mismatch in array c", "Solution does not validate: not valid"]


def text_tables(made, roofline):
    tests = made.names(made.random.randrange(1, 8)) if made.random.random() < 0.5 else ["Copy", "Mul", "Add", "Triad", "Dot"]
    colon = made.random.choice(["", ":"])
    rate_column = made.random.choice(["MBytes/sec", "Best Rate MB/s", "Rate(MB/s)", "Rate (MB/s)", "MB/s", "GB/s"])
    scale = 1 if rate_column == "GB/s" else 1e3
    columns = ["Function", rate_column] + made.random.choice([[], ["Rate(MFlop/s)"], ["Std dev"]]) + \
        ["Min (sec)", "Max (sec)", "Average"]
    gap = made.random.choice(["  ", "    ", "\t"])
    lines = ["BabelStream" if made.random.random() < 0.5 else "STREAM version", "Precision: double", "Total size: 805.3 MB"]
    failed = made.random.random() < 0.3
    if failed:
        lines.append(made.random.choice(FAILED))
    lines.append(gap.join(columns))
    want = {}
    for test in tests:
        want[test] = made.random.uniform(20, 230)
        seconds = 0.8 / want[test]
        cells = [f"{test}{colon}", f"{want[test] * scale:.3f}"]
        cells += [made.random.choice(["-", "123.45"]) for _ in columns[2:-3]] + [f"{seconds:.5f}"] * 3
        lines.append(gap.join(cells))
    lines += made.random.choice([[], ["-" * 30], [""]])
    lines += made.random.choice([[], ["Solution Validates"], ["", "Command        Job    Nodes   Seconds", "====== ==== ==== ====",
                                 f"babel-omp  {made.random.randrange(10**6, 10**7)}        1      82.0"],
                                 [f"job {made.random.randrange(10**6)} ended"], ["", "real 12.3", "user 40.1"],
                                 ["", gap.join(["babel-omp", "1085195"] + ["1.5"] * (len(columns) - 2))]])
    file = made.write("t.txt", "\n".join(lines) + "\n")
    outcome = run(convert(roofline, str(DATA / "cpu_roofs.json"), f"--external-ceilings={file}", to="run"))
    if is_refusal(outcome):
        return "" if "is not a rate" not in outcome.stderr else "a rate is called none"
    got = opinions_of(outcome) if outcome.returncode == 0 else {}
    if failed and "validation" not in outcome.stderr:
        return "a failed validation is not told"
    right = got.keys() == want.keys() and all(near(got[name], want[name]) for name in want)
    return "" if right else f"{got} for {want}"


def own_metrics(made, roofline):
    launch = launch_of(made)
    kind = made.random.choice(["ncu", "rocprof", "nvprof"])
    if kind == "rocprof":
        files = rocprof(made, [dict(launch, total=made.random.random() < 0.5)])
    elif kind == "nvprof":
        unit, scale = made.random.choice([("GB/s", 1e9), ("MB/s", 1e6)])
        kernel, share = launch["name"] + "(double*)", made.random.uniform(0.1, 0.9)
        rate = launch["bytes"] / launch["seconds"]
        rows = [("flop_count_dp", str(2 * launch["fma"])), ("dram_read_throughput", f"{rate * share / scale:.6f}{unit}"),
                ("dram_write_throughput", f"{rate * (1 - share) / scale:.6f}{unit}")]
        files = [made.table("m.csv", made.shuffled(["Device", "Kernel", "Invocations", "Metric Name", "Min", "Max", "Avg"]),
                            [{"Device": "Tesla V100 (0)", "Kernel": kernel, "Invocations": 3, "Metric Name": n, "Min": v,
                              "Max": v, "Avg": v} for n, v in made.shuffled(rows)]),
                 nvprof_times(made, {kernel: launch["seconds"]})]
    else:
        clock = made.random.uniform(0.8, 1.9)
        per_cycle = launch["fma"] / (clock * 1e9 * launch["seconds"])
        rate = launch["bytes"] / launch["seconds"]
        unit, scale = made.random.choice([("Gbyte/s", 1e9), ("Tbyte/s", 1e12), ("Mbyte/s", 1e6)])
        derived = made.random.random() < 0.7
        fma = ("derived__smsp__sass_thread_inst_executed_op_dfma_pred_on_x2", "inst/cycle", 2 * per_cycle) if derived else \
            (SASS.format("fma") + ".per_cycle_elapsed", "inst/cycle", per_cycle)
        other = made.random.uniform(0, 0.3) * launch["fma"]
        launch["fma"] += other / 2
        metrics = made.shuffled([fma, (SASS.format("add") + ".per_cycle_elapsed", "inst/cycle", other / launch["seconds"] / clock / 1e9),
                                 (SASS.format("mul") + ".per_cycle_elapsed", "inst/cycle", 0.0),
                                 made.random.choice([("smsp__cycles_elapsed.avg.per_second", "Ghz", clock),
                                                     ("smsp__cycles_elapsed.avg.per_second", "Mhz", clock * 1e3)]),
                                 ("gpu__time_duration.sum", "us", launch["seconds"] * 1e6),
                                 ("dram__bytes.sum.per_second", unit, rate / scale)])
        fixed = {"ID": 0, "Process ID": 1, "Kernel Name": launch["name"] + "(double *)", "Device": 0, "CC": "8.0"}
        files = [made.table("n.csv", list(fixed) + [n for n, u, v in metrics],
                            [{n: u for n, u, v in metrics}, dict(fixed, **{n: f"{v:.9f}" for n, u, v in metrics})])]
    outcome = run(convert(roofline, *files, GPU))
    wrong = judged(outcome, {launch["name"]: expected(launch)})
    return f"{kind}: {wrong}" if wrong else ""


def labels(made, roofline):
    count = made.random.choice([1, 2, 3, 10, 40, 120, 300])
    long = made.random.choice([10, 60, 200, 400])
    word = lambda: "".join(made.random.choice("abcdefghij<>,: ") for _ in range(made.random.randrange(1, long)))
    rows = [(f"k{i}{word()}/{2 ** made.random.randrange(20, 28)}/real_time", 1e-3 * (i + 1), made.random.uniform(1e9, 9e10), 1e11)
            for i in range(count)]
    file = made.google("gb.json", rows, [])
    out = made.folder / "plot.svg"
    outcome = run([roofline, "plot", file, *GOOGLE, "--level=DRAM", CPU, "-o", str(out)])
    if outcome.returncode != 0:
        return "" if is_refusal(outcome) else f"exit {outcome.returncode}"
    svg = out.read_text()
    width, height = (float(n) for n in re.search(r'viewBox="0 0 ([0-9.]+) ([0-9.]+)"', svg).groups())
    frame = re.search(r'<rect[^>]*class="frame"[^>]*>', svg).group()
    frame = {key: float(value) for key, value in re.findall(r'(x|y|width|height)="(-?[0-9.]+)"', frame)}
    spots = [(float(x), float(y)) for x, y in re.findall(r'<circle cx="([0-9.]+)" cy="([0-9.]+)"', svg)]
    if frame["width"] < width / 3 or height > 4 * width or 'width="-' in svg:
        return f"{count} names of {long}: {width:.0f} x {height:.0f}, frame {frame['width']:.0f}"
    inside = sum(frame["x"] - 1 <= x <= frame["x"] + frame["width"] + 1 and
                 frame["y"] - 1 <= y <= frame["y"] + frame["height"] + 1 for x, y in spots)
    return "" if inside or len(spots) == 0 else "no point is in the frame"


ODD = ["< 0.001", "<0.1", "???", "overflow", "#DIV/0!", "n.a.", "not measured", "****", "1.2.3x"]
FOREIGN = [{"machine_info": {}, "benchmarks": [{"name": "t", "stats": {"mean": 1e-3}, "flops": 1e9, "bytes": 1e9}]},
           {"benchmarks": {"t": {"mean": 1.0}}}, {"roofline": {"points": [[1, 2]], "title": "x"}}, {"roofline": "x"},
           {"results": [{"command": "ls", "mean": 1.0}]}, {"empirical": 3.0}, {"empirical": {"rows": []}},
           {"benchmarks": [{"id": "a", "typical": {"estimate": 1.0}}]}, {"benchmarks": [3, 4]}, {"context": {}, "benchmarks": "x"}]


def odd_cells(made, roofline):
    kind = made.random.choice(["advisor", "babel", "google csv", "json", "pipe"])
    odd = made.random.choice(ODD)
    if kind == "json":
        outcome = run(convert(roofline, made.write("x.json", json.dumps(made.random.choice(FOREIGN))), *GOOGLE, CPU))
        return "" if is_refusal(outcome) and "real_time: no time" not in outcome.stderr else "is taken, or refused for a wrong reason"
    if kind == "pipe":
        file = made.google("gb.json", [("axpy/67108864/real_time", 1e-2, 1e10, 1.2e11)], [])
        command = convert(roofline, made.random.choice(["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]), *GOOGLE, CPU)
        outcome = run(command, pathlib.Path(file).read_text())
        wrong = outcome.returncode != 0 or wrong_rows(outcome, {"axpy": {"FLOP/s": 1e10}})
        return f"{command[2]}: {outcome.stderr}" if wrong else ""
    names = made.names(made.random.randrange(2, 6))
    bad = made.random.choice(names)
    if kind == "babel":
        rows = [{"function": n, "num_times": 100, "n_elements": 33554432, "sizeof": 8, "min_runtime": 0.004,
                 "max_mbytes_per_sec": odd if n == bad else "180000.5"} for n in names]
        file = made.table("b.csv", made.shuffled(rows[0]), rows, quoted=False)
        outcome = run(convert(roofline, str(DATA / "cpu_roofs.json"), f"--external-ceilings={file}", to="run"))
        got = opinions_of(outcome) if outcome.returncode == 0 else {}
        right = set(got) == set(names) - {bad} and odd in outcome.stderr
        return "" if right else f"{kind}: {odd}: {outcome.stderr[:100]}"
    if kind == "advisor":
        rows = [{"ID": i, "Function Call Sites and Loops": f"[loop in {n}]", "Self GFLOPS": odd if n == bad else "42.5",
                 "Self AI": "0.25", "Self GFLOP": odd if n == bad else "42.5"} for i, n in enumerate(names)]
        file = made.table("a.csv", made.shuffled(rows[0]), rows, quoted=made.random.random() < 0.5)
        outcome = run(convert(roofline, file, CPU))
        want = {n: {"FLOP/s": 42.5e9, "AI_L1": 0.25} for n in names if n != bad}
    else:
        rows = [{"name": n + "/real_time", "iterations": 10, "real_time": "10.5", "cpu_time": "10.5", "time_unit": "ms",
                 "flops": odd if n == bad else "1e10", "bytes": "1.2e11"} for n in names]
        file = made.table("g.csv", ["name"] + made.shuffled(list(rows[0])[1:]), rows, quoted=False)
        outcome = run(convert(roofline, file, *GOOGLE, CPU))
        want = {n: {"FLOP/s": 1e10} for n in names if n != bad}
    if outcome.returncode != 0 or wrong_rows(outcome, want) or odd not in outcome.stderr:
        return f"{kind}: {odd}: {outcome.stderr[:120]}"
    return ""


def lacking(made, roofline):
    """Of what a format requires one thing is not there."""
    if made.random.random() < 0.3:
        parts = {"gflops": {"data": [["FP64 GFLOPs", 7000.0]]}, "gbytes": {"data": [["L2", 3000.0], ["DRAM", 830.0]]}}
        gone = made.random.choice(list(parts))
        parts[gone] = made.random.choice([{}, {"data": []}])
        file = made.write("roofline.json", json.dumps({"empirical": dict(parts, metadata={})}))
        outcome = run(convert(roofline, made.google("g.json", [("d<double>/real_time", 1e-2, 1e10, 1e11)]), *GOOGLE,
                              "--level=DRAM", f"--ceilings={file}"))
        return "" if is_refusal(outcome) or gone in outcome.stderr else f"no {gone}: nothing is said"
    count = made.random.randrange(1, 5)
    numbers = lambda n: " ".join(f"{made.random.uniform(0.1, 9):.3f}" for _ in range(n))
    quoted = lambda names: " ".join(f"'{n}'" for n in names)
    lines = {"memroofs": "14000 3000 830", "mem_roof_names": "'L1' 'L2' 'HBM'", "comproofs": "7000", "comp_roof_names": "'FP64 FMA'",
             "AI": numbers(count), "FLOPS": numbers(count), "labels": quoted(made.names(count))}
    gone = made.random.choice(["memroofs", "comproofs", "AI", "FLOPS", "one roof", "one name", "one AI", "one label", "misspelt"])
    words = {"one roof": "memroofs", "one name": "mem_roof_names", "one AI": "AI", "one label": "labels", "misspelt": "AI"}
    if gone in lines:
        del lines[gone]
    elif gone == "misspelt":
        lines["AI_HMB"] = lines.pop("AI")
    else:
        key = words[gone]
        lines[key] = lines[key].rsplit(" ", 1)[0] if " " in lines[key] else ""
    file = made.write("d.txt", "".join(f"{key} {value}\n" for key, value in made.shuffled(lines.items())))
    outcome = run(convert(roofline, file))
    if is_refusal(outcome):
        return ""
    told = [line for line in outcome.stderr.splitlines() if "ordinal" not in line]
    bounds = {row["bound"] for row in rows_of(outcome)} - {""}
    silent = not told or (gone in ("memroofs", "AI", "misspelt") and bounds)
    return f"without {gone}: {bounds}, {outcome.stderr[:100]}" if silent else ""


def sizes(made, roofline):
    form = made.random.choice(["{}/n:{}", "{}/size:{}", "{}/{}", "{}_{}", "{}<{}>", "{}/N={}/real_time", "{}/elements:{}", "{}/{}/real_time"])
    kernels, platforms = made.names(made.random.randrange(1, 4)), made.names(made.random.randrange(2, 4))
    rows = [{"kernel": form.format(kernel, 2 ** (20 + i)), "platform": platform, "efficiency": f"{made.random.uniform(0.1, 1):.4f}"}
            for kernel in kernels for i, platform in enumerate(platforms)]
    file = made.table("e.csv", made.shuffled(["kernel", "platform", "efficiency"]), made.shuffled(rows), quoted=False)
    outcome = run([roofline, "portability", file])
    zero = [line for line in outcome.stdout.splitlines() if line.endswith(" 0.00")]
    said = "size" in outcome.stderr or "differ" in outcome.stderr
    return "" if is_refusal(outcome) or said or (outcome.returncode == 0 and not zero) else f"{form}: {zero[:1]}"


KINDS = {"1 bound without bytes": bound_without_bytes, "2 set in a cache": set_in_a_cache, "3 identity": identity,
         "4 roof names": roof_names, "5 text tables": text_tables, "6 own metrics": own_metrics, "7 labels": labels,
         "8 odd cells, pipes": odd_cells, "9 lacking": lacking, "11 sizes": sizes}


def trial(kind, make, roofline, seed):
    with tempfile.TemporaryDirectory() as folder:
        return make(Made(random.Random(f"{kind} {seed}"), folder), roofline)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("roofline")
    parser.add_argument("--trials", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", default="", help="part of its name")
    parser.add_argument("--show", type=int, default=5, help="wrong answers printed of each kind")
    arguments = parser.parse_args()
    roofline = str(pathlib.Path(arguments.roofline).absolute())
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for kind, make in KINDS.items():
            if arguments.kind not in kind:
                continue
            seeds = range(arguments.seed * 1000, arguments.seed * 1000 + arguments.trials)
            answers = list(pool.map(lambda seed: trial(kind, make, roofline, seed), seeds))
            failed = [(seed, answer) for seed, answer in zip(seeds, answers) if answer]
            for seed, answer in failed[:arguments.show]:
                print(f"{kind}, seed {seed}: {answer}", file=sys.stderr)
            print(f"{kind}: {len(answers)} files, {len(failed)} wrong")
            wrong += len(failed)
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
