"""roofline_bench as an application of Ramble and benchpark: into applications/roofline/ of a repository, then
`ramble info roofline`. One process a node; each writes {experiment_run_dir}/runs/NODE/run.json, or runs/run.json where
there is one node. The figures are those of rank 0; give {experiment_run_dir}/runs to `roofline cluster` for the others.
"""

from ramble.appkit import *


class Roofline(ExecutableApplication):
    """Roofs of a node, and how close verified kernels come to them."""

    name = "roofline"

    tags("memory-bandwidth", "compute", "node-health")

    executable("bench", "roofline_bench {flags} --out={experiment_run_dir}/runs", use_mpi=True)

    workload("quick", executables=["bench"])
    workload("standard", executables=["bench"])
    workload_variable("flags", default="--quick", description="flags of roofline_bench", workloads=["quick"])
    workload_variable("flags", default="--ranks=auto", description="flags of roofline_bench", workloads=["standard"])

    # Rank 0 prints: "  GB/s      L1 1157 (triad)   L2 823 (write)   L3 316 (write)   DRAM 116 (copy)"
    log = "{experiment_run_dir}/{experiment_name}.out"
    number = r"[0-9.]+(?:e[+-]?[0-9]+)?"
    figure_of_merit(
        "FP64 FMA",
        log_file=log,
        fom_regex=r"\s+GFLOP/s\s+FP64 FMA (?P<fma>" + number + r")\b.*",
        group_name="fma",
        units="GFLOP/s",
    )
    for level in ("L1", "L2", "L3", "DRAM"):
        figure_of_merit(
            level,
            log_file=log,
            fom_regex=r"\s+GB/s\b.*\b" + level + r" (?P<rate>" + number + r") \(.*",
            group_name="rate",
            units="GB/s",
        )
    del level

    success_criteria("has_roofs", mode="string", match=r"Roofs\b.*", file=log)
