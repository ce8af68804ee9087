#!/usr/bin/env bash
# A project outside this tree, made of the files that README.md shows, built in a clean folder and run:
#   tests/library/outside.sh installed PREFIX BUILD           against an installed library
#   tests/library/outside.sh subdirectory SOURCE BUILD        with this project inside it
# BUILD is the build of this project: its objects are reused, and the ceilings that a test has measured are kept there.
set -euo pipefail
mode=$1 library=$2 build=$3
here=$(dirname -- "$(readlink -f -- "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$build/tests/cache OMP_NUM_THREADS=1

fail() { echo "FAILED: $*"; exit 1; }
# says TEXT FILE: the file has a line that matches
says() { grep -qE -- "$1" "$2" || { cat "$2"; fail "no '$1' in $2"; }; }
silent() { ! grep -qE -- "$1" "$2" || { cat "$2"; fail "'$1' in $2"; }; }
# run CODE PROGRAM ...: its output is in $work/out, $work/err
run() {
  local wanted=$1 code=0
  shift
  (cd "$work" && "$@") >"$work/out" 2>"$work/err" || code=$?
  [ $code = "$wanted" ] || { cat "$work/out" "$work/err"; fail "$* returned $code, not $wanted"; }
}

for text in bench/library apps; do "$here"/readme_blocks.sh "$here/../../$text/README.md" "$work"; done
sed 's/y\[i\] += 3.0/y[i] += 3.5/' "$work/axpy.cpp" >"$work/wrong.cpp"
cat >>"$work/CMakeLists.txt" <<'CMAKE'
add_executable(wrong wrong.cpp)
target_link_libraries(wrong PRIVATE roofline::roofline)
target_compile_options(wrong PRIVATE -O0)
CMAKE
# With the compiler, flags (sanitizers) and libraries of the build.
cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
options=()
for variable in CMAKE_BUILD_TYPE CMAKE_CXX_COMPILER CMAKE_CXX_FLAGS_RELEASE CMAKE_CXX_FLAGS_DEBUG; do
  options+=("-D$variable=$(cached $variable)")
done
prefixes=$(cached CMAKE_PREFIX_PATH)
if [ "$mode" = installed ]; then
  cp "$here/suite_main.cpp" "$here/threads.cpp" "$work"
  cat >>"$work/CMakeLists.txt" <<'CMAKE'
add_executable(threads threads.cpp)
target_link_libraries(threads PRIVATE roofline::roofline)
add_executable(steps steps.cpp)
target_link_libraries(steps PRIVATE roofline::roofline)
add_executable(counted counted.cpp)
target_link_libraries(counted PRIVATE roofline::kernel)
add_executable(suite suite_main.cpp apps/axpy/cpu.cpp)
target_link_libraries(suite PRIVATE roofline::kernel)
target_include_directories(suite PRIVATE .)
CMAKE
  prefixes="$library;$prefixes"
  # A sanitizer's checks part products from their sums.
  if grep -qw fma /proc/cpuinfo && [[ ${options[*]} != *-fsanitize* ]]; then
    cat >>"$work/CMakeLists.txt" <<'CMAKE'
file(COPY_FILE ${CMAKE_CURRENT_SOURCE_DIR}/counted.cpp ${CMAKE_CURRENT_BINARY_DIR}/contracted.cpp)
add_executable(contracted ${CMAKE_CURRENT_BINARY_DIR}/contracted.cpp)
target_link_libraries(contracted PRIVATE roofline::kernel)
# A source's own options come after those that the library brings along.
set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/contracted.cpp PROPERTIES
  COMPILE_OPTIONS "-O2;-mfma;-ffp-contract=fast")
CMAKE
  fi
else
  sed -i "s|^find_package.*|add_subdirectory($library roofline)|" "$work/CMakeLists.txt"
  options+=("-DCMAKE_CXX_COMPILER_LAUNCHER=$here/reuse_objects.sh")
  export ROOFLINE_BUILD=$build
fi
cmake -G Ninja -S "$work" -B "$work/build" "${options[@]}" "-DCMAKE_PREFIX_PATH=$prefixes" >"$work/log" 2>&1 || { cat "$work/log"; fail configure; }
cmake --build "$work/build" --parallel 2 >"$work/log" 2>&1 || { tail -40 "$work/log"; fail build; }

# As before: nothing of ours is seen, and the check counts all the same.
run 0 build/axpy --benchmark_min_time=0.01
silent 'roofline|GFLOP|FLOP/s' "$work/out"
run 1 build/wrong --benchmark_min_time=0.01
says 'y is not a x \+ y' "$work/out"

# A roofline: the table with ceilings and percentages, and files. Ceilings that were not measured on this machine before
# are measured now.
run 0 build/axpy --roofline --ceilings=auto --benchmark_min_time=0.01
says 'GFLOP/s +FP64 FMA [0-9.]+' "$work/out"
says 'GB/s .*DRAM [0-9.]+ ' "$work/out"
says '^axpy/1024 .*[ ~][0-9]+ % ' "$work/out"  # next to other programs there is no interval
says '^<svg' "$work/roofline-out/roofline.svg"
says '"efficiency"' "$work/roofline-out/run.json"
says '^axpy/4194304,axpy,1,' "$work/roofline-out/efficiency.csv"
if [ "$mode" = subdirectory ]; then
  [ ! -e "$work/build/roofline/bin" ] && [ ! -e "$work/build/roofline/roofline_tests" ] || fail "more than the library was built"
  exit 0
fi

run 1 build/wrong --roofline --ceilings=none --roofline-out=no --benchmark_min_time=0.01
says 'axpy/1024: y is not a x \+ y' "$work/err"
says 'built without optimisation' "$work/out"
silent 'axpy/1024,' "$work/no/efficiency.csv"
run 0 build/axpy --roofline --ceilings=roofline-out/run.json --benchmark_format=json --benchmark_min_time=0.01
says '"AI_L1"' "$work/out" # arrays of 96 MB stay in the last cache of some machines
silent 'roofline:|built without|built for' "$work/out"
run 1 build/axpy --benchmark_fliter=x
says 'did you mean --benchmark_filter' "$work/err"
run 0 build/axpy --roofline --ceilings=none --benchmark_format=csv --benchmark_out=rows.csv --benchmark_out_format=csv \
  --benchmark_min_time=0.01 --benchmark_filter=1024
says '"flops"' "$work/rows.csv"
run 2 build/axpy --roofline --ceilings=quik
says 'did you mean quick' "$work/err"
run 2 build/axpy --roofline-out=somewhere
says 'only with --roofline' "$work/err"
sed 's/"fingerprint": "/&not /' "$here/../../results/epyc-zen5-2cores/run.json" >"$work/foreign.json"
run 3 build/axpy --roofline --ceilings=foreign.json
run 4 build/axpy --roofline --roofline-out=/dev/null/x

run 0 build/steps
says '^whole +1 +1 ' "$work/err"
says '^  sum +1 +1 .* [0-9.]+ +$|^  sum .* [A-Z0-9]+ +[0-9.]+' "$work/err"
ROOFLINE_REGIONS=off run 0 build/steps
silent Regions "$work/err"

run 0 build/counted --benchmark_min_time=0.01
run 0 build/counted --roofline --benchmark_min_time=0.01 --roofline-out=counted-out
says '^lengths/1048576,lengths,[0-9]+,1,.*,4194304,' "$work/counted-out/efficiency.csv"
says ',software,' "$work/counted-out/efficiency.csv"

# Rows of one and of two threads, in any order: a folder for each number, and no parallel region.
run 0 build/threads --roofline --ceilings=none --benchmark_min_time=0.001 --roofline-out=new/threads-out
for row in '"flops": 8\.1920+e\+03 1' '"flops": 1\.63840+e\+04 2' '"flops": 3\.27680+e\+04 2'; do
  says "${row% *}" "$work/new/threads-out/threads-${row##* }/run.json"
  silent '"regions"' "$work/new/threads-out/threads-${row##* }/run.json"
done

if [ -x "$work/build/contracted" ]; then
  run 2 build/contracted
  says 'link roofline::kernel, or compile it with -ffp-contract=off' "$work/err"
fi

run 0 build/suite --list
says '^ *axpy' "$work/out"
run 0 build/suite --verify --axpy=4096 --benchmark_filter=axpy
says 'verified 1 of 1' "$work/out"
run 0 build/suite --axpy=4096 --ceilings=none --out=suite-out --benchmark_filter=axpy
says 'axpy/n:4096' "$work/suite-out/names.txt"
