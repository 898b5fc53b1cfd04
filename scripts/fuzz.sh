#!/usr/bin/env bash
# Builds the fuzz targets of tests/fuzz and runs each for `scripts/fuzz.sh [SECONDS]`, 600 unless
# told. What they found interesting stays in build/fuzz/corpus, where the next run begins; an input
# that fails is written to build/fuzz, and its path printed. Then every property of the JavaScript
# parsers is tried for as long; fast-check prints the seed of one that fails.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-600}
[[ "$seconds" =~ ^[1-9][0-9]*$ ]] || {
  echo "fuzz: expected a number of seconds, found $seconds" >&2
  exit 1
}

links_fuzzer() {
  echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' |
    "$1" -fsanitize=fuzzer,address -x c++ - -o /dev/null 2>/dev/null
}
compiler=
for candidate in clang++-22 clang++-21 clang++-20 clang++-19; do
  links_fuzzer $candidate && compiler=$candidate && break
done
[ -n "$compiler" ] || {
  echo "fuzz: skipped: expected a clang with libFuzzer (libclang-rt-19-dev), found none"
  exit 0
}

cmake --preset fuzz --log-level=WARNING -DCMAKE_CXX_COMPILER="$compiler" >/dev/null
cmake --build --preset fuzz -- --quiet
for source in tests/fuzz/*_fuzz.cpp; do
  target=$(basename "$source" .cpp)
  program=build/fuzz/tests/fuzz/$target
  mkdir -p "build/fuzz/corpus/$target"
  echo "fuzz: $target for $seconds s"
  # Some tensors ask for more memory than there is, and must be refused.
  ASAN_OPTIONS=allocator_may_return_null=1 "$program" -max_total_time="$seconds" -max_len=4096 \
    -timeout=20 -verbosity=0 -print_funcs=0 -print_final_stats=1 \
    -artifact_prefix="build/fuzz/$target-" "build/fuzz/corpus/$target"
done

echo "fuzz: properties of the parsers, each for $seconds s"
FUZZ_SECONDS=$seconds NODE_OPTIONS="--import=$PWD/tests/fuzz/properties.mjs" \
  node --test --test-reporter=spec tests/engine/{charsmap,checkpoint,config,hub,safetensors}.test.js
