#!/usr/bin/env python3
"""Runs programs of public collections, built unmodified, on the virtual GPU and says which pass.

    tests/trials/outside_programs/trial.py COLLECTIONS [--only TEXT] [--timeout S] [--results FILE] [--table FILE]

COLLECTIONS is a folder with checkouts of NVIDIA/cuda-samples, zjin-lcf/HeCBench (as HeCBench), UoB-HPC/BabelStream,
sgrauerg/polybenchGpu and yuhc/gpu-rodinia. Each program was built before, as its own documentation says but with
`nvcc -cudart shared -arch=sm_90`, and is, or is linked as, `outside_program` in its folder. A program passes when it
exits with 0, prints a word of success of its own and none of failure. Needs the target virtual_cudart.
"""

import argparse
import json
import os
import pathlib
import re
import resource
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
LIBRARY = ROOT / "build/release/lib/roofline"
PASSED = re.compile(
    r"\bPASS(ED)?\b|test:? pass|succe(ss|eded)|\bOK\b|returned OK|\bcorrect\b|verified|Error amount = 0\.0000|all good",
    re.I)
FAILED = re.compile(r"\bFAIL(ED|URE|S)?\b(?!\s*[=:]\s*0)|mismatch|incorrect|wrong result|not correct", re.I)
FOLDERS = {"samples": "cuda-samples/Samples", "hecbench": "HeCBench/src", "babelstream": "BabelStream",
           "rodinia": "gpu-rodinia/cuda", "polybench": "polybenchGpu/CUDA"}


def programs():
    for line in (HERE / "programs.txt").read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        line, _, note = line.partition(" ## ")
        line, _, missing = line.partition(" !! ")
        line, on_purpose, wanted = line.partition(" =>> ")
        if not on_purpose:
            line, _, wanted = line.partition(" => ")
        collection, folder, *arguments = line.split()
        yield {"collection": collection, "program": folder, "arguments": arguments, "wanted": wanted,
               "fails_on_purpose": bool(on_purpose), "missing": missing, "note": note}


def folder_of(root, program):
    name = program["program"] + ("-cuda" if program["collection"] == "hecbench" else "")
    return root / FOLDERS[program["collection"]] / name


def outcome(code, text, program, timeout):
    """The outcome of a program, and the reason."""
    wanted = program["wanted"]
    lines = [l for l in text.splitlines() if l.startswith("virtual GPU:")]
    program_text = "\n".join(l for l in text.splitlines() if not l.startswith("virtual GPU:"))
    if code == 124:
        return "timeout", f"{timeout} s of processor time were not enough"
    failed = FAILED.search(program_text)
    if code == 0 and (program["fails_on_purpose"] or not failed and not lines):
        if not wanted and not PASSED.search(program_text):
            return "ran", "has no check of its own"
        if wanted in ("", "exit") or re.search(wanted, program_text, re.M):
            return "passed", ""
    if lines:
        return "failed", lines[0][13:200]
    last = [l for l in program_text.splitlines() if l.strip()]
    return "failed", f"exit {code}: " + (failed.group(0) + ": " if failed else "") + (last[-1][:120] if last else "")


def run(target, program, timeout, device):
    environment = dict(os.environ, LD_LIBRARY_PATH=f"{LIBRARY}:{os.environ.get('LD_LIBRARY_PATH', '')}",
                       ROOFLINE_VIRTUAL_DEVICE=device)
    # Processor time, so that a busy machine changes no outcome; ten times that on the clock for what only waits.
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    limit = f"ulimit -t {timeout}; exec timeout -k 5 {10 * timeout} \"$@\""
    done = subprocess.run(["bash", "-c", limit, "_", str(target.absolute()), *program["arguments"]],
                          cwd=target.parent, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          stdin=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = done.stdout.decode(errors="replace")
    (target.parent / "outside_output.txt").write_text(text)
    code = 124 if done.returncode in (124, 137, 152, -24, -9) else done.returncode
    return *outcome(code, text, program, timeout), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def table(known, commits):
    """Markdown for results/virtual-gpu/outside-programs.md."""
    names = ("passed", "failed", "timeout")
    judged = [r for r in known.values() if r["status"] in names]
    passed = sum(r["status"] == "passed" for r in judged)
    rows = ["# Programs of others on the virtual GPU", "",
            "Public programs, unmodified, built with `nvcc -cudart shared -arch=sm_90` (CUDA 13.0) and run by the library",
            "that replaces CUDA's runtime (device h100), at small sizes where the program takes some. Written by",
            "`tests/trials/outside_programs/trial.py`, which has the rules; programs.txt has every program and its arguments.", "",
            "Programs with graphics, and but for three those with textures, were not tried. Names of functions that CUDA 13",
            "does not have any more were given as their successors on the compiler's command line; eight of polybench, whose",
            "sizes are compiled in, were built with smaller ones (defined before their own header, which allows that).", "",
            f"**{passed} of {len(judged)} programs that verify their own results pass"
            + (f" ({100 * passed // len(judged)} %).**" if judged else ".**"), "",
            "| collection | commit | passed | failed | timeout | no check of its own | not built |", "|---" * 7 + "|"]
    for collection, commit in commits.items():
        of_it = [r["status"] for name, r in known.items() if name.split()[0] == collection]
        counts = [str(of_it.count(status)) for status in (*names, "ran", "not built")]
        rows.append("| " + " | ".join([collection, commit, *counts]) + " |")
    rows += ["", "| program | arguments | outcome | why |", "|---|---|---|---|"]
    order = {"passed": 0, "failed": 1, "timeout": 2, "ran": 3, "not built": 4}
    for name, row in sorted(known.items(), key=lambda item: (order[item[1]["status"]], item[0])):
        why = row["detail"].replace("|", "\\|")
        rows.append(f"| {name} | {row['arguments']} | {row['status']} | {why} |")
    return "\n".join(rows) + "\n"


def try_program(root, program, options):
    """The kept result of one program."""
    target = folder_of(root, program) / "outside_program"
    if program["missing"] or not target.exists():
        status, detail, seconds = "not built", program["missing"] or "no outside_program in its folder", 0.0
    else:
        status, detail, seconds = run(target, program, options.timeout, options.device)
    if program["note"] and status != "passed":
        detail += "; " + program["note"]
    return {"status": status, "detail": detail, "seconds": round(seconds, 1),
            "arguments": " ".join(program["arguments"])}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("collections", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--timeout", type=int, default=60, help="seconds of processor time for each")
    parser.add_argument("--device", default="h100")
    parser.add_argument("--missing", action="store_true", help="only what is not in the results yet")
    parser.add_argument("--results", type=pathlib.Path, help="JSON, kept from run to run")
    parser.add_argument("--table", type=pathlib.Path, help="only write this file from the results")
    parser.add_argument("--commit", action="append", default=[], help="COLLECTION=COMMIT, for the table")
    options = parser.parse_args()
    known = json.loads(options.results.read_text()) if options.results and options.results.exists() else {}
    if options.table:
        options.table.write_text(table(known, dict(c.split("=", 1) for c in options.commit)))
        return
    for program in programs():
        name = f"{program['collection']} {program['program']}"
        if options.only not in name or options.missing and name in known:
            continue
        row = known[name] = try_program(options.collections.resolve(), program, options)
        print(f"{name:<55} {row['status']:<9} {row['seconds']:6.1f} s  {row['detail']}", flush=True)
        if options.results:
            options.results.write_text(json.dumps(known, indent=1))
    statuses = [row["status"] for row in known.values()]
    print({status: statuses.count(status) for status in sorted(set(statuses))})


if __name__ == "__main__":
    main()
