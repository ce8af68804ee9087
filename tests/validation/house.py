#!/usr/bin/env python3
"""Draws a tree as a house: tests/validation/house.py [ROOT] >house.svg. A room is a folder of bench/ or of the top, its area
its lines of C++ and CUDA; it stands above the rooms whose headers it includes. An arrow is that, but for those which a longer
way implies and those to the ground that nearly all stand on; one that runs back up is red."""
import collections
import os
import re
import sys

TOPS = ("apps", "bench", "microkernels", "reporters", "tools")
WIDTH, HEIGHT, GAP = 1500, 56, 44


def room_of(path):
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] == "bench" else parts[0]


def read(root):
    """Lines of each room and folder, and how many includes each pair of rooms has."""
    lines, folders, arrows = collections.Counter(), collections.defaultdict(collections.Counter), collections.Counter()
    for top in TOPS:
        for folder, _, files in os.walk(os.path.join(root, top)):
            for name in files:
                if not re.search(r"\.(cpp|hpp|cu|cuh|h)$", name):
                    continue
                path = os.path.relpath(os.path.join(folder, name), root)
                text = open(os.path.join(root, path), errors="replace").read()
                room = room_of(path)
                lines[room] += text.count("\n")
                folders[room][os.path.dirname(path)[len(room) + 1:].split("/")[0] or "."] += text.count("\n")
                for included in re.findall(r'#include "([^"]+)"', text):
                    if included.split("/")[0] in TOPS and room_of(included) != room:
                        arrows[room, room_of(included)] += 1
    return lines, folders, arrows


def floors_of(rooms, arrows):
    """The longest way down from each room; of two that include each other, the fewer includes run back up."""
    down = {pair for pair, n in arrows.items() if n >= arrows[pair[::-1]] and pair[1] in rooms}
    floors = {room: 0 for room in rooms}
    back = set()
    for _ in range(len(rooms) + 1):
        for above, below in sorted(down):
            floors[above] = max(floors[above], floors[below] + 1)
    for pair in list(down):  # in a circle there is no end to it
        if floors[pair[0]] > len(rooms):
            down.discard(pair), back.add(pair)
    return floors, down, back | {pair for pair in arrows if pair not in down and pair[1] in rooms}


def implied(pair, down):
    """Whether a longer way leads from one room to the other."""
    seen, edge = set(), [b for a, b in down if a == pair[0] and b != pair[1]]
    while edge:
        room = edge.pop()
        if room not in seen:
            seen.add(room)
            edge += [b for a, b in down if a == room]
    return pair[1] in seen


def draw(root):
    lines, folders, arrows = read(root)
    floors, down, back = floors_of(set(lines), arrows)
    levels = collections.defaultdict(list)
    for room in sorted(lines):
        levels[floors[room]].append(room)
    levels = [levels[n] for n in sorted(levels)]
    scale = max(sum(max(lines[r], 1500) for r in level) for level in levels) / (WIDTH - 60 - 12 * max(map(len, levels)))
    boxes = {}
    for n, level in enumerate(levels):
        widths = [max(lines[room], 1500) / scale for room in level]
        x = (WIDTH - sum(widths) - 12 * (len(level) - 1)) / 2
        for room, width in zip(level, widths):
            boxes[room] = (x, 60 + (len(levels) - 1 - n) * (HEIGHT + GAP), width)
            x += width + 12
    height = 80 + len(levels) * (HEIGHT + GAP)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" font-family="sans-serif">',
           f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
           '<defs><marker id="a" markerWidth="7" markerHeight="6" refX="6" refY="3" orient="auto">'
           '<path d="M0,0 L7,3 L0,6" fill="#777"/></marker></defs>',
           f'<text x="20" y="30" font-size="16">{sum(lines.values()):,} lines, {len(lines)} rooms on {len(levels)} '
           f'floors, {len(back)} arrows that run back up</text>']
    for above, below in sorted(down | back):
        users = sum(1 for pair in down if pair[1] == below)
        if (above, below) in down and (users > len(lines) / 2 or implied((above, below), down)):
            continue
        (x, y, w), (u, v, t) = boxes[above], boxes[below]
        red = (above, below) in back
        out.append(f'<line x1="{x + w / 2:.0f}" y1="{y + (0 if red else HEIGHT):.0f}" x2="{u + t / 2:.0f}" '
                   f'y2="{v + (HEIGHT if red else 0):.0f}" stroke="{"#c00" if red else "#777"}" marker-end="url(#a)"/>')
    for room, (x, y, width) in boxes.items():
        out.append(f'<rect x="{x:.0f}" y="{y}" width="{width:.0f}" height="{HEIGHT}" fill="#dde8f4" stroke="#345"/>')
        at = x
        for folder, n in folders[room].most_common():
            part = width * n / max(lines[room], 1500)
            if folder != "." and part > 24:
                out.append(f'<rect x="{at:.0f}" y="{y + 26}" width="{part:.0f}" height="{HEIGHT - 26}" fill="#b9cfe6" '
                           f'stroke="#fff"/><text x="{at + 3:.0f}" y="{y + 44}" font-size="10">'
                           f'{folder[:int(part / 6)]}</text>')
            at += part
        out.append(f'<text x="{x + 4:.0f}" y="{y + 17}" font-size="12">{room.removeprefix("bench/")} '
                   f'<tspan fill="#567">{lines[room] / 1000:.1f}k</tspan></text>')
    return "\n".join(out + ["</svg>", ""])


if __name__ == "__main__":
    sys.stdout.write(draw(sys.argv[1] if len(sys.argv) > 1 else "."))
