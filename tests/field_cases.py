"""The cases of field.py: a folder below data/field, a command there, what must come of it, and words of standard error."""

import pathlib

DATA = pathlib.Path(__file__).parent / "data" / "field"
CPU, GPU = "--ceilings=../cpu_roofs.json", "--ceilings=../gpu_roofs.json"
GOOGLE = "--flops=flops --bytes=bytes"


def converted(files, *flags):
    return " ".join(["roofline convert", files, *flags, "--to=csv"])


def rows(**by_name):
    """Points by a part of their name, each {column: value}; None: the column is empty. No other rows."""
    return ("rows", by_name)


def external(**rates):
    return ("external", rates)


def ceilings(**rates):
    return ("ceilings", rates)


def phi(**values):
    return ("phi", values)


def refused(*words):
    return ("refused", words)


def opinion(file):
    return f"roofline convert ../cpu_roofs.json --external-ceilings={file} --to=run"


def measure(counters):
    return (f"roofline_bench --device=cpu --counters={counters} --ceilings=none "
            "--benchmark_filter='^stream/triad/n:1000000$' --stream=1000000 --out=OUT")


AXPY = {"FLOP/s": 13.42e9, "AI_DRAM": 0.08333}

# folder, command, what must come of it, words that standard error must have
CASES = [
    ("01_nvprof_csv", converted("metrics.csv summary.csv", GPU),
     rows(jacobi_step={"flops": 805306368, "AI_DRAM": 0.375, "AI_L2": 0.1875, "time_median": 4e-3, "FLOP/s": 201.3e9,
                       "efficiency": 0.268, "precision": "fp64"}), []),
    ("01_nvprof_csv", converted("metrics.csv", GPU),
     rows(jacobi_step={"flops": 805306368, "AI_DRAM": 0.375, "efficiency": None}), ["no time of jacobi_step"]),
    ("01_nvprof_csv", converted("summary.csv", GPU), refused("only times of", "jacobi_step"), []),
    ("02_ncu_own_kernels", converted("ncu.csv", GPU),
     rows(heat_step={"flops": 2e8, "AI_DRAM": 1.25, "AI_L2": 0.78125, "FLOP/s": 160e9, "bound": "DRAM",
                     "efficiency": 0.064},
          dot_partial={"flops": 68157440, "AI_DRAM": 0.12695, "FLOP/s": 170.4e9}), []),
    ("02_ncu_own_kernels", "roofline plot ncu.csv " + GPU + " -o OUT/ncu.svg", ("svg", ["heat_step", "dot_partial"]), []),
    ("03_ncu_nersc_metrics", converted("ncu.csv", GPU),
     rows(sigma_gpp={"flops": 2e9, "time_median": 1e-3, "FLOP/s": 2000e9, "AI_DRAM": 1.25, "AI_L2": 0.625,
                     "AI_L1": 0.3125, "efficiency": 0.8, "bound": "DRAM"}), []),
    ("04_ncu_german_numbers", converted("ncu.csv", GPU),
     rows(axpy={"flops": 2468000, "time_median": 9.216e-6, "AI_DRAM": 0.0837}), []),
    ("04_ncu_german_numbers", converted("small.csv", GPU),
     rows(axpy={"flops": 1024000, "time_median": 9.216e-6, "AI_DRAM": 2.778}), []),
    ("05_ncu_two_launches", converted("ncu.csv", GPU),
     rows(smooth={"flops": 2e8, "time_median": 110e-6, "AI_DRAM": 0.5, "samples": 2}), []),
    ("06_babelstream_preamble", "roofline convert ../cpu_roofs.json --external-ceilings=babel.csv --to=run",
     external(Copy=190.5, Mul=190.0, Add=197.0, Triad=198.0, Dot=199.0), []),
    ("07_babelstream_phases", "roofline convert ../cpu_roofs.json --external-ceilings=babel.csv --to=run",
     external(Copy=180.0, Mul=179.0, Add=185.0, Triad=186.0, Dot=192.0), []),
    ("08_babelstream_triad_only", "roofline convert ../cpu_roofs.json --external-ceilings=babel.csv --to=run",
     external(Triad=187.5), []),
    ("09_gbench_float", converted("gb.json", GOOGLE, CPU),
     rows(**{"gemm<float>": {"FLOP/s": 1500e9, "AI_DRAM": 64, "attainable": 2000e9, "efficiency": 0.75},
             "gemm<double>": {"attainable": 1000e9, "efficiency": 0.7}}), ["precision taken from the name"]),
    ("10_ncu_single_precision", converted("ncu.csv", GPU),
     rows(sgemm_tile={"flops": 4e9, "FLOP/s": 16000e9, "AI_DRAM": 40, "attainable": 20000e9, "efficiency": 0.8}), []),
    ("11_gbench_in_cache", converted("gb.json", GOOGLE, CPU),
     rows(**{"daxpy/1024/": {"AI_L1": 0.08333, "efficiency": 0.375, "bound": "L1"},
             "daxpy/67108864": {"AI_DRAM": 0.08333, "efficiency": 0.75}}), ["daxpy/1024", "--level"]),
    ("12_babelstream_in_cache", "roofline convert ../cpu_roofs.json --external-ceilings=babel.csv --to=run",
     external(**{"Copy (2.4 MB)": 740, "Triad (2.4 MB)": 745}), ["may fit in a cache"]),
    ("13_byte_order_mark", converted("gb.json", GOOGLE, CPU), rows(axpy=AXPY), []),
    ("13_byte_order_mark", "roofline portability eff.csv", phi(gemm=61.54), []),
    ("13_byte_order_mark", converted("ncu.csv", GPU), rows(axpy={"flops": 2468000}), []),
    ("14_cut_short", "roofline portability eff.csv", refused("eff.csv:4", "cut short"), []),
    ("14_cut_short", "roofline portability whole.csv", phi(gemm=60.0), []),
    ("15_aggregates_only", converted("gb.json", GOOGLE, CPU),
     rows(axpy={"time_median": 10e-3, "FLOP/s": 13.42e9}, scale={"FLOP/s": 8.4e9}), ["scale", "only its mean"]),
    ("16_rows_with_errors", converted("gb.json", GOOGLE, CPU), rows(axpy=AXPY),
     ["gather/1024", "no device", "spmv/1024", "matrix not found"]),
    ("17_same_name_twice", converted("gb.json", GOOGLE, CPU),
     rows(**{"BM_copy/real_time": {"FLOP/s": 10e9}, "BM_copy/real_time #2": {"FLOP/s": 2.5e9}}), ["twice"]),
    ("18_threads_until_1_8", converted("gb.json", GOOGLE, "--per-iteration", CPU),
     rows(axpy={"FLOP/s": 8e9, "time_median": 1e-3, "flops": 8e6}), []),
    ("19_one_thread_roofs", converted("gb.json", GOOGLE, "--ceilings=roofs.run.json"),
     rows(**{"real_time/threads:1": {"attainable": 1.667e9, "efficiency": 0.75, "threads": 1},
             "real_time/threads:16": {"attainable": 16.67e9, "efficiency": 0.9, "threads": 16}}), []),
    ("20_rates_of_cpu_time", converted("gb.json", GOOGLE, CPU),
     rows(gemm={"FLOP/s": 214.7e9, "flops": 2147483648, "time_median": 10e-3}), []),
    ("21_big_o_rows", converted("new.json", GOOGLE, CPU), rows(fft={"FLOP/s": 5.24e9}), []),
    ("21_big_o_rows", converted("old.json", GOOGLE, CPU), rows(fft={"FLOP/s": 5.24e9}), []),
    ("22_p3_round_trip", "roofline portability eff.csv --p3=OUT/p3.csv", phi(gemm=61.54, lbm=75.0), []),
    ("22_p3_round_trip", "roofline portability OUT/p3.csv", phi(gemm=61.54, lbm=75.0), []),
    ("23_p3_efficiencies", "roofline portability p3.csv", phi(**{"heat/Kokkos": 60.0, "heat/OpenMP": 0}), []),
    ("24_percent_without_sign", "roofline portability eff.csv", refused("eff.csv:2", "'80'", "80 %"), []),
    ("25_sizes_of_their_own", "roofline portability eff.csv", phi(**{"stream/triad": 80.0}), ["sizes that differ"]),
    ("30_gbench_csv", converted("gb.csv", GOOGLE, CPU), rows(axpy=dict(AXPY, time_median=10e-3)), []),
    ("31_utf16_json", converted("gb.json", GOOGLE, CPU), rows(axpy=AXPY), []),
    ("32_counter_in_giga", converted("gb.json", "--flops=GFLOP/s", "'--bytes=FOM: GB/s'", CPU),
     rows(StreamTriad={"FLOP/s": 22.23e9, "AI_DRAM": 0.08333}), []),
    ("33_perf_locale", measure("perf.json"), refused("perf.json:1", "2147483648,000000"), []),
    ("34_likwid_nan", measure("likwid.csv"), refused("nothing was counted"), ["CAS_CMD_RD", "nan"]),
    ("35_old_aggregates", converted("gb.json", GOOGLE, CPU), rows(axpy={"FLOP/s": 13.42e9, "samples": 3}), []),
    ("36_advisor_csv", converted("survey.csv", CPU),
     rows(**{"loop in step": {"FLOP/s": 42.5e9, "AI_L1": 0.25}, "loop in init": {"FLOP/s": 0.5e9}}),
     ["Advisor", "--level"]),
    ("37_stream_text", "roofline convert ../cpu_roofs.json --external-ceilings=stream.txt --to=run",
     external(Copy=98.5, Scale=97.2, Add=109.9, Triad=110.0), []),
    ("38_babelstream_job_report", opinion("babel.out"), external(Copy=235.0, Triad=245.0), []),
    ("39_babelstream_time_of_zero", opinion("babel.txt"), external(**{"Copy (2.4 MB)": 740, "Triad (2.4 MB)": 745}),
     ["2.4 MB", "may fit in a cache", "--level"]),
    ("40_ncu_roofline_set", converted("ncu.csv", GPU),
     rows(step={"FLOP/s": 240e9, "time_median": 1e-3, "flops": 2.4e8, "AI_DRAM": 0.3, "attainable": 600e9,
                "efficiency": 0.4}), []),
    ("41_ncu_two_devices", converted("ncu.csv", GPU),
     rows(**{"step on device 0": {"FLOP/s": 2000e9, "flops": 2e8}, "step on device 1": {"FLOP/s": 666.7e9}}), []),
    ("42_rocprof_fetch_size", converted("results.csv", GPU),
     rows(triad={"flops": 1.28e8, "time_median": 1e-3, "AI_DRAM": 0.3179, "bound": "DRAM", "attainable": 635.8e9,
                 "efficiency": 0.2013}), []),
    ("43_rocprofv3_two_ranks", converted("counter_collection.csv", GPU),
     rows(**{"triad on Agent 4": {"flops": 1.28e8, "time_median": 1e-3},
             "triad on Agent 5": {"flops": 1.28e8, "time_median": 2e-3}}), []),
    ("44_long_kernel_name", f"roofline plot gb.json {GOOGLE} --precision=fp64 {CPU} -o OUT/plot.svg",
     ("picture", 2), []),
    ("45_hundreds_of_kernels", "roofline plot data.txt -o OUT/plot.svg", ("picture", 300), []),
    ("46_advisor_less_than", converted("survey.csv", CPU),
     rows(**{"loop in step": {"FLOP/s": 42.5e9, "AI_L1": 0.25}}), ["survey.csv:3", "< 0.001", "loop in init"]),
    ("47_files_of_one_name", converted("before/gb.json after/gb.json", GOOGLE, "--precision=fp64", CPU),
     rows(before={"FLOP/s": 10e9}, after={"FLOP/s": 20e9}), []),
    ("48_ert_tensor_row", converted("gb.json", GOOGLE, "--level=DRAM --ceilings=roofline.json"),
     rows(dgemm={"attainable": 7000e9, "efficiency": 0.714}), ["TC FMA", "not known"]),
    ("48_ert_tensor_row", "roofline convert roofline.json --to=ert",
     ("text", ['"FP64 GFLOPs",\n          7000.0', '"TC GFLOPs",\n          110000.0']), []),
    ("49_from_a_pipe", "sh -c 'cat gb.json | roofline " + converted("/dev/stdin", GOOGLE, CPU)[9:] + "'",
     rows(axpy={"FLOP/s": 10e9, "AI_DRAM": 0.08333}), []),
    ("49_from_a_pipe", "bash -c 'roofline " + converted("<(cat gb.json)", GOOGLE, CPU)[9:] + "'",
     rows(axpy={"FLOP/s": 10e9, "AI_DRAM": 0.08333}), []),
    ("49_from_a_pipe", "sh -c 'cat gb.json | roofline " + converted("-", GOOGLE, CPU)[9:] + "'",
     rows(axpy={"FLOP/s": 10e9, "AI_DRAM": 0.08333}), []),
    ("50_perf_appended", measure("perf.json"), refused("perf.json:8", "umc_cas_cmd.rd", "two runs"), []),
    ("51_bandwidth_benchmark", opinion("tbb.txt"),
     external(Init=22.1, Sum=46.8, Copy=31.0, Update=43.8, Triad=34.5, Daxpy=45.9, STriad=37.5, SDaxpy=46.8), []),
    ("52_babelstream_validation", opinion("babel.txt"), external(Copy=180, Triad=186, Dot=992),
     ["babel.txt:9", "validation failed", "times the roof of DRAM"]),
    ("53_nvprof_throughput", converted("metrics.csv summary.csv", GPU),
     rows(step={"flops": 2e8, "time_median": 1e-3, "FLOP/s": 200e9, "AI_DRAM": 0.25, "bound": "DRAM",
                "attainable": 500e9, "efficiency": 0.4}), []),
    ("54_gbench_no_caches", converted("gb.json", GOOGLE, "--precision=fp64", CPU),
     rows(**{"daxpy/1024/": {"AI_DRAM": 0.08333}, "daxpy/67108864": {"AI_DRAM": 0.08333}}),
     ["daxpy/1024/real_time (24576 B)", "caches", "--level"]),
    # STREAM's triad as NERSC's documentation has it: AI 0.0825 of DRAM and 0.0802 of L1.
    ("55_sde_vtune", converted("sde.txt events.csv", CPU),
     rows(program={"flops": 4000000400, "bytes_DRAM": 48511113024, "bytes_L1": 49869806228, "AI_DRAM": 0.0825,
                   "AI_L1": 0.0802, "precision": "fp64", "efficiency": None}), ["no time of program"]),
    ("55_sde_vtune", converted("events.csv sde.txt", CPU),
     rows(program={"flops": 4000000400, "AI_DRAM": 0.0825}), ["no time of program"]),
    # GPP on a KNL: the totals are published, how they are made up is not. 23.9 % of 2390.1 GFLOP/s.
    ("56_sde_vtune_knl", converted("sde.txt summary.txt", CPU),
     rows(program={"flops": 5839811000000, "bytes_DRAM": 594562e6, "bytes_L1": 3795623e6, "time_median": 10.2243,
                   "FLOP/s": 571.17e9, "AI_DRAM": 9.822, "AI_L1": 1.5386}), ["MCDRAM", "7.35e+08 B", "masks"]),
    ("56_sde_vtune_knl", "roofline plot sde.txt summary.txt " + CPU + " -o OUT/ncu.svg", ("svg", ["program"]), []),
]
# Files of the same tools in public reports, written anew.
FOUND = DATA / "found"
