"""Kinds of roofs: their names (4), and files that lack something (9)."""

import json
import pathlib

from made_up_files import GOOGLE, convert, is_refusal, judged, near, rows_of, run, wrong_rows


STRANGE = ["TC", "Tensor", "FP16", "SP/DP", "INT8", "BF16", "Matrix FP16", "XDL", "FP16 Tensor", "MFMA", "TF32", "DP Tensor", "FP8",
           "AMX BF16", "mixed", "Half", "HMMA", "SP+DP"]


# Names of roofs, a kernel's precision, what it may be judged by in GFLOP/s, and a word where that is not sure.
ODD_ROOFS = [
    ([["FP64 GFLOPs", 7000.0], ["IOPs", 50000.0]], "double", 7000, ""), ([["FP64 GFLOPs", 7000.0], ["TC", 50000.0]], "double", 7000, ""),
    ([["FP64 GFLOPs", 7000.0], ["Tensor", 90000.0]], "double", 7000, ""), ([["FP64 TFLOPs", 7.0]], "double", None, "unit"),
    ([["FP64 (TFLOP/s)", 7.0]], "double", None, "unit"), ([["FP64 GFLOPs", 7000.0], ["FP64 GFLOPs", 9000.0]], "double", None, "several"),
    ([["FP64 GFLOPs", 7000.0], ["BF16 GFLOPs", 60000.0], ["FP16 GFLOPs", 30000.0]], "bf16", 60000, ""),
    ([["FP64 GFLOPs", 7000.0], ["TF32 GFLOPs", 60000.0]], "tf32", 60000, ""),
    ([["FP32 GFLOPs", 14000.0]], "double", None, "none for its precision"), ([["GFLOPs", 7000.0]], "double", 7000, ""),
    ([["FP64 GFLOPs", 7000.0], ["GFLOPs", 9000.0]], "double", None, "several"), ([["HMMA", 90000.0]], "double", None, "not known")]
ODD_BYTES = [([["L1", 14000.0], ["L2", 3000.0], ["DRAM", 830.0]], ""), ([["MCDRAM", 450.0], ["DDR", 90.0]], "several"),
             ([["L2 TB/s", 3.0], ["DRAM", 830.0]], "unit"), ([["HBM", 2000.0], ["HBM", 1500.0]], "several")]


def odd_roof_names(made, roofline):
    """Units in names, one word, one kind twice, a precision that a kernel's name says."""
    flops, precision, peak, word = made.random.choice(ODD_ROOFS)
    bandwidths, other_word = made.random.choice(ODD_BYTES)
    roofs = made.write("r.json", json.dumps({"empirical": {"gflops": {"data": made.shuffled(flops)},
                                                           "gbytes": {"data": bandwidths}}}))
    points = made.google("g.json", [(f"gemm<{precision}>/67108864/real_time", 1e-2, 5e12, 5e8)])
    outcome = run(convert(roofline, points, "--flops=flops", "--bytes=bytes", "--level=DRAM", f"--ceilings={roofs}"))
    if is_refusal(outcome):
        return ""
    wrong = peak and wrong_rows(outcome, {"gemm": {"attainable": peak * 1e9}})
    said = word in outcome.stderr and other_word in outcome.stderr
    return wrong or ("" if said else f"{flops} {bandwidths}: '{word}' and '{other_word}' are not said")


def points_of_data(made, roofline):
    """Points of data.txt have no precision: that of the only roof, or none; intensities that contradict each other."""
    roofs = made.random.choice([[("FP32", 14000.0)], [("FP64", 7000.0)], [("FMA", 7000.0)], [("FP64", 7000.0), ("FP32", 14000.0)],
                                [("Tensor Core", 90000.0)]])
    keys = {"AI": "50.0", "FLOPS": "5000"}
    contradiction = made.random.choice(["", "", "AI_HBM", "AI_DRAM"])
    if contradiction:
        keys[contradiction] = "25.0"
    lines = made.shuffled([f"memroofs {'3000 ' if made.random.random() < 0.5 else ''}830", f"comproofs {' '.join(str(r) for n, r in roofs)}",
                           f"comp_roof_names {' '.join(repr(n) for n, r in roofs)}"] + [f"{k} {v}" for k, v in keys.items()])
    count = len([line for line in lines if line.startswith("memroofs")][0].split()) - 1
    lines.append("mem_roof_names " + ("'HBM' 'L2'" if count == 2 and made.random.random() < 0.5 else "'L2' 'HBM'" if count == 2 else "'HBM'"))
    if lines[-1].endswith("'L2'"):  # roofs in another order than fastest first
        lines = [line.replace("3000 830", "830 3000") for line in lines]
    outcome = run(convert(roofline, made.write("d.txt", "\n".join(lines) + "\n")))
    if is_refusal(outcome) or (contradiction and "farthest" in outcome.stderr):
        return ""
    if contradiction:
        return "contradicting intensities without a word"
    row = rows_of(outcome)[0]
    known = {"FP32": "fp32", "FP64": "fp64", "FMA": "fp64"}.get(roofs[0][0]) if len(roofs) == 1 else None
    right = row["AI_DRAM"] and near(row["AI_DRAM"], 50.0) and row["precision"] == (known or "unknown")
    if known:
        right = right and near(row["attainable"], min(roofs[0][1], 50 * 830) * 1e9)
    return "" if right else f"{roofs}: {row['precision']} {row['attainable']} {row['AI_DRAM']}"


def roof_names(made, roofline):
    if made.random.random() < 0.3:
        return odd_roof_names(made, roofline)
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


def lacking(made, roofline):
    """A file lacks one thing that its format requires."""
    if made.random.random() < 0.3:
        return points_of_data(made, roofline)
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
