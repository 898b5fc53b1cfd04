#!/usr/bin/env bash
# Installs what bertscope needs on Debian 12 (or a newer one) and is not there yet; run it any number
# of times. `--test` adds what only the tests need, `--all-engines` Firefox, WebKitGTK, nginx and Caddy,
# which they use where they are. Node 20.19 or newer and git are expected.
set -euo pipefail
cd "$(dirname "$0")/.."

build_packages=(emscripten cmake ninja-build libeigen3-dev clang-19 lld-19)
test_packages=(g++ clang-format clang-tidy catch2 nlohmann-json3-dev chromium libclang-rt-19-dev)
engine_packages=(firefox-esr webkit2gtk-driver xvfb nginx-light libnginx-mod-http-brotli-static caddy)

fail() {
  echo "setup: $*" >&2
  exit 1
}

node_version=$(node --version 2>/dev/null) || node_version=none
newest=$(printf '%s\n' v20.19.0 "$node_version" | sort -V | tail -n 1)
[ "$node_version" != none ] && [ "$newest" = "$node_version" ] ||
  fail "expected Node 20.19 or newer on PATH, found $node_version; see https://nodejs.org"

packages=("${build_packages[@]}")
for option in "$@"; do
  case "$option" in
    --test) packages+=("${test_packages[@]}") ;;
    --all-engines) packages+=("${engine_packages[@]}") ;;
    *) fail "expected --test or --all-engines, found $option" ;;
  esac
done

# An emsdk on PATH does as well as Debian's Emscripten.
command -v emcc >/dev/null && packages=("${packages[@]/emscripten/}")

missing=()
for package in "${packages[@]}"; do
  [ -z "$package" ] || [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
    missing+=("$package")
done

if [ ${#missing[@]} -gt 0 ]; then
  install="apt-get install -y --no-install-recommends ${missing[*]}"
  if [ "$(id -u)" = 0 ]; then
    as_root=
  elif sudo -n true 2>/dev/null; then
    as_root=sudo
  else
    fail "missing packages; install them with: sudo $install"
  fi
  echo "setup: installing ${missing[*]}" >&2
  $as_root apt-get update -qq ||
    echo "setup: apt-get update failed; trying the package lists that are here" >&2
  $as_root env DEBIAN_FRONTEND=noninteractive $install >/dev/null ||
    fail "apt-get failed; try by hand: ${as_root:+sudo }$install"
  # The tests start web servers of their own; none should run on this machine because of them.
  for service in nginx caddy; do
    [[ " ${missing[*]} " != *" $service"* ]] ||
      $as_root systemctl disable --now "$service" >/dev/null 2>&1 || true
  done
fi

# npm writes this file when it has installed exactly what package-lock.json says.
if [ ! node_modules/.package-lock.json -nt package-lock.json ]; then
  echo "setup: installing npm packages" >&2
  npm ci --include=dev --no-fund --no-audit --loglevel=error
  touch node_modules/.package-lock.json
fi
