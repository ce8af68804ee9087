#!/usr/bin/env python3
"""Builds and runs programs of public collections, unmodified, on the virtual GPU and says which pass.

    tools/outside_programs/trial.py COLLECTIONS [--only TEXT] [--timeout S] [--table FILE]

COLLECTIONS is a folder with checkouts of NVIDIA/cuda-samples, zjin-lcf/HeCBench (as HeCBench), UoB-HPC/BabelStream and
yuhc/gpu-rodinia. A program passes when it exits with 0, prints a word of success of its own and none of failure.
Needs nvcc and the targets roofline and virtual_cudart.
"""

import argparse
import json
import os
import pathlib
import re
import resource
import shlex
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LIBRARY = ROOT / "build/release/lib/roofline"
NVCC = "nvcc -cudart shared -arch=sm_90"
PASSED = re.compile(
    r"\bPASS(ED)?\b|test:? pass|succe(ss|eded)|\bOK\b|returned OK|\bcorrect\b|verified|Error amount = 0\.0000|all good",
    re.I)
FAILED = re.compile(r"\bFAIL(ED|URE|S)?\b(?!\s*[=:]\s*0)|mismatch|incorrect|wrong result|not correct", re.I)
FOLDERS = {"samples": "cuda-samples/Samples", "hecbench": "HeCBench/src", "babelstream": "BabelStream",
           "rodinia": "gpu-rodinia/cuda"}


def programs():
    for line in (HERE / "programs.txt").read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        line, _, flags = line.partition(" :: ")
        line, _, wanted = line.partition(" => ")
        collection, folder, *arguments = line.split()
        yield {"collection": collection, "program": folder, "arguments": arguments, "wanted": wanted, "flags": flags}


def folder_of(root, program):
    name = program["program"] + ("-cuda" if program["collection"] == "hecbench" else "")
    return root / FOLDERS[program["collection"]] / name


def build(root, program):
    """The executable, or what went wrong."""
    folder = folder_of(root, program)
    if not folder.exists():
        return None, "not in this snapshot"
    collection = program["collection"]
    target = folder / "outside_program"
    if target.exists() and os.access(target, os.X_OK):
        return target, ""
    before = {f for f in folder.rglob("*") if f.is_file() and os.access(f, os.X_OK)}
    if collection in ("samples", "babelstream"):
        if collection == "samples":
            sources = [str(f.name) for pattern in ("*.cu", "*.cpp", "*.c") for f in sorted(folder.glob(pattern))]
            include = "-I ../../../Common"
        else:
            sources, include = ["src/main.cpp", "src/cuda/CUDAStream.cu"], "-DCUDA -I src -I src/cuda"
        command = f"{NVCC} -std=c++17 {include} {program['flags']} -o {target.name} {' '.join(sources)}"
    else:
        compiler = f"CC={NVCC} {program['flags']}".strip()
        command = f"make -B {shlex.quote(compiler)} ARCH=sm_90 CUDA_DIR=/usr/local/cuda"
    done = subprocess.run(["timeout", "900", "bash", "-c", command], cwd=folder, capture_output=True, text=True,
                          errors="replace")
    if done.returncode != 0:
        lines = [l for l in (done.stdout + done.stderr).splitlines() if "error" in l.lower() or "No such file" in l]
        return None, (lines or ["build failed"])[0].strip()[:150]
    if not target.exists():
        made = [f for f in folder.rglob("*") if f.is_file() and os.access(f, os.X_OK) and f not in before
                and f.read_bytes()[:4] == b"\x7fELF" and f.suffix != ".o"]
        if not made:
            return None, "the build made no program"
        target.symlink_to(made[0].relative_to(folder))
    return target, ""


def outcome(code, text, wanted):
    lines = [l for l in text.splitlines() if l.startswith("virtual GPU:")]
    program_text = "\n".join(l for l in text.splitlines() if not l.startswith("virtual GPU:"))
    if code == 124:
        return "timeout", (lines or [""])[0][:200]
    failed = FAILED.search(program_text)
    if wanted == "exit" and code == 0 and not failed and not lines:
        return "passed", ""
    if wanted and re.search(wanted, program_text, re.M) and code == 0:
        return "passed", ""
    if code == 0 and not failed and not wanted and PASSED.search(program_text) and not lines:
        return "passed", ""
    if code == 0 and not failed and not wanted and not lines:
        return "ran", "has no check of its own"
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
    return *outcome(code, text, program["wanted"]), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def table(known, commits):
    """Markdown for results/virtual-gpu/outside-programs.md."""
    judged = [r for r in known.values() if r["status"] in ("passed", "failed", "timeout")]
    passed = sum(r["status"] == "passed" for r in judged)
    rows = ["# Programs of others on the virtual GPU", "",
            "Public programs, unmodified, built with `nvcc -cudart shared -arch=sm_90` (CUDA 13.0) and run by",
            "the replacement library (device h100); small sizes where the program takes some. Made by",
            "`tools/outside_programs/trial.py`, which has the rules and, in programs.txt, every program and argument.", "",
            f"**{passed} of {len(judged)} programs that verify their own results pass"
            + (f" ({100 * passed // len(judged)} %).**" if judged else ".**"), "",
            "| collection | commit |", "|---|---|"]
    rows += [f"| {name} | {commit} |" for name, commit in commits.items()]
    rows += ["", "| program | arguments | outcome | why |", "|---|---|---|---|"]
    order = {"passed": 0, "failed": 1, "timeout": 2, "ran": 3, "not built": 4}
    for name, row in sorted(known.items(), key=lambda item: (order[item[1]["status"]], item[0])):
        why = row["detail"].replace("|", "\\|")
        rows.append(f"| {name} | {row['arguments']} | {row['status']} | {why} |")
    return "\n".join(rows) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("collections", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--timeout", type=int, default=120)
    parser.add_argument("--device", default="h100")
    parser.add_argument("--build-only", action="store_true")
    parser.add_argument("--missing", action="store_true", help="skip what passed before")
    parser.add_argument("--built-only", action="store_true", help="skip what is not built yet")
    parser.add_argument("--results", type=pathlib.Path, help="JSON, kept from run to run")
    parser.add_argument("--table", type=pathlib.Path, help="only write this file from the results")
    parser.add_argument("--commit", action="append", default=[], help="NAME=COMMIT of a collection, for the table")
    options = parser.parse_args()
    known = json.loads(options.results.read_text()) if options.results and options.results.exists() else {}
    if options.table:
        options.table.write_text(table(known, dict(c.split("=", 1) for c in options.commit)))
        return
    for program in programs():
        name = f"{program['collection']} {program['program']}"
        if options.only not in name or options.missing and known.get(name, {}).get("status") == "passed":
            continue
        if options.built_only and not (folder_of(options.collections, program) / "outside_program").exists():
            continue
        target, why = build(options.collections.resolve(), program)
        if options.build_only:
            print(f"{name:<55} {'built' if target else why}", flush=True)
            continue
        status, detail, seconds = ("not built", why, 0.0)
        if target:
            status, detail, seconds = run(target, program, options.timeout, options.device)
        known[name] = {"status": status, "detail": detail, "seconds": round(seconds, 1),
                       "arguments": " ".join(program["arguments"])}
        print(f"{name:<55} {status:<9} {seconds:6.1f} s  {detail}", flush=True)
        if options.results:
            options.results.write_text(json.dumps(known, indent=1))
    count = {s: sum(r["status"] == s for r in known.values()) for s in ("passed", "failed", "timeout", "ran", "not built")}
    print(count)


if __name__ == "__main__":
    main()
