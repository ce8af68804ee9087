#!/usr/bin/env bash
# tools/cluster/roofline.nhc with stand-ins for what Node Health Check gives a check: die, log, dbg.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
wrong=0

cat >"$folder/verdicts.json" <<'J'
{
  "nodes": {
    "n1": {
      "verdict": "OK"
    },
    "n10": {"verdict":"FAILED"},
    "n4": {"verdict": "SLOW", "resource": "memory", "loss": 0.093, "loss_interval": [0.089, 0.097], "also": "clock 9 % lower"},
    "n5": {"verdict": "SUSPECT", "resource": "core", "loss": 0.04}
  },
  "exclude": "n[4,10]", "suspects": "n5", "unread": []
}
J
tr -d '\n ' <"$folder/verdicts.json" >"$folder/compact.json"

# check NODE FILE [AGE]: the check's message, and its exit code
check() {
  HOSTNAME=$1 HOSTNAME_S=${1%%.*} bash -c '
    die() { shift; echo "die: $*"; }; log() { echo "log: $*"; }; dbg() { echo "dbg: $*"; }
    unset ROOFLINE_NODE SLURMD_NODENAME
    . "$0"; check_roofline "${@:2}"; echo "code $?"' "$root/tools/cluster/roofline.nhc" "$@"
}
# expect WHAT PATTERN ARGUMENTS...
expect() {
  local what=$1 pattern=$2 got
  shift 2
  got=$(check "$@" 2>&1)
  # shellcheck disable=SC2053  # a pattern
  [[ $got == $pattern ]] || { echo "$what: '$got' is not '$pattern'"; wrong=1; }
}
for file in verdicts.json compact.json; do
  expect slow "die: check_roofline: n4 is SLOW in memory, loss 0.093*code 1" n4 "$folder/$file"
  expect failed "die: *n10 is FAILED*code 1" n10 "$folder/$file" 24h
  expect sound "dbg: *n1 is OK*code 0" n1 "$folder/$file"
  expect suspect "dbg: *n5 is SUSPECT*code 0" n5 "$folder/$file"
  expect "a full name" "die: *n4 is SLOW*code 1" n4.cluster.example.org "$folder/$file"
  expect unknown "log: *no verdict on n2*code 0" n2 "$folder/$file"
done
expect "no file" "log: *cannot be read*code 0" n4 "$folder/none.json"
touch -d '2 hours ago' "$folder/verdicts.json"
expect old "log: *older than 90m*code 0" n4 "$folder/verdicts.json" 90m
expect "young enough" "die: *code 1" n4 "$folder/verdicts.json" 3h
expect "young in days" "die: *code 1" n4 "$folder/verdicts.json" 1d
expect "no age" "die: *an age like*code 1" n4 "$folder/verdicts.json" soon
exit $wrong
