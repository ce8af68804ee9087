#!/usr/bin/env bash
# Writes the files that README.md shows: tests/library/readme_blocks.sh README FOLDER. A block of code is a file when the
# line above it is <!-- file: NAME -->.
set -euo pipefail
awk -v folder="$2" '
  /^<!-- file: .* -->$/ { name = $3; next }
  /^```/ && file { close(file); file = ""; next }
  /^```/ && name { file = folder "/" name; name = ""; dir = file; sub("/[^/]*$", "", dir); system("mkdir -p " dir); printf "" > file; next }
  file { print > file }
' "$1"
