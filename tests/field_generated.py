#!/usr/bin/env python3
"""Whole kinds of other programs' files, generated: field_generated.py ROOFLINE [--trials=25] [--seed=1] [--kind=K]

Names, order, columns, units and devices are drawn at random. Each file must be read right, or be refused in one line, or
standard error must say what was assumed of it. Everything else is wrong: above all a number without a word.
"""

import argparse
import concurrent.futures
import pathlib
import random
import sys
import tempfile

from field_kinds.bandwidths import set_in_a_cache, text_tables
from field_kinds.launches import bound_without_bytes, identity, own_metrics
from field_kinds.roofs import lacking, roof_names
from field_kinds.rows import labels, odd_cells, sizes
from made_up_files import Made

KINDS = {"1 bound without bytes": bound_without_bytes, "2 set in a cache": set_in_a_cache, "3 identity": identity,
         "4 roof names": roof_names, "5 text tables": text_tables, "6 own metrics": own_metrics, "7 labels": labels,
         "8 odd cells, pipes": odd_cells, "9 lacking": lacking, "11 sizes": sizes}


def trial(kind, make, roofline, seed):
    with tempfile.TemporaryDirectory() as folder:
        return make(Made(random.Random(f"{kind} {seed}"), folder), roofline)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("roofline")
    parser.add_argument("--trials", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", default="", help="part of its name")
    parser.add_argument("--show", type=int, default=5, help="wrong answers printed of each kind")
    arguments = parser.parse_args()
    roofline = str(pathlib.Path(arguments.roofline).absolute())
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for kind, make in KINDS.items():
            if arguments.kind not in kind:
                continue
            seeds = range(arguments.seed * 1000, arguments.seed * 1000 + arguments.trials)
            answers = list(pool.map(lambda seed: trial(kind, make, roofline, seed), seeds))
            failed = [(seed, answer) for seed, answer in zip(seeds, answers) if answer]
            for seed, answer in failed[:arguments.show]:
                print(f"{kind}, seed {seed}: {answer}", file=sys.stderr)
            print(f"{kind}: {len(answers)} files, {len(failed)} wrong")
            wrong += len(failed)
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
