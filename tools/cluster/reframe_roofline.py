"""roofline_bench as a test of ReFrame (https://reframe-hpc.readthedocs.io): its checks are the sanity, its ceilings and
rows the figures.

  reframe -c tools/cluster/reframe_roofline.py -r                        one run
  reframe -c tools/cluster/reframe_roofline.py -r --distribute=all       one on each node
  reframe -c ... -S reference_run=good/run.json -S tolerance=0.05 -r     figures must be within 5 % of those of a run

The verdict over nodes is not ReFrame's, which judges each test alone: give the folders of all runs to
`roofline cluster`. Reading run.json does not need ReFrame: `python3 reframe_roofline.py run.json` prints the figures.
"""

import json
import os
import sys


def figures(path):
    """Figures of a run.json: {name: (value, unit)}. Rates of ceilings and of kernels by the name of their row; of a
    kernel GFLOP/s, or GB/s of DRAM where it has no FLOPs. Rows without a result are left out; of repetitions the median
    counts. Raises ValueError with one line on a file that is not a run.json."""
    try:
        with open(path, encoding="utf-8") as file:
            rows = json.load(file)["benchmarks"]
        found, repeated = {}, {}
        for row in rows:
            if row.get("error_occurred") or row.get("skipped") or row.get("run_type") == "aggregate":
                continue
            name = row.get("run_name", row["name"])
            if row.get("FLOP/s"):
                value, unit = row["FLOP/s"] / 1e9, "GFLOP/s"
            elif row.get("B/s"):
                value, unit = row["B/s"] / 1e9, "GB/s"
            elif row.get("bytes_DRAM") and row.get("time_median"):
                value, unit = row["bytes_DRAM"] / row["time_median"] / 1e9, "GB/s"
            else:
                continue
            repeated.setdefault(name, []).append(value)
            found[name] = (sorted(repeated[name])[len(repeated[name]) // 2], unit)
        return found
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{path}: not a run.json of roofline_bench: {error}") from error


try:
    import reframe as rfm
    import reframe.utility.sanity as sn
    from reframe.core.builtins import deferrable, performance_function, run_after, run_before, sanity_function, variable
except ImportError:
    rfm = None

if rfm:

    @rfm.simple_test
    class RooflineTest(rfm.RunOnlyRegressionTest):
        """Roofs and kernels of one node."""

        descr = "roofline_bench: ceilings, verified kernels, shares of the roof"
        valid_systems = ["*"]
        valid_prog_environs = ["*"]
        executable = "roofline_bench"
        flags = variable(str, value="--quick")
        reference_run = variable(str, value="")
        tolerance = variable(float, value=0.05)
        num_tasks = 1
        num_tasks_per_node = 1
        exclusive_access = True
        time_limit = "10m"

        @run_after("init")
        def set_options(self):
            # One process, whatever starts it: its folder is the test's.
            self.executable_opts = [*self.flags.split(), "--ranks=off", "--out=out"]
            self.keep_files = ["out"]

        def run_json(self):
            return os.path.join(self.stagedir, "out", "run.json")

        @sanity_function
        def every_kernel_is_verified(self):
            # Exit code 1 is a wrong result; with 3 and 4 there is no result. None of them leaves a complete run.json.
            return sn.and_(sn.assert_eq(self.job.exitcode, 0), sn.assert_gt(len(figures(self.run_json())), 0))

        @run_before("performance")
        def set_figures(self):
            @deferrable
            def value_of(name):
                return found[name][0]

            # ReFrame separates systems from figures by colons.
            def named(path):
                return {name.replace(":", "="): figure for name, figure in figures(path).items()}

            found = named(self.run_json())
            self.perf_variables = {
                name: sn.make_performance_function(value_of(name), unit) for name, (_, unit) in found.items()
            }
            if self.reference_run:
                self.reference = {
                    "*": {
                        name: (value, -self.tolerance, None, unit)
                        for name, (value, unit) in named(self.reference_run).items()
                        if name in found
                    }
                }


if __name__ == "__main__":
    try:
        for figure, (number, figure_unit) in figures(sys.argv[1] if len(sys.argv) > 1 else "run.json").items():
            print(f"{figure} {number:.6g} {figure_unit}")
    except ValueError as wrong:
        sys.exit(str(wrong))
