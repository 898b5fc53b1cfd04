#!/usr/bin/env bash
# Throws damaged input at all that reads bytes: `scripts/fuzz.sh [SECONDS [AT_ONCE]]` runs each libFuzzer
# target of tests/fuzz, and tries each property of the JavaScript parsers, for so many seconds (600
# unless told), at most so many at once (as there are processors, unless told). What the targets found
# interesting stays in build/fuzz/corpus, where the next run begins; an input that fails is written to
# build/fuzz, and its path printed. fast-check prints the input that fails a property.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-600} at_once=${2:-$(nproc)}
for number in "$seconds" "$at_once"; do
  [[ "$number" =~ ^[1-9][0-9]*$ ]] || {
    echo "fuzz: expected a number from 1, found $number" >&2
    exit 1
  }
done

targets=(tests/fuzz/*_fuzz.cpp)
# What reads files and addresses of others; each has one property or more.
properties=(
  tests/engine/files/{checkpoint,hub,model-config,model-store,safetensors}.test.js
  tests/engine/text/{charsmap,tokenizer,vocabulary-files}.test.js
  tests/attention/{import-attention,interventions}.test.js
  tests/{page/address,routes/routes}.test.js
)

bash scripts/setup.sh --test
cmake --preset asan --log-level=WARNING >/dev/null
names=("${targets[@]##*/}")
cmake --build --preset asan --target "${names[@]%.cpp}" -- --quiet
npm run --silent build:wasm

fuzz_target() {
  local name corpus
  name=$(basename "$1" .cpp)
  corpus=build/fuzz/corpus/$name
  mkdir -p "$corpus"
  # Some tensors ask for more memory than there is, and must be refused.
  ASAN_OPTIONS=allocator_may_return_null=1 "build/asan/tests/fuzz/$name" -max_total_time="$seconds" \
    -max_len=4096 -timeout=20 -verbosity=0 -print_funcs=0 -print_final_stats=1 \
    -artifact_prefix="build/fuzz/$name-" "$corpus"
}
try_properties() {
  FUZZ_SECONDS=$seconds node --import "$PWD/tests/fuzz/properties.mjs" --test --test-reporter=tap "$1"
}
# Prints what one run said when it ends, so that runs at once are told apart.
run() {
  local output rc=0 start=$SECONDS
  case "$1" in
    *.cpp) output=$(fuzz_target "$1" 2>&1) || rc=$? ;;
    *) output=$(try_properties "$1" 2>&1) || rc=$? ;;
  esac
  echo "fuzz: $1: $([ $rc = 0 ] && echo nothing found || echo FAILED) in $((SECONDS - start)) s"
  grep -oE '(number_of_executed_units|tries of a property): *[0-9]+' <<<"$output" || true
  [ $rc = 0 ] || echo "$output"
  return $rc
}
export -f run fuzz_target try_properties
export seconds
printf '%s\n' "${targets[@]}" "${properties[@]}" | xargs -P "$at_once" -I{} bash -c 'run {}'
