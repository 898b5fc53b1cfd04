#!/usr/bin/env bash
# Every check and test. All steps run; one failure fails the whole. What each step prints is kept in build/test.
# Ends with what was said of each JavaScript test that failed, the seconds of each step and, on the last line, how
# many tests passed, failed and were skipped.
set -uo pipefail
cd "$(dirname "$0")/.." || exit

bash scripts/setup.sh --test || exit 1

logs=build/test
rm -rf $logs && mkdir -p $logs || exit

# What a log says of passed, failed and skipped tests, in the words of Node's test runner and of CTest. A
# step that counts nothing, such as a check of types, is one test.
count() {
  local log=$1 status=$2
  awk -v status="$status" '
    /^(#|ℹ) pass [0-9]+$/ { passed += $3 }
    /^(#|ℹ) (fail|cancelled) [0-9]+$/ { failed += $3 }
    /^(#|ℹ) (skipped|todo) [0-9]+$/ { skipped += $3 }
    /^[0-9]+% tests passed, [0-9]+ tests failed out of [0-9]+$/ { failed += $4; passed += $9 - $4 }
    END {
      if (status != 0 && !failed) failed = 1
      if (status == 0 && !passed) passed = 1
      print passed + 0, failed + 0, skipped + 0
    }' "$log"
}

passed=0 failed=0 skipped=0 summary=
step() {
  local name=$1 start=$SECONDS log status=0 counts
  shift
  log=$logs/${name//[^[:alnum:]]/-}.log
  echo "=== $name"
  "$@" 2>&1 | tee "$log"
  status=${PIPESTATUS[0]}
  read -ra counts < <(count "$log" "$status")
  passed=$((passed + counts[0])) failed=$((failed + counts[1])) skipped=$((skipped + counts[2]))
  summary+=$(printf '%-24s %5d s  %5d passed  %3d failed  %3d skipped' \
    "$name" $((SECONDS - start)) "${counts[@]}")$'\n'
}

check_format() {
  git ls-files '*.cpp' '*.h' | xargs clang-format-19 --dry-run --Werror && npx prettier --check --log-level warn .
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
  # The files of the native build that include all sources of a folder, and the relaxed plug-in, which only
  # WebAssembly can have. A pattern that matches no file is no error to clang-tidy.
  local log=build/clang-tidy.log
  run-clang-tidy-19 -quiet -p build/native bertscope.dir/Unity >$log 2>&1 && grep -q 'for [1-9]' $log &&
    clang-tidy-19 --quiet src/kernels/plugin_relaxed.cpp -- --target=wasm32-unknown-emscripten \
      --sysroot="$(em-config CACHE)/sysroot" -std=c++20 -msimd128 -mrelaxed-simd -I src >>$log 2>&1 || {
    grep -E '(warning|error):' $log || tail $log
    return 1
  }
}
js_tests() {
  # In Node 20 the limit is one of a whole file.
  node --test --test-concurrency="$(nproc)" --test-timeout=1800000 \
    --test-reporter=./tests/support/failures-reporter.js "$@"
}

step "native C++ tests" cpp_tests native
step "sanitized C++ tests" cpp_tests asan
step "WebAssembly C++ tests" cpp_tests wasm
step "format" check_format
step "types" check_types
step "lint" npx oxlint
step "rooms" npm run --silent check:rooms
step "clang-tidy" lint_cpp
step "page and package build" npm run --silent build
step "JavaScript tests" js_tests $(git ls-files 'tests/*.test.js' ':!tests/browser' ':!tests/published' ':!tests/notebook/hosts')
step "fuzzing" bash scripts/fuzz.sh --short
step "training chain" bash tests/train/smoke.sh
step "browser tests" js_tests tests/browser/*.test.js

# Again, since steps that come later print much; at most 25 lines of each.
awk '/^FAILED / { left = 25 } left > 0 { print; left-- }' $logs/*.log
printf '\n%s' "$summary"
echo "in all $SECONDS s"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
