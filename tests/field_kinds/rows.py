"""Kinds of rows: long names (7), odd cells and pipes (8), sizes in names (11)."""

import json
import pathlib
import re

from made_up_files import CPU, DATA, GOOGLE, convert, is_refusal, opinions_of, run, wrong_rows


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


def google_csv_with_errors(made, roofline):
    """Rows without a result end before the columns of counters."""
    names = made.names(made.random.randrange(2, 6))
    bad = made.random.choice(names)
    text = "name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,error_occurred,error_message," \
           "\"bytes\",\"flops\"\n"
    for name in names:
        text += f'"{name}",,,,,,,,true,"no device"\n' if name == bad else f'"{name}/real_time",10,10.5,10.5,ms,,,,,,1.2e11,1e10\n'
    outcome = run(convert(roofline, made.write("g.csv", text), *GOOGLE, CPU))
    wrong = wrong_rows(outcome, {name: {"FLOP/s": 1e10} for name in names if name != bad}) if outcome.returncode == 0 else outcome.stderr
    return wrong or ("" if bad in outcome.stderr and "no device" in outcome.stderr else "the row without a result is not named")


def odd_efficiency(made, roofline):
    kernels, odd = made.names(made.random.randrange(2, 5)), made.random.choice(["failed", "n/a", "", "-", "crashed (137)", "< 0.1"])
    bad = made.random.choice(kernels)
    rows = [{"kernel": kernel, "platform": platform, "efficiency": odd if (kernel, platform) == (bad, "A") else "0.5"}
            for kernel in kernels for platform in "AB"]
    outcome = run([roofline, "portability", made.table("e.csv", made.shuffled(rows[0]), made.shuffled(rows), quoted=False)])
    phi = {line.split()[0]: line.split()[-1] for line in outcome.stdout.splitlines() if line.split() and line.split()[0] in kernels}
    right = phi == {kernel: "0.00" if kernel == bad else "50.00" for kernel in kernels} and bad in outcome.stderr
    return "" if outcome.returncode == 0 and right else f"'{odd}': {phi} {outcome.stderr[:100]}"


CONTEXTS = [("library_build_type", "release", "debug"), ("library_version", "v1.8.3", "v1.9.5"), ("compiler_flags", "-O3", "-O0"),
            ("caches", [], [{"type": "Data", "level": 1, "size": 32768, "num_sharing": 1}]), ("cpu_scaling_enabled", False, True),
            ("aslr_enabled", True, False), ("mhz_per_cpu", 3700, 2100), ("json_schema_version", 1, 2), ("governor", "performance", None)]


def compared_sides(made, roofline):
    """Two runs of one row, which differ in one thing that their contexts say."""
    key, before, after = made.random.choice(CONTEXTS)
    files = []
    for value in made.shuffled([before, after]):
        name = f"{len(files)}.json"
        document = json.loads(pathlib.Path(made.google(name, [("axpy/real_time", 1e-2, 1e10, 1e11)] * 3)).read_text())
        document["context"].update({"num_cpus": 16, "date": made.name(), "load_avg": [made.random.random()]})
        if value is not None:
            document["context"][key] = value
        files.append(made.write(name, json.dumps(document)))
    outcome = run([roofline, "compare", *files])
    said = key in outcome.stdout + outcome.stderr and "differs" in outcome.stdout + outcome.stderr
    return "" if said and "load_avg" not in outcome.stdout else f"{key} is not told"


def odd_cells(made, roofline):
    kind = made.random.choice(["advisor", "babel", "google csv", "json", "pipe", google_csv_with_errors, odd_efficiency, compared_sides])
    if callable(kind):
        return kind(made, roofline)
    odd = made.random.choice(ODD)
    if kind == "json":
        outcome = run(convert(roofline, made.write("x.json", json.dumps(made.random.choice(FOREIGN))), *GOOGLE, CPU))
        return "" if is_refusal(outcome) and "real_time: no time" not in outcome.stderr else "is taken, or refused for a wrong reason"
    if kind == "pipe":
        file = made.google("gb.json", [("axpy/67108864/real_time", 1e-2, 1e10, 1.2e11)], [])
        command = convert(roofline, made.random.choice(["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]), *GOOGLE, CPU)
        if made.random.random() < 0.4:  # both files, in the shell's words
            roofs = f"--ceilings=<(cat {DATA / 'cpu_roofs.json'})"
            words = convert(roofline, made.random.choice([file, f"<(cat {file})"]), *GOOGLE, roofs)
            command = ["bash", "-c", " ".join(words)]
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


def other_spellings(made, roofline):
    """One kernel under two names, or one name for two sizes."""
    kernel, (one, other) = made.name(), made.random.choice([
        ("{}/1K", "{}/1M"), ("{}/small", "{}/large"), ("{}<float>", "{}<double>"), ("{}", "{}/1024"), ("{}/a:1/b:2", "{}/b:2/a:1"),
        ("{}_v1", "{}-v1"), ("{}/S", "{}/XL"), ("{} (4 threads)", "{}"), ("size", "size"), ("platform", "platform")])
    rows = [{"kernel": one.format(kernel), "platform": "A", "efficiency": "0.5"},
            {"kernel": other.format(kernel), "platform": "B", "efficiency": "0.6"}]
    if one == "size":
        column = made.random.choice(["size", "Problem size", "n", "size [MiB]", "elements"])
        rows = [dict(row, kernel=kernel, **{column: 1024 * i}) for i, row in enumerate(rows, 1)]
    if one == "platform":
        rows = [{"kernel": k, "platform": p, "efficiency": "0.5"} for k, p in [(kernel, "V100"), ("b", "v100"), (kernel, "A100"), ("b", "A100")]]
    outcome = run([roofline, "portability", made.table("e.csv", made.shuffled(rows[0]), rows, quoted=made.random.random() < 0.5)])
    said = is_refusal(outcome) or any(word in outcome.stderr for word in ("is 0", "differ", "compared all the same"))
    return "" if said else f"{one}, {other}: {outcome.stdout[:200]}"


def sizes(made, roofline):
    if made.random.random() < 0.3:
        return other_spellings(made, roofline)
    form = made.random.choice(["{}/n:{}", "{}/size:{}", "{}/{}", "{}_{}", "{}<{}>", "{}/N={}/real_time", "{}/elements:{}", "{}/{}/real_time"])
    kernels, platforms = made.names(made.random.randrange(1, 4)), made.names(made.random.randrange(2, 4))
    rows = [{"kernel": form.format(kernel, 2 ** (20 + i)), "platform": platform, "efficiency": f"{made.random.uniform(0.1, 1):.4f}"}
            for kernel in kernels for i, platform in enumerate(platforms)]
    file = made.table("e.csv", made.shuffled(["kernel", "platform", "efficiency"]), made.shuffled(rows), quoted=False)
    outcome = run([roofline, "portability", file])
    zero = [line for line in outcome.stdout.splitlines() if line.endswith(" 0.00")]
    said = "size" in outcome.stderr or "differ" in outcome.stderr
    return "" if is_refusal(outcome) or said or (outcome.returncode == 0 and not zero) else f"{form}: {zero[:1]}"
