#!/usr/bin/env bash
# Every check and test, each step timed; all steps run, and any failure fails the whole.
set -uo pipefail
cd "$(dirname "$0")/.." || exit

bash scripts/setup.sh --test || exit 1

failed=()
step() {
  local name=$1 start=$SECONDS
  shift
  echo "=== $name"
  "$@" || failed+=("$name")
  echo "=== $name: $((SECONDS - start)) s"
}

check_format() {
  git ls-files '*.cpp' '*.h' | xargs clang-format --dry-run --Werror && npx prettier --check --log-level warn .
}
check_types() {
  npx tsc -p web/engine && npx tsc -p web/page && npx tsc -p scripts && npx tsc -p tests
}
cpp_tests() {
  cmake --preset "$1" --log-level=WARNING -DBERTSCOPE_TESTS=ON >/dev/null &&
    cmake --build --preset "$1" -- --quiet &&
    ctest --preset "$1" --parallel "$(nproc)" --progress --no-tests=error
}
lint_cpp() {
  # The sources of the native build: WebAssembly's intrinsics mean nothing to Debian's clang-tidy.
  local log=build/clang-tidy.log
  run-clang-tidy -quiet -p build/native "$PWD/src/" >$log 2>&1 || {
    grep -E '(warning|error):' $log || tail $log
    return 1
  }
}

# Two files at once: a browser waits more than it works. On a busy machine one now and then misses a
# deadline, so a file that fails gets one more run, alone, which is reported; what is broken fails twice.
browser_tests() {
  local logs=build/browser-tests file failed=()
  rm -rf $logs && mkdir -p $logs || return 1
  run() {
    local name
    name=$1/$(basename "$2")
    node --test --test-concurrency=1 "$2" >"$name.log" 2>&1 && touch "$name.passed"
    cat "$name.log"
  }
  export -f run
  printf '%s\n' tests/browser/*.test.js | xargs -P 2 -I{} bash -c "run $logs {}"
  for file in tests/browser/*.test.js; do
    [ -f "$logs/$(basename "$file").passed" ] || failed+=("$file")
  done
  for file in "${failed[@]}"; do
    echo "=== $file failed: running it once more"
    node --test --test-concurrency=1 "$file" || return 1
    echo "=== $file: passed at the second run"
  done
}

step "native C++ tests" cpp_tests native
step "sanitized C++ tests" cpp_tests asan
step "WebAssembly C++ tests" cpp_tests wasm
step "format" check_format
step "types" check_types
step "clang-tidy" lint_cpp
step "page and package build" npm run --silent build
step "offline file" npm run --silent pack:offline
step "JavaScript tests" node --test $(git ls-files 'tests/*.test.js' ':!tests/browser')
step "fuzzing, 30 s each" bash scripts/fuzz.sh 30 99
step "training chain" bash tests/train/smoke.sh
step "browser tests" browser_tests

if [ ${#failed[@]} -gt 0 ]; then
  printf 'failed: %s\n' "${failed[@]}"
  exit 1
fi
echo "all steps passed in $SECONDS s"
