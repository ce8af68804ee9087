#!/usr/bin/env bash
# Includes point one way: tests/include_arrows.sh [root]. tests/include_arrows.txt below the root lists the rooms. Prints
# every include that the list does not allow, and rooms that stand above what they include; fails if there is one.
set -euo pipefail
cd -- "${1:-$(dirname -- "$0")/..}"
exec python3 - <<'END'
import glob, os, re, sys

wrong = []
allowed = {}
for line in open("tests/include_arrows.txt"):
    if line.startswith("#") or not line.strip():
        continue
    room, others = line.split(":")
    reached = set()
    for other in others.split():
        if other not in allowed:
            wrong.append(f"{room} may include {other}, which is not a room above it in the list")
        reached |= {other} | allowed.get(other, set())
    allowed[room] = reached


def room_of(path):
    folder = os.path.dirname(path)
    while folder and folder not in allowed:
        folder = os.path.dirname(folder)
    return folder


for top in ("apps", "bench", "microkernels", "reporters", "tools"):
    for path in glob.glob(top + "/**/*", recursive=True):
        if not re.search(r"\.(cpp|hpp|cu|cuh)$", path):
            continue
        room = room_of(path)
        if not room and path != "bench/main.cpp":
            wrong.append(f"{path} is in no room")
        for number, line in enumerate(open(path), 1):
            found = re.match(r'#include "([^"]+)"', line)
            if not found or not room:
                continue
            other = room_of(found[1])
            if other and other != room and other not in allowed[room]:
                wrong.append(f"{path}:{number}: {room} includes {found[1]}")
print("\n".join(wrong))
sys.exit(1 if wrong else 0)
END
