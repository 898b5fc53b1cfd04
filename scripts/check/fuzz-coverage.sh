#!/usr/bin/env bash
# Prints which lines of src the libFuzzer targets reach together: `npm run fuzz -- --coverage`.
set -euo pipefail
cd "$(dirname "$0")/../.."

bash scripts/setup.sh --test --coverage
build=build/coverage
cmake --preset asan -B $build -DCMAKE_CXX_FLAGS='-fprofile-instr-generate -fcoverage-mapping' --log-level=WARNING >/dev/null
programs=()
for source in tests/fuzz/*_fuzz.cpp; do
  name=$(basename "$source" .cpp)
  cmake --build $build --target "$name" -- --quiet >/dev/null
  mkdir -p "build/fuzz/corpus/$name"
  ASAN_OPTIONS=allocator_may_return_null=1 LLVM_PROFILE_FILE="$build/$name.profraw" "$build/tests/fuzz/$name" \
    -runs=0 -verbosity=0 "tests/fuzz/corpus/$name" "build/fuzz/corpus/$name" 2>/dev/null
  programs+=("$build/tests/fuzz/$name")
done
llvm-profdata-19 merge -o $build/all.profdata $build/*.profraw
others=("${programs[@]:1}")
exec llvm-cov-19 report "${programs[0]}" "${others[@]/#/-object=}" -instr-profile=$build/all.profdata src
