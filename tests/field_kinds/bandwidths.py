"""Kinds of bandwidths: sets that a cache holds (2), tables of text (5)."""

from made_up_files import CPU, DATA, GOOGLE, convert, is_refusal, near, opinions_of, rows_of, run


def set_in_a_cache(made, roofline):
    size = 10 ** made.random.uniform(4, 9.5)
    if 30e6 < size < 450e6:
        size = 1e9
    elements = int(size / 24)
    size = 24 * elements
    small = size < 1e8
    rate = made.random.uniform(50, 150) if not small else made.random.uniform(100, 900)
    shown = f"{rate * 1e3:.3f}"
    kind = made.random.choice(["babel", "babel no sizes", "babel csv", "stream", "likwid", "google", "google caches", "likwid unknown",
                               "second run", "google some"])
    seconds = size / (rate * 1e9)
    if kind == "likwid unknown":
        file = made.write("l.txt", f"Test: triad_{made.name()}\nTime: 1.0 sec\nMByte/s:\t{shown}\n")
        outcome = run(convert(roofline, str(DATA / "cpu_roofs.json"), f"--external-ceilings={file}", to="run"))
        return "" if is_refusal(outcome) or "not known" in outcome.stderr else "a set of unknown size is of DRAM, without a word"
    if kind == "second run":
        return small_second_run(made, roofline)
    if kind == "google some":
        return some_caches(made, roofline)
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


def small_second_run(made, roofline):
    """A log of two runs, of which only the second fits in a cache: its sizes count, whatever it says of them."""
    text = ""
    for megabytes in (805.3, made.random.uniform(0.01, 20)):
        array, total = f"Array size: {megabytes / 3:.4f} MB\n", f"Total size: {megabytes * 1e3:.3f} KB\n"
        sizes = made.random.choice([array + total, total] if not text else [array, array, total])
        text += f"BabelStream\n{sizes}Function    MBytes/sec  Min (sec)   Max         Average\n" \
                f"Triad       150000.0  0.{'0' * 5}     0.00001     0.00001\n\n"
    outcome = run(convert(roofline, str(DATA / "cpu_roofs.json"), f"--external-ceilings={made.write('b.txt', text)}", to="run"))
    return "" if is_refusal(outcome) or "may fit" in outcome.stderr else "sizes of the first run are taken for the second"


def some_caches(made, roofline):
    """Caches that do not tell: no L3, a fourth level, a set that is read and written."""
    caches = [{"type": "Data", "level": 1, "size": 32768, "num_sharing": 1},
              {"type": "Unified", "level": 2, "size": 1 << 20, "num_sharing": 1}]
    last = {"type": "Unified", "level": 3, "size": 40 << 20, "num_sharing": 16}
    size, more = made.random.choice([(made.random.uniform(3e6, 9e7), []), (made.random.uniform(4.3e7, 8e7), [last]),
                                     (made.random.uniform(9e7, 1.2e8), [last, dict(last, level=4, size=128 << 20)])])
    file = made.google("g.json", [(made.name() + "/real_time", size / 1e11, 1e11 / 12, 1e11)], made.shuffled(caches + more))
    outcome = run(convert(roofline, file, *GOOGLE, CPU))
    said = "fit in" in outcome.stderr and "--level" in outcome.stderr
    return "" if is_refusal(outcome) or said else f"{size:.3g} B with {len(caches + more)} caches"


FAILED = ["Validation unsuccessful", "ERROR: a[0] expected 1.0 got 2.0", "Solution does NOT validate", "Results differ by 1e-3",
          "Error in sum: 12 found, 44 expected", "Check of array b: values are not within tolerance",
          "FAILED validation of sum: 12 (is) != 44 (should)", "Validation failed on sum. Error 1e-3",
          "Failed Validation on array a[], AvgRelAbsErr > epsilon", "Verification: FAILED", "Solution is INVALID",
          "Results are incorrect", "Checksum mismatch in array c", "Solution does not validate: not valid"]


def text_tables(made, roofline):
    tests = made.names(made.random.randrange(1, 8)) if made.random.random() < 0.5 else ["Copy", "Mul", "Add", "Triad", "Dot"]
    colon = made.random.choice(["", ":"])
    rate_column = made.random.choice(["MBytes/sec", "MiBytes/sec", "Best Rate MB/s", "Rate(MB/s)", "Rate (MB/s)", "MB/s", "GB/s"])
    scale = {"GB/s": 1, "MiBytes/sec": 1e9 / 2**20}.get(rate_column, 1e3)
    columns = ["Function", rate_column] + made.random.choice([[], ["Rate(MFlop/s)"], ["Std dev"]]) + \
        ["Min (sec)", "Max (sec)", "Average"]
    gap = made.random.choice(["  ", "    ", "\t"])
    lines = ["BabelStream" if made.random.random() < 0.5 else "STREAM version", "Precision: double", "Total size: 805.3 MB"]
    failed = made.random.random() < 0.3
    if failed:
        lines.append(made.random.choice(FAILED))
    tight = rate_column == "MiBytes/sec" and len(columns) == 5  # a wide name leaves one blank
    lines.append(gap.join(columns).replace("/sec" + gap, "/sec ") if tight else gap.join(columns))
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
    torn = made.random.random() < 0.2
    if torn:  # lines of others among the rows
        at = len(lines) - made.random.randrange(1, len(lines) - 3)
        lines.insert(at, made.random.choice(["WARNING: clock throttled", "srun: job 12 queued", "[rank 3] still alive", "(continued)"]))
    file = made.write("t.txt", "\n".join(lines) + "\n")
    outcome = run(convert(roofline, str(DATA / "cpu_roofs.json"), f"--external-ceilings={file}", to="run"))
    if is_refusal(outcome):
        return "" if "is not a rate" not in outcome.stderr else "a rate is called none"
    got = opinions_of(outcome) if outcome.returncode == 0 else {}
    if failed and "validation" not in outcome.stderr:
        return "a failed validation is not told"
    if torn:
        lost = [test for test in tests if test not in got]
        return "" if all(test in outcome.stderr for test in lost) else f"{lost} without a word"
    right = got.keys() == want.keys() and all(near(got[name], want[name]) for name in want)
    return "" if right else f"{got} for {want}"
