"""Kinds of profiles: bounds without bytes (1), identity (3), the tools' own metrics (6)."""

import json
import pathlib

from field_kinds.profilers import SASS, expected, launch_of, ncu, nvprof, nvprof_times, rocprof
from made_up_files import CPU, DATA, GOOGLE, GPU, Made, convert, is_refusal, judged, near, rows_of, run


def bound_without_bytes(made, roofline):
    launch = launch_of(made, made.random.random() < 0.2)
    writer = made.random.choice(["ncu", "nvprof", "rocprof", "data", "csv", "nearer"])
    if writer == "nearer":
        file = ncu(made, [dict(launch, bytes=None, more=[("lts__t_bytes.sum", "Mbyte", 10.0)])])[0]
        outcome = run(convert(roofline, file, GPU))
        return "" if "bytes of DRAM are not known" in outcome.stderr else "judged by L2 alone, without a word"
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


def identity(made, roofline):
    kind = made.random.choice(["ncu", "rocprof", "perf", "ncu appended", "rocprof appended", "nvprof appended", "bytes",
                               "advisor", "google"])
    if kind in ("nvprof appended", "bytes", "advisor", "google"):
        return listed_twice(made, roofline, kind)
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


def listed_twice(made, roofline, kind):
    """One name for what differs: runs of nvprof, bytes of launches, loops of a line, repetitions."""
    launch = launch_of(made)
    other = dict(launch, bytes=launch["bytes"] * made.random.choice([3, 10]))
    if kind == "nvprof appended":
        metrics, times = nvprof(made, launch)
        first = pathlib.Path(metrics).read_text()
        file = made.write("all.csv", first + pathlib.Path(nvprof(made, other)[0]).read_text())
        outcome = run(convert(roofline, file, times, GPU))
        return "" if is_refusal(outcome) or "runs" in outcome.stderr else "two runs of nvprof are averaged"
    if kind == "bytes":
        outcome = run(convert(roofline, *ncu(made, [dict(launch, id=1), dict(other, id=2)]), GPU))
        said = is_refusal(outcome) or "differ" in outcome.stderr or len(rows_of(outcome)) == 2
        return "" if said else "bytes of two launches are averaged"
    if kind == "advisor":
        rows = [{"ID": i, "Function Call Sites and Loops": "[loop in step at a.cpp:1]", "Self GFLOPS": 42.5 * i, "Self AI": 0.25,
                 "Self GFLOP": 85.0} for i in (1, 2)]
        outcome = run(convert(roofline, made.table("a.csv", made.shuffled(rows[0]), rows), CPU))
        return "" if is_refusal(outcome) or len(rows_of(outcome)) == 2 else "two loops of a line are averaged"
    name = made.name() + "<double>/real_time"
    file = made.google("g.json", [(name, 1e-2, 1e10, 1.2e11), (name, 2e-2, 1e10, 1.2e11)])
    document = json.loads(pathlib.Path(file).read_text())
    for row, index in zip(document["benchmarks"], made.random.choice([[0, 0], [0, 1], [None, None]])):
        row.update({} if index is None else {"repetition_index": index})
    times = made.random.choice([None, 0])
    document["benchmarks"][1].update({} if times is None else {"family_index": 7})
    outcome = run(convert(roofline, made.write("g.json", json.dumps(document)), *GOOGLE, CPU))
    rows = rows_of(outcome) if outcome.returncode == 0 else []
    right = is_refusal(outcome) or sum(int(row["samples"]) for row in rows) == 2
    return "" if right and (len(rows) < 2 or "twice" in outcome.stderr) else f"{len(rows)} rows"


TENSORS = ["sm__inst_executed_pipe_tensor_op_hmma.sum", "sm__inst_executed_pipe_tensor.sum", "smsp__inst_executed_pipe_tensor_op_dmma.sum",
           "sm__ops_path_tensor_src_fp16_dst_fp32.sum", "sm__inst_executed_pipe_tensor_op_imma.avg.pct_of_peak_sustained_active",
           "sm__pipe_tensor_op_hmma_cycles_active.avg.pct_of_peak_sustained_elapsed", "sm__inst_executed_pipe_tensor_op_gmma.sum"]
MATRICES = ["SQ_INSTS_VALU_MFMA_MOPS_BF16", "SQ_INSTS_VALU_MFMA_MOPS_F16", "SQ_INSTS_VALU_MFMA_MOPS_F8", "SQ_INSTS_MFMA",
            "SQ_INSTS_VALU_MFMA_F64", "SQ_INSTS_VALU_MFMA_MOPS_XF32", "SQ_INSTS_VALU_MFMA_MOPS_I8"]


def own_metrics(made, roofline):
    launch = launch_of(made)
    kind = made.random.choice(["ncu", "rocprof", "nvprof", "matrices"])
    if kind == "matrices":
        if made.random.random() < 0.5:
            metric = made.random.choice(TENSORS)
            unit = "%" if "pct" in metric else made.random.choice(["inst", ""]) if "ops" in metric else "inst"
            files = ncu(made, [dict(launch, more=[(metric, unit, float(made.random.randrange(1, 90)))])])
        else:
            files = rocprof(made, [dict(launch, more={made.random.choice(MATRICES): made.random.randrange(1, 10**6)})])
        outcome = run(convert(roofline, *files, GPU))
        said = is_refusal(outcome) or (outcome.returncode == 0 and ("tensor" in outcome.stderr or "matri" in outcome.stderr))
        return "" if said else f"matrices are not told: {outcome.stderr[:100]}"
    if kind == "rocprof":
        files = rocprof(made, [dict(launch, total=made.random.random() < 0.5)])
    elif kind == "nvprof":
        unit, scale = made.random.choice([("GB/s", 1e9), ("MB/s", 1e6)])
        kernel, share = launch["name"] + "(double*)", made.random.uniform(0.1, 0.9)
        rate = launch["bytes"] / launch["seconds"]
        bytes_of = [("dram_read_throughput", f"{rate * share / scale:.6f}{unit}"),
                    ("dram_write_throughput", f"{rate * (1 - share) / scale:.6f}{unit}")]
        if made.random.random() < 0.4:
            bytes_of = [("dram_read_bytes", str(launch["bytes"] // 2)), ("dram_write_bytes", str(launch["bytes"] // 2))]
        rows = [("flop_count_dp", str(2 * launch["fma"]))] + bytes_of
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
