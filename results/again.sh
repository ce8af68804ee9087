#!/usr/bin/env bash
# Writes again, with the program of today, what follows from a kept run.json: pictures, tables, the page, verdicts on the
# talks' claims and pages of the case studies.
#   results/again.sh FOLDER [RUN.JSON]      without the file that of FOLDER; ROOFLINE names the program
# output.txt is what the run itself printed, so it is written only where there is none.
set -euo pipefail
root=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
roofline=${ROOFLINE:-$root/build/release/bin/roofline}
folder=${1:?usage: results/again.sh FOLDER [RUN.JSON]}
run=${2:-$folder/run.json}

mkdir -p -- "$folder"
"$roofline" show "$run" > /dev/null  # a file that cannot be read ends here, with the program's line
[ -e "$folder/output.txt" ] || "$roofline" show "$run" > "$folder/output.txt"
"$roofline" report "$run" -o "$folder" > /dev/null
rm -f "$folder/data.txt" "$folder/roofline.json"  # both are in run.json
"$roofline" claims "$run" > "$folder/claims.txt"
"$roofline" claims "$run" --pages="$folder"
"$roofline" explain '' "$run" > "$folder/explain.txt"
echo "$folder: output.txt, efficiency.*, roofline.svg, report.html, claims.txt, explain.txt, case-study-*.html"
