#!/usr/bin/env bash
# Files that `cmake --install` puts next to the library run where they lie: tests/library/programs.sh PREFIX
set -euo pipefail
prefix=$1

fail() { echo "FAILED: $*"; exit 1; }
for program in roofline roofline_bench; do
  "$prefix/bin/$program" --version | grep -q '[0-9]' || fail "$program does not run"
  page=$prefix/share/man/man1/$program.1
  grep -q "^\.TH $program 1" "$page" || fail "$page is not a manual page of $program"
  grep -q "complete .* $program\$" "$prefix/share/bash-completion/completions/$program" || fail "no completion for bash"
  grep -q "^#compdef $program" "$prefix/share/zsh/site-functions/_$program" || fail "no completion for zsh"
  grep -q "^complete -c $program" "$prefix/share/fish/vendor_completions.d/$program.fish" || fail "no completion for fish"
done
# Manual pages have the flags of --help.
grep -q '\\-\\-resume' "$prefix/share/man/man1/roofline_bench.1" || fail "the manual page lacks --resume"
grep -q 'roofline explain' "$prefix/share/man/man1/roofline.1" || fail "the manual page lacks a subcommand"
