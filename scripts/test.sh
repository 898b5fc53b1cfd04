#!/usr/bin/env bash
# Every check and test. A step runs unless nothing that it reads has changed since it passed; `--all` runs every step.
# One failure fails the whole. What each step prints is kept in build/test.
# Ends with what was said of each JavaScript test that failed, the seconds of each step and, on the last line, how
# many tests passed, failed and were skipped.
#
#   scripts/test.sh [--all]
#   scripts/test.sh --step FUNCTION    runs one step alone: a function of this file
#
# scripts/test/steps.mjs lists the steps and what each reads.
set -uo pipefail
cd "$(dirname "$0")/.." || exit

format() {
  git ls-files '*.cpp' '*.h' | xargs clang-format-19 --dry-run --Werror && npx prettier --check --log-level warn .
}
types() {
  npx tsc -p web/engine && npx tsc -p web/page && npx tsc -p scripts && npx tsc -p tests &&
    npx tsc -p tests/bench/page && npx tsc -p tests/bench/views
}
lint() {
  npx oxlint
}
rooms() {
  npm run --silent check:rooms
}
cpp_tests() {
  cmake --preset "$1" --log-level=WARNING -DBERTSCOPE_TESTS=ON >/dev/null &&
    cmake --build --preset "$1" -- --quiet &&
    ctest --preset "$1" --parallel "$(nproc)" --progress --no-tests=error
}
sanitized_cpp() {
  cpp_tests asan
}
wasm_cpp() {
  cpp_tests wasm
}
lint_cpp() {
  # The files of the native build that include all sources of a folder, and the relaxed plug-in, which only
  # WebAssembly can have. A pattern that matches no file is no error to clang-tidy.
  local log=build/clang-tidy.log
  cmake --preset native --log-level=WARNING -DBERTSCOPE_TESTS=ON >/dev/null &&
    run-clang-tidy-19 -quiet -p build/native bertscope.dir/Unity >$log 2>&1 && grep -q 'for [1-9]' $log &&
    clang-tidy-19 --quiet src/kernels/plugin_relaxed.cpp -- --target=wasm32-unknown-emscripten \
      --sysroot="$(em-config CACHE)/sysroot" -std=c++20 -msimd128 -mrelaxed-simd -I src >>$log 2>&1 || {
    grep -E '(warning|error):' $log || tail $log
    return 1
  }
}
headers() {
  # Each header of src has to include what it uses. Compilers of a folder's sources as one do not tell.
  local alone=(xargs -P "$(nproc)" -I{} clang++-19 -std=c++20 -fsyntax-only -Wall -Wextra -Wshadow -Werror -I src
    -isystem /usr/include/eigen3 -DEIGEN_MPL2_ONLY -DEIGEN_NO_IO -DEIGEN_DONT_VECTORIZE -include {} -x c++ /dev/null)
  git ls-files 'src/*.h' ':!src/wasm' | "${alone[@]}" &&
    git ls-files 'src/wasm/*.h' |
    "${alone[@]}" --target=wasm32-unknown-emscripten --sysroot="$(em-config CACHE)/sysroot" -msimd128
}
fuzzing() {
  bash scripts/fuzz.sh --short
}
training() {
  bash tests/train/smoke.sh
}
page_build() {
  # The browser tests open the comparison of kernels, too.
  npm run --silent build && cmake --preset wasm --log-level=WARNING -DBERTSCOPE_TESTS=ON >/dev/null &&
    cmake --build --preset wasm --target engine_comparison -- --quiet
}
js_tests() {
  local files
  files=$(git ls-files --cached --others --exclude-standard 'tests/*.test.js' \
    ':!tests/browser' ':!tests/published' ':!tests/notebook/hosts')
  # In Node 20 the limit is one of a whole file.
  node --import "$PWD/tests/fuzz/properties.mjs" --test --test-concurrency="$(nproc)" \
    --test-timeout=1800000 --test-reporter=./tests/support/failures-reporter.js $files
}
browser_tests() {
  node tests/browser/run.js tests/browser/*.test.js
}

if [ "${1-}" = --step ]; then
  "$2"
  exit
fi
bash scripts/setup.sh --test || exit 1
exec node scripts/test/main.mjs "$@"
