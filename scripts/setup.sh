#!/usr/bin/env bash
# Installs the Debian packages of scripts/packages.txt and the npm packages that are missing; run it any
# number of times. Without options it installs what `npm start` builds with; --test, --bench, --train,
# --published, --notebook, --scorm and --coverage add what is listed for these purposes. Node 20.19 or newer and git are expected to be there.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
  echo "setup: $*" >&2
  exit 1
}

node_version=$(node --version 2>/dev/null) || node_version=none
newest=$(printf '%s\n' v20.19.0 "$node_version" | sort -V | tail -n 1)
[ "$node_version" != none ] && [ "$newest" = "$node_version" ] ||
  fail "expected Node 20.19 or newer on PATH, found $node_version; see https://nodejs.org"

purposes=build
for option in "$@"; do
  case "$option" in
    --test | --bench | --train | --published | --notebook | --scorm | --coverage) purposes+="|${option#--}" ;;
    *) fail "expected --test, --bench, --train, --published, --notebook, --scorm or --coverage, found $option" ;;
  esac
done

missing=()
while read -r package needed_for _; do
  [[ ",$needed_for," =~ ,($purposes), ]] || continue
  # An emsdk on PATH is used as it is.
  [ "$package" != emscripten ] || ! command -v emcc >/dev/null || continue
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
done < <(grep -E '^[a-z]' scripts/packages.txt)

if [ ${#missing[@]} -gt 0 ]; then
  install="apt-get install -y --no-install-recommends ${missing[*]}"
  if [ "$(id -u)" = 0 ]; then
    as_root=
  elif sudo -n true 2>/dev/null; then
    as_root=sudo
  else
    fail $'packages are missing. Type this line, then try again:\n'"sudo apt-get update && sudo $install"
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
