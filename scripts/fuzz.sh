#!/usr/bin/env bash
# Feeds damaged input to everything that reads files or messages of others.
#
#   scripts/fuzz.sh [SECONDS [AT_ONCE]]
#     Each libFuzzer target of tests/fuzz runs on its inputs in tests/fuzz/corpus and then on new ones, and each
#     property of the JavaScript parsers and of the bindings is tried, for SECONDS each (600 unless given),
#     AT_ONCE at once (as many as there are processors unless given). Inputs that reach new code stay in
#     build/fuzz/corpus, where the next run begins.
#   scripts/fuzz.sh --tries TRIES TEST...
#     Tries each property of these JavaScript tests TRIES times, and counts the faults or the links that they tried.
#   scripts/fuzz.sh --kernels [VALUES]
#     Compares the kernels with the scalar ones, bit for bit, in Chromium, Firefox and WebKitGTK, until each kernel
#     set has computed VALUES values (10^8 unless given).
#   scripts/fuzz.sh --pages [BROWSER...]
#     Opens every file of the corpus in the page in Chromium, Firefox and WebKitGTK, and prints how long the page was
#     blocked at most, how soon the embedded model draws afterwards, and what memory a file took in Chromium.
#   scripts/fuzz.sh --sinks [--texts TEXTS] [--engine chromium|firefox|webkitgtk] [--seed SEED]
#     Sends TEXTS hostile texts (1000 unless given) through what the page draws, opens, saves and copies, and prints which
#     of them ran a script, asked for something or became an element.
#   scripts/fuzz.sh --coverage
#     Prints which lines of src the libFuzzer targets reach together with their inputs in tests/fuzz/corpus and those that
#     runs have kept.
#   scripts/fuzz.sh --short
#     Only the targets, for 3 seconds each after their inputs in tests/fuzz/corpus; keeps nothing. The
#     JavaScript tests have tried the properties.
#
# An input that fails is written to build/fuzz, and its path printed. fast-check prints the input that fails a
# property.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "${1-}" = --kernels ]; then
  bash scripts/setup.sh --test
  cmake --preset wasm --log-level=WARNING -DBERTSCOPE_TESTS=ON >/dev/null
  cmake --build --preset wasm --target engine_comparison bertscope-relaxed -- --quiet
  exec node tests/fuzz/kernels.mjs "${2-100000000}"
fi

if [ "${1-}" = --pages ]; then
  bash scripts/setup.sh --test
  npm run --silent build
  exec node tests/fuzz/pages.mjs "${@:2}"
fi

if [ "${1-}" = --sinks ]; then
  bash scripts/setup.sh --test
  npm run --silent build
  exec node tests/fuzz/sinks.mjs "${@:2}"
fi

[ "${1-}" != --coverage ] || exec bash scripts/check/fuzz-coverage.sh

properties=(
  tests/engine/files/{checkpoint,gguf-refusals,hub,model-config,model-store,safetensors,sentencepiece,tabs}.test.js
  tests/engine/{any-call,host/bindings,host/helper-faults}.test.js
  tests/engine/text/{charsmap,tokenizer,vocabulary-files}.test.js
  tests/attention/{import-attention,interventions}.test.js
  tests/{fuzz/{hostile-files,hostile-texts},lessons/answers,page/address,routes/routes,{scope/faults,session/consent}}.test.js
)
targets=(tests/fuzz/*_fuzz.cpp)
kept=build/fuzz/corpus
case "${1-}" in
  --short)
    set -- 3 "${@:2}"
    properties=()
    kept=build/fuzz/short
    rm -rf $kept
    ;;
  --tries)
    export FUZZ_TRIES=${2-}
    properties=("${@:3}")
    targets=()
    set --
    ;;
esac
seconds=${1:-600} at_once=${2:-$(nproc)}
for number in "$seconds" "$at_once"; do
  [[ "$number" =~ ^[1-9][0-9]*$ ]] || {
    echo "fuzz: expected a number from 1, found $number" >&2
    exit 1
  }
done

bash scripts/setup.sh --test
if [ ${#targets[@]} -gt 0 ]; then
  names=("${targets[@]##*/}")
  cmake --preset asan --log-level=WARNING >/dev/null
  cmake --build --preset asan --target "${names[@]%.cpp}" -- --quiet
fi
[ ${#properties[@]} = 0 ] || npm run --silent build:wasm

fuzz_target() {
  local name=$1
  mkdir -p "$kept/$name"
  # Some tensors ask for more memory than there is, and must be refused.
  ASAN_OPTIONS=allocator_may_return_null=1 "build/asan/tests/fuzz/$name" -max_total_time="$seconds" \
    -max_len=4096 -timeout=20 -verbosity=0 -print_funcs=0 -print_final_stats=1 \
    -artifact_prefix="build/fuzz/$name-" "$kept/$name" "tests/fuzz/corpus/$name"
}
try_properties() {
  FUZZ_SECONDS=$seconds node --import "$PWD/tests/fuzz/properties.mjs" --test --test-reporter=tap "$1"
}
# Prints the output of a run when it ends, so that runs at once are told apart.
run() {
  local output rc=0 start=$SECONDS
  case "$1" in
    *.cpp) output=$(fuzz_target "$(basename "$1" .cpp)" 2>&1) || rc=$? ;;
    *) output=$(try_properties "$1" 2>&1) || rc=$? ;;
  esac
  echo "fuzz: $1: $([ $rc = 0 ] && echo nothing found || echo FAILED) in $((SECONDS - start)) s"
  grep -oE '(number_of_executed_units|tries of a property|injected faults|questions asked): *[0-9]+' <<<"$output" || true
  [ $rc = 0 ] || echo "$output"
  return $rc
}
export -f run fuzz_target try_properties
export seconds kept
printf '%s\n' "${targets[@]}" "${properties[@]}" | xargs -P "$at_once" -I{} bash -c 'run {}'
