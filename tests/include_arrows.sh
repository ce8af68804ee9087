#!/usr/bin/env bash
# Includes point one way: tests/include_arrows.sh [root]. A room is a folder whose CMakeLists.txt has a line
# roofline_may_include(rooms): it may include itself, those rooms, and what those may include. With lines
# roofline_inner_room(folder others) each of its folders is a room as well: it may include those others, and what the
# whole room may. Prints every other include, and rooms that may include each other; fails if there is one.
set -euo pipefail
cd -- "${1:-$(dirname -- "$0")/..}"
exec python3 - <<'END'
import glob, os, re, sys

named = {}
for path in glob.glob("**/CMakeLists.txt", recursive=True):
    text = open(path).read()
    found = re.findall(r"roofline_may_include\(([^)]*)\)", text)
    if not found:
        continue
    room = os.path.dirname(path)
    outside = " ".join(found).split()
    inner = {line.split()[0]: line.split()[1:] for line in re.findall(r"roofline_inner_room\(([^)]*)\)", text)}
    for folder, others in inner.items():
        named[f"{room}/{folder}"] = outside + [f"{room}/{other}" for other in others]
    named[room] = outside + [f"{room}/{folder}" for folder in inner]
if len(named) < 5:
    sys.exit("no rooms here")

wrong = []
for room, others in named.items():
    wrong += [f"{room} may include {other}, which is not a room" for other in others if other not in named]


def reach(room, seen):
    for other in named.get(room, []):
        if other not in seen:
            seen.add(other)
            reach(other, seen)
    return seen


allowed = {room: reach(room, set()) for room in named}
wrong += [f"{room} may include itself through others" for room in named if room in allowed[room]]


def room_of(path):
    folder = os.path.dirname(path)
    while folder and folder not in named:
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
