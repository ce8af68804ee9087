#!/usr/bin/env bash
# Sentences begin as English ones do: tests/plain_english.sh [root]. Comments may begin with Of, Whose, What, That, Those
# or Who in at most 1 % of their sentences. READMEs, messages, help and the glossary may not, and do not say "is no X".
set -euo pipefail
cd -- "${1:-$(dirname -- "$0")/..}"
exec python3 - <<'END'
import os, re, sys

start = r'^[("`*\[]*(Of|Whose|What|That|Those|Who)\b(?![^.]*\?)'
odd = re.compile(start + r"|(?<!here )\b(is|are|was|were|be) (no|none)\b(?! (longer|more|less|later))")
literal = r'R"\w*\((?:.|\n)*?\)\w*"|"(?:\\.|[^"\\\n])*"(?:\s*"(?:\\.|[^"\\\n])*")*'
comment = r"(?:(?<!\S)//[^\n]*\n?[ \t]*)+|/\*(?:.|\n)*?\*/"
parts = {"c": re.compile(f"({literal})|'(?:\\\\.|[^'\\\\\\n])'|({comment})"), "#": re.compile(r"()((?:^[ \t]*#[^\n!][^\n]*\n)+)", re.M)}
kinds = dict.fromkeys("cpp hpp cu cuh c h js mjs".split(), "c") | dict.fromkeys("sh py cmake txt".split(), "#")


def sentences(text):
    text = re.sub(r"^\s*(///?<?|#|\*) ?", " ", text, flags=re.M)
    return [s for s in re.split(r"(?<=[.!?])\s+(?=[A-Z`])|\n\s*\n", text.strip()) if re.search("[a-z]{2}", s)]


total, wrong, said = 0, [], []
for folder, folders, names in os.walk("."):
    folders[:] = [f for f in folders if not f.startswith(("build", ".git")) and f not in ("results", "data")]
    for path in (os.path.join(folder, name) for name in names):
        ending = path.rsplit(".", 1)[-1]
        if ending == "md":
            prose = re.sub(r"(?s)```.*?```", "", open(path).read())
            said += [(path, s) for p in re.split(r"\n\s*\n|\n#+ |\n[*-] |\| ", prose) for s in sentences(p) if odd.search(s)]
        elif ending in kinds and (ending != "txt" or path.endswith("CMakeLists.txt")):
            for text, note in parts[kinds[ending]].findall(open(path, errors="replace").read()):
                if text and not path.startswith("./tests"):
                    said += [(path, s) for s in sentences(re.sub(r'"\s*"|\\n', "", text).strip('R"()')) if odd.search(s)]
                total, wrong = total + len(sentences(note)), wrong + [(path, s) for s in sentences(note) if re.search(start, s)]
print(f"{len(wrong)} of {total} sentences in comments, {len(said)} in READMEs and messages")
if not total or len(wrong) > total / 100 or said:
    sys.exit("\n".join(f"{path}: {s[:100]}" for path, s in said or wrong))
END
