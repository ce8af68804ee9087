#!/usr/bin/env python3
"""Runs roofline_bench with command lines that make no sense, and files that are broken.

  tests/fuzz_command_lines.py PROGRAM [--lines=800] [--files=100] [--seed=1]

Every end must be a documented exit code with at most one line on stderr, within 20 s and 1 GB. On demand: some minutes.
Best with the program of the preset asan, whose memory is not limited here.
"""
import argparse
import collections
import json
import os
import random
import resource
import subprocess
import sys
import tempfile

DOCUMENTED = {0, 1, 2, 3, 4, 5}
TIMEOUT = 60
FLAGS = """--quick --full --ceilings --verify --list --describe --device --model --counters --one-process --threads --seed
--modelled --strict --out --resume --benchmark_filter --benchmark_format --benchmark_out --benchmark_out_format
--benchmark_min_time --benchmark_repetitions --benchmark_list_tests --benchmark_context --benchmark_time_unit
--benchmark_color --stream --stencil --gpp --gsrb --lbm --no_such --v -h --""".split()
VALUES = ["", "0", "1", "-1", "nan", "inf", "1e99", "1e400", "0x10", "99999999999999999999", "1,2,3", "2,2,2,2", ",", "=",
          "auto", "none", "cpu", "cuda:0", "cuda:-1", "cuda:x", "v100", "host", "json", "csv", "xml", "stream/copy", "gpp",
          "(", "[", "*", "\\", "(a)\\1", "(.|..)*z", "a{9999}", "-", "-.", "all", "/", "//", ".", "..", "/dev/null",
          "/dev/full", "/dev/zero", "/proc/self/mem", "missing.json", "fifo", "loop", "folder", "bad.json", "x" * 5000,
          "x" * 9000, "(" * 999, "\x1b[31m", "a\nb", "k=v", "fingerprint=1", "k=\x1b", b"caf\xe9", "%s%n", "{}", "{0}",
          "$(x)", "--quick", "ceiling", "ceiling/flops", "ceiling/bandwidth/DRAM", "counters", "run.json", "true", "maybe"]
BASE = ["--stream=20000", "--stencil=32", "--gpp=4,2,256,32", "--gsrb=3"]


def limit():
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 28, 1 << 28))


def run(program, arguments, folder, problems, codes):
    command = [program, *arguments]
    try:
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT,
                              preexec_fn=limit)
    except subprocess.TimeoutExpired:
        problems.append(("hangs", arguments))
        return
    except ValueError:  # a NUL byte cannot be an argument
        return
    codes[done.returncode] += 1
    lines = done.stderr.decode("utf-8", "replace").splitlines()
    said = [line for line in lines if "kept in" not in line]
    if done.returncode not in DOCUMENTED:
        problems.append((f"exit code {done.returncode}", arguments, lines[-3:]))
    elif done.returncode in (2, 3, 4, 5) and len(said) != 1:
        problems.append((f"{len(said)} lines for code {done.returncode}", arguments, lines[:3]))
    if b"\x1b" in done.stderr or any("Sanitizer" in line or "runtime error" in line for line in lines):
        problems.append(("escape or sanitizer", arguments, lines[:5]))


def random_line(chance):
    arguments = list(BASE)
    harmless = chance.random() < 0.5  # most lines must not get as far as measuring
    for _ in range(chance.randint(1, 4)):
        flag, value = chance.choice(FLAGS), chance.choice(VALUES)
        if isinstance(value, bytes):
            value = os.fsdecode(value)
        form = chance.random()
        arguments.append(flag if form < 0.2 else f"{flag}={value}" if form < 0.9 else value)
        if form > 0.95:
            arguments.append(value)
    if harmless:
        arguments.append("--benchmark_list_tests")
    else:
        arguments += ["--ceilings=none"] if not any(a.startswith("--ceilings") for a in arguments) else []
        arguments += ["--benchmark_filter=stream/copy"] if not any("filter" in a for a in arguments) else ["--list"]
    return arguments


def mutated(text, chance):
    data = bytearray(text.encode())
    for _ in range(chance.randint(1, 5)):
        at = chance.randrange(len(data))
        kind = chance.randrange(4)
        if kind == 0:
            data[at] = chance.randrange(256)
        elif kind == 1:
            del data[at:at + chance.randint(1, 30)]
        elif kind == 2:
            data[at:at] = chance.choice([b'"', b"{", b"[", b"1e400", b"null", b"-1", b"\x1b", b"\xff", b"true"])
        else:
            data[at:at] = data[at:at + 30]
    return bytes(data)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--lines", type=int, default=800)
    parser.add_argument("--files", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    chance = random.Random(options.seed)
    problems, codes = [], collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        os.mkfifo(f"{folder}/fifo")
        os.symlink("loop", f"{folder}/loop")
        os.mkdir(f"{folder}/folder")
        with open(f"{folder}/bad.json", "w") as bad:
            bad.write('{"context": {"fingerprint": 7}}')
        for _ in range(options.lines):
            run(program, random_line(chance), folder, problems, codes)
        subprocess.run([program, *BASE, "--quick", "--ceilings=quick", "--benchmark_filter=stream/copy", "--out=first"],
                       cwd=folder, capture_output=True, check=False)
        good = open(f"{folder}/first/run.json").read()
        json.loads(good)
        for _ in range(options.files):
            with open(f"{folder}/mutated.json", "wb") as bad:  # a name that none of the lines has taken as a folder
                bad.write(mutated(good, chance))
            run(program, [*BASE, "--ceilings=mutated.json", "--benchmark_filter=stream/copy", "--quick"], folder, problems, codes)
    for problem in problems:
        print(*problem)
    print(f"{sum(codes.values())} runs, exit codes {dict(sorted(codes.items()))}, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
