"""Launches as ncu, nvprof and rocprof write them."""

from made_up_files import DATA  # noqa: F401

PEAK, BANDWIDTH = 10000e9, 2000e9  # of gpu_roofs.json, FP64 and DRAM
SASS = "smsp__sass_thread_inst_executed_op_d{}_pred_on.sum"


def attainable(intensity):
    return min(PEAK, BANDWIDTH * intensity)


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
        values += launch.get("more", [])
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
        counters.update(launch.get("more", {}))
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
