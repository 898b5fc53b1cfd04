#!/usr/bin/env bash
# Every check and test, each step timed; all steps run, and any failure fails the whole.
set -uo pipefail
cd "$(dirname "$0")/.."

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
  npx tsc -p web/engine && npx tsc -p web/page && npx tsc -p scripts
}
cpp_tests() {
  cmake --preset "$1" --log-level=WARNING >/dev/null &&
    cmake --build --preset "$1" -- --quiet &&
    ctest --preset "$1" --progress
}
lint_cpp() {
  find src -name '*.cpp' ! -name '*_simd128.cpp' ! -path 'src/wasm/*' -print0 |
    xargs -0 -P 2 -n 3 clang-tidy --quiet -p build/native 2>/dev/null
}

step "native C++ tests" cpp_tests native
step "sanitized C++ tests" cpp_tests asan
step "WebAssembly C++ tests" cpp_tests wasm
step "format" check_format
step "types" check_types
step "clang-tidy" lint_cpp
step "page and package build" npm run --silent build
step "JavaScript tests" node --test tests/engine tests/views tests/cli
step "training chain" bash tests/train/smoke.sh
step "browser tests" node --test --test-concurrency=1 tests/browser

if [ ${#failed[@]} -gt 0 ]; then
  printf 'failed: %s\n' "${failed[@]}"
  exit 1
fi
echo "all steps passed in $SECONDS s"
