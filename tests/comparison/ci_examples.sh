#!/usr/bin/env bash
# The workflows in tools/ci are YAML of the shape that GitHub and GitLab read; they build and run the user's program on
# both sides and never ours in its place; every flag that they give to it and to roofline ab and compare exists:
# tests/comparison/ci_examples.sh FOLDER_OF_PROGRAMS.
# 77 (skipped) where python3-yaml is missing.
set -euo pipefail
programs=$(readlink -f -- "$1")
cd -- "$(dirname -- "$0")/../.."
python3 -c 'import yaml' 2>/dev/null || { echo "python3-yaml is missing"; exit 77; }
python3 - "$programs" tools/ci/github.yml tools/ci/action.yml tools/ci/gitlab.yml <<'END'
import re, subprocess, sys, yaml

programs, github_file, action_file, gitlab_file = sys.argv[1:]
github, action, gitlab = (yaml.safe_load(open(name)) for name in (github_file, action_file, gitlab_file))
steps = github["jobs"]["compare"]["steps"]
ours = next(step for step in steps if "/tools/ci@" in step.get("uses", ""))
assert set(ours["with"]) == set(action["inputs"]), "the example does not give what the action takes"
steps += action["runs"]["steps"]
assert True in github or "on" in github, "no trigger"  # YAML 1.1 reads the word on as true
assert all("run" in step or "uses" in step for step in steps)
assert gitlab["roofline"]["artifacts"]["reports"]["junit"]
scripts = {action_file: "\n".join(step.get("run", "") for step in steps), gitlab_file: "\n".join(gitlab["roofline"]["script"])}

def help_of(*command):
    text = subprocess.run([programs + "/" + command[0], *command[1:], "--help"], capture_output=True, text=True).stdout
    return set(re.findall(r"--[a-z][a-z_-]*", text))

library_flags = set(re.findall(r"--[a-z][a-z_-]*", open("bench/library/flags.cpp").read()))
checked = 0
for name, script in scripts.items():
    done = subprocess.run(["bash", "-n"], input=re.sub(r"\$\{\{.*?\}\}", "x", script), text=True, capture_output=True)
    assert done.returncode == 0, (name, done.stderr)
    assert "roofline_bench" not in script, (name, "gates our program, not the user's")
    assert script.count('--target "$TARGET"') == 1, name
    for line in script.replace("\\\n", " ").splitlines():
        # Flags of ROOFLINE_MAIN, and one of Google Benchmark.
        for flags in re.findall(r'"[^"]*/build/\$PROGRAM"( --roofline .*)', line):
            for flag in re.findall(r"--[a-z][a-z_-]*", flags):
                assert flag in library_flags, (name, flag)
                checked += 1
        ours = re.search(r"bin/(roofline)\"? (ab|compare) (.*)", line)
        if not ours:
            continue
        known = help_of("roofline", ours[2])
        outside = re.sub(r"'[^']*'", "", ours[3])
        for flag in re.findall(r"--[a-z][a-z_-]*", outside):
            assert flag in known, (name, ours[2], flag)
            checked += 1
assert checked >= 12, checked
print(checked, "flags exist")
END
