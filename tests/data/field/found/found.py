"""Files written anew after public reports of these tools; names, paths and numbers are made up where they were personal.

Where the form was seen stands in SOURCES (issues and pull requests of GitHub), or what kind of public file at the case.
"""

CPU, GPU = "--ceilings=../cpu_roofs.json", "--ceilings=../gpu_roofs.json"
GOOGLE = "--flops=flops --bytes=bytes"

SOURCES = {
    "pmc_perf.csv": "ROCm/triton#757",
    "babel_text.txt": "UoB-HPC/BabelStream#54",
    "stream_single.txt": "JuliaSIMD/LoopVectorization.jl#226",
    "stream_in_cache.txt": "starslingdev/hpc-sandbox-benchmarks#111",
    "threads_1_9_1.json": "google/benchmark#2080",
    "threads_1_9_5.json": "google/benchmark#2117",
    "perf_french.csv": "apache/mesos#391, gz/autoperf#1",
    "own_lines.txt": "kokkos/kokkos#7924",
    "babel_device.txt": "alpaka-group/alpaka#1874",
    "babel_alpaka.txt": "alpaka-group/alpaka#2420",
    "babel_invalid.txt": "doe300/VC4CL#82",
    "nvprof_text.txt": "intel/llvm#2692",
    "gbench_console.txt": "google/benchmark#1749",
    "gbench_invalid.json": "google/benchmark#2039",
    "nvbench_table.txt": "NVIDIA/nvbench#115",
    "likwid_boxes.csv": "RRZE-HPC/likwid#262",
    "likwid_table.txt": "RRZE-HPC/likwid#142",
    "perf_interval.csv": "intel/perfmon#332",
}


def converted(files, *flags):
    return " ".join(["roofline convert", files, *flags, "--to=csv"])


def opinion(file):
    return f"roofline convert ../cpu_roofs.json --external-ceilings={file} --to=run"


def counted(file):
    return (f"roofline_bench --device=cpu --counters={file} --ceilings=none --stream=1000000 "
            "--benchmark_filter=stream/triad --out=OUT")


CASES = [
    # profiles of single-precision stencils on a K20: no counts of DRAM, no double precision
    ("found", converted("nvprof_single.csv", GPU),
     ("rows", {"stencil": {"flops": 673384360, "precision": "fp32", "AI_L1": 673384360 / (32 * (19998022 + 4209678)),
                           "AI_DRAM": None, "efficiency": None}}), ["no time of stencil"]),
    # nvprof before CUDA 9: no column Type, microseconds; the trace of each launch beside it
    ("found", converted("nvprof_single.csv nvprof_old_summary.csv", GPU),
     ("rows", {"stencil": {"time_median": 812.5e-6, "FLOP/s": 673384360 / 812.5e-6}}), []),
    ("found", converted("nvprof_single.csv nvprof_trace.csv", GPU),
     ("rows", {"stencil": {"time_median": 820e-6, "samples": 3}}), []),
    # ncu of a German Windows, few columns: counts with points, decimals with commas
    ("found", converted("ncu_few_columns.csv", GPU),
     ("rows", {"gemm_decode": {"flops": 2 * 1048576000, "precision": "fp32", "time_median": 98.3e-6,
                               "AI_DRAM": 2 * 1048576000 / 12.5e6}}), []),
    # Nsight Compute 2019: a column Kernel Time; CUDA 10 sectors, NERSC's first recipe
    ("found", converted("ncu_sectors.csv", GPU),
     ("rows", {"gpp_kernel": {"flops": 3e9, "time_median": 2e-3, "AI_DRAM": 3e9 / (32 * 3e6), "AI_L2": 3e9 / (32 * 2e7),
                              "AI_L1": 3e9 / (32 * 4.4e7)}}), []),
    # rates of the roofline section: per cycle and per second
    ("found", converted("ncu_section.csv", GPU),
     ("rows", {"chebyshev": {"flops": 2 * 1000 * 1.4e6, "time_median": 1e-3, "AI_DRAM": 2.8e9 / 1.0e9}}), []),
    # counters by dispatch
    ("found", converted("pmc_perf.csv", GPU),
     ("rows", {"attn_fwd": {"flops": 128 * 192512 + 64 * 4898176, "time_median": 327960e-9, "precision": "unknown",
                            "AI_DRAM": (128 * 192512 + 64 * 4898176) / (64 * 900000 + 32 * 100000 + 64 * 500000)}}),
     ["precision is not known"]),
    ("found", converted("pmc_perf.csv", "--ceilings=../19_one_thread_roofs/roofs.run.json"),
     ("rows", {"attn_fwd": {"precision": "unknown"}}), ["141.5 % of DRAM, which is impossible"]),
    ("found", converted("counter_collection.csv", GPU),
     ("rows", {"triad": {"flops": 128 * 1048576, "precision": "fp64", "time_median": 1e-3}}), []),
    # UoB-HPC/BabelStream in batch scripts: own columns behind, MiB, several sizes under one header
    ("found", opinion("babel_mebibytes.csv"),
     ("external", {"Copy": 150000 * 1.048576e-3, "Triad": 160000 * 1.048576e-3}), []),
    # BabelStream without --csv
    ("found", opinion("babel_text.txt"), ("external", {"Copy": 180.0, "Mul": 179.0, "Triad": 186.0}), []),
    # STREAM 5.10 with its whole preamble, which failed its own validation
    ("found", opinion("stream_single.txt"),
     ("external", {"Copy": 13.2, "Scale": 9.1, "Add": 10.4, "Triad": 10.5}), ["its own validation failed"]),
    # arrays that the last cache holds
    ("found", opinion("stream_in_cache.txt"), ("external", {"Copy (24 MB)": 310.0, "Triad (24 MB)": 330.0}),
     ["may fit in a cache", "times the roof of DRAM"]),
    # threads in 1.9.1 and 1.9.5, where times and rates are others
    ("found", converted("threads_1_9_1.json", GOOGLE, CPU),
     ("rows", {"axpy": {"FLOP/s": 8e9, "time_median": 1e-3, "flops": 8e6}}), []),
    ("found", converted("threads_1_9_5.json", GOOGLE, CPU),
     ("rows", {"axpy": {"FLOP/s": 8e9, "time_median": 1e-3, "flops": 8e6}}), []),
    # the console of a program and its CSV in one file
    ("found", converted("console_and.csv", "--flops=GFLOPS --bytes=bytes_per_second", CPU),
     ("rows", {"dgemm/512": {"FLOP/s": 500e9, "flops": 268435456, "AI_DRAM": 50, "precision": "fp64"}}), []),
    # champ-hub/carm-roofline: GB/s in pairs of columns, 0 where nothing was measured
    ("found", opinion("carm.csv"), ("external", {"L1": 1400, "L2": 900, "L3": 300, "DRAM": 60, "no-FMA": 130}), []),
    # ROCm/rocprofiler-compute: roofline.csv
    ("found", opinion("rocprof.csv"),
     ("external", {"HBMBw": 1406.8727, "L2Bw": 4980.5576, "FP64 FMA": 20438.549}), []),
    # RRZE-HPC/likwid: likwid-bench; NVIDIA/nvbench: --json
    ("found", opinion("likwid_bench.txt"), ("external", {"triad_avx512": 50.0005}), []),
    ("found", opinion("nvbench.json"), ("external", {"copy": 4100}), []),
    # the Empirical Roofline Toolkit's example, its addresses left out
    ("found", "roofline convert roofline.json --to=run",
     ("ceilings", {"FP64 FMA": 355.79, "L1": 1723.23, "L2": 1075.56, "L3": 669.08, "DRAM": 83.0}), ["ordinal"]),
    # NERSC's talks: data.txt of a hierarchical Roofline
    ("found", "roofline convert data.txt --to=run",
     ("ceilings", {"L1": 14336, "L2": 2996.8, "HBM": 828.758, "FMA": 7068.86, "No-FMA": 3535.79}), []),
    ("found", converted("data.txt"),
     ("rows", {"Kernel": {"FLOP/s": 2085.756683e9, "AI_L1": 0.87, "AI_L2": 2.25, "AI_DRAM": 2.58, "efficiency": 0.9755}}),
     []),
    # a spreadsheet in German: semicolons, decimal commas, percent signs
    ("found", "roofline portability eff_german.csv", ("phi", {"gemm": 61.54, "lbm": 75.0}), []),
    # p3 analysis library with percentages in a column of that name and another order of columns
    ("found", "roofline portability p3_order.csv", ("phi", {"cloverleaf": 60.0}), []),
    ("found", "roofline portability p3_fom.csv", ("refused", ["app eff", "figures of merit"]), []),
    # perf stat -x in French
    ("found", counted("perf_french.csv"), ("refused", ["perf_french.csv:2", "LC_ALL=C"]), []),
    ("found", converted("hyperfine.json"), ("refused", ["hyperfine", "perf stat"]), []),
    # a program's own lines
    ("found", converted("own_lines.txt"), ("refused", ["no format that is known", "ncu --csv", "nvprof", "data.txt"]), []),
    ("found", "roofline convert nothing_of_both.txt --to=csv", ("refused", ["nothing_of_both.txt"]), []),
    # BabelStream 4 with its device in a line of its own; alpaka's own columns, in GB/s
    ("found", opinion("babel_device.txt"),
     ("external", {"Copy": 180.1, "Mul": 179.2, "Add": 185.3, "Triad": 186.4, "Dot": 192.5}), []),
    ("found", opinion("babel_alpaka.txt"), ("refused", ["babel_alpaka.txt", "BabelStream", "STREAM"]), []),
    # rates of a run whose sums were wrong
    ("found", opinion("babel_invalid.txt"),
     ("external", {"Copy": 0.0151, "Mul": 0.0272, "Add": 0.0393, "Triad": 0.0394, "Dot": 0.0805}),
     ["babel_invalid.txt:9", "its own validation failed"]),
    # nvprof's text, prefixes of units that change within a row
    ("found", converted("nvprof_text.txt", GPU), ("refused", ["nvprof_text.txt", "nvprof --csv"]), []),
    # the console's lines alone; JSON that is broken because several threads wrote it
    ("found", converted("gbench_console.txt", GOOGLE), ("refused", ["gbench_console.txt", "Google Benchmark's JSON"]), []),
    ("found", converted("gbench_invalid.json", GOOGLE), ("refused", ["gbench_invalid.json:33", "not JSON"]), []),
    # nvbench's table for people
    ("found", opinion("nvbench_table.txt"), ("refused", ["nvbench_table.txt", "nvbench"]), []),
    # channels that are not there count 1.88e19; LIKWID's table for people, dashes in it
    ("found", counted("likwid_boxes.csv"), ("refused", ["likwid_boxes.csv:14", "CAS_COUNT_RD", "64-bit"]), []),
    ("found", counted("likwid_table.txt"), ("refused", ["likwid_table.txt", "likwid-perfctr -O"]), []),
    # perf stat -I --per-socket, whose lines begin with a time
    ("found", counted("perf_interval.csv"), ("refused", ["perf_interval.csv", "perf stat -x", "without -I"]), []),
]
