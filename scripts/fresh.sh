#!/usr/bin/env bash
# Proves the README's two commands on a machine where nothing is installed: makes a minimal Debian root with
# Node and git alone, clones the commit that is checked out, and runs there `npm start`, until a browser has
# seen the first attention drawn, and then `npm test`. Needs root, for chroot and mounts.
#
#   scripts/fresh.sh [--debian 12|13] [--node 20|22] [--user] [--keep]
#
# `--user` runs the two commands as a user without root rights, who types the line that they print.
# `--keep` leaves the root behind, without any mount, and prints where it is.
set -euo pipefail

debian=12 node=20 as_user= keep=
say() { echo "fresh: $*"; }
fail() {
  echo "fresh: $*" >&2
  exit 1
}
while [ $# -gt 0 ]; do
  case "$1" in
    --debian | --node)
      [ $# -gt 1 ] || fail "$1: expected a version, found none"
      declare "${1#--}=$2"
      shift
      ;;
    --user) as_user=1 ;;
    --keep) keep=1 ;;
    *) fail "expected --debian, --node, --user or --keep, found $1" ;;
  esac
  shift
done
case "$debian" in
  12) suite=bookworm ;;
  13) suite=trixie ;;
  *) fail "--debian: expected 12 or 13, found $debian" ;;
esac
# The npm that Node's own archive of that version carries.
case "$node" in
  20) node_version=20.20.2 npm_version=10.8.2 ;;
  22) node_version=22.23.3 npm_version=10.9.9 ;;
  *) fail "--node: expected 20 or 22, found $node" ;;
esac
[ "$(id -u)" = 0 ] || fail "expected root, which chroot and mounts need, found user $(id -un)"

# Everything else happens in namespaces of its own. When this script ends, for whatever reason, the kernel ends
# every process and every mount in them.
if [ -z "${FRESH_ROOT-}" ]; then
  options=(--debian "$debian" --node "$node" ${as_user:+--user})
  FRESH_ROOT=$(mktemp -d /var/tmp/bertscope-fresh-XXXXXX)
  chmod 755 "$FRESH_ROOT"
  export FRESH_ROOT
  if [ -n "$keep" ]; then
    trap 'say "the root is left at $FRESH_ROOT"' EXIT
  else
    trap 'rm -rf --one-file-system "$FRESH_ROOT"' EXIT
  fi
  setpriv --pdeathsig KILL unshare --mount --pid --ipc --fork --kill-child --mount-proc \
    bash "$0" "${options[@]}" </dev/null &
  inside=$!
  trap 'kill -KILL "$inside"; wait "$inside" || true; exit 130' INT TERM HUP
  wait "$inside"
  exit
fi

cd "$(dirname "$0")/.."
root=$FRESH_ROOT
stage="the start"
trap '[ $? = 0 ] || echo "fresh: stopped at: $stage" >&2' EXIT
begin() {
  stage=$1 since=$SECONDS
  say "$stage"
}
end() { say "$stage: $((SECONDS - since)) s"; }

case "$(dpkg --print-architecture)" in
  amd64) architecture=x64 ;;
  arm64) architecture=arm64 ;;
  *) fail "expected an amd64 or arm64 machine, found $(dpkg --print-architecture)" ;;
esac
say "$(git log -1 --format='commit %h, %s')"
[ -z "$(git status --porcelain)" ] || say "what is not committed is not tested"

begin "a minimal Debian $debian with Node $node_version, npm $npm_version and git"
command -v debootstrap >/dev/null || {
  apt-get update -qq || say "apt-get update failed; trying the package lists that are here"
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends debootstrap >/dev/null
}
mirror=http://deb.debian.org
said=$(debootstrap --variant=minbase --include=ca-certificates,git "$suite" "$root" "$mirror/debian" 2>&1) || {
  tail <<<"$said" >&2
  exit 1
}
cat >"$root/etc/apt/sources.list" <<END
deb $mirror/debian $suite main
deb $mirror/debian $suite-updates main
deb $mirror/debian-security $suite-security main
END
# The network settings of this machine apply in the root too.
cp /etc/resolv.conf /etc/hosts "$root/etc/"
if [ -n "${NODE_EXTRA_CA_CERTS-}" ]; then
  cp "$NODE_EXTRA_CA_CERTS" "$root/etc/ssl/certs/ca-certificates.crt"
fi
# The npm registry has Node's own builds as packages.
packages=$root/usr/local/lib/node_modules
mkdir -p "$packages/node" "$packages/npm"
for package in "node-linux-$architecture@$node_version" "npm@$npm_version"; do
  archive=$(cd "$root/tmp" && npm pack --silent "$package")
  tar -xzf "$root/tmp/$archive" -C "$packages/${package%%[-@]*}" --strip-components=1
done
ln -s ../lib/node_modules/node/bin/node ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/"
ln -s npm-cli.js "$root/usr/local/bin/npm"
ln -s ../lib/node_modules/npm/bin/npx-cli.js "$root/usr/local/bin/npx"

mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/dev/shm"
inside() {
  chroot --userspec="$user" "$root" env -i PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin LANG=C.UTF-8 \
    HOME="$home" ${CI+CI="$CI"} \
    ${NODE_EXTRA_CA_CERTS+NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt} \
    ${http_proxy+http_proxy="$http_proxy"} ${https_proxy+https_proxy="$https_proxy"} \
    ${no_proxy+no_proxy="$no_proxy"} bash -c 'cd; [ ! -d bertscope ] || cd bertscope; "$@"' -- "$@"
}
if [ -n "$as_user" ]; then
  user=reader home=/home/reader
  chroot "$root" useradd --create-home "$user"
else
  user=root home=/root
fi
git bundle create --quiet "$root/tmp/bertscope.bundle" HEAD
inside git -c advice.detachedHead=false clone --quiet /tmp/bertscope.bundle bertscope
end

# A user without root rights is told what to install; an administrator types that.
install_as_told() {
  [ -n "$as_user" ] || return 0
  local told line
  told=$(inside bash scripts/setup.sh "$@" 2>&1) && return
  line=$(grep '^sudo ' <<<"$told") && [ "$(wc -l <<<"$line")" = 1 ] ||
    fail "expected one line to type, found: $told"
  say "as told: $line"
  user=root inside env DEBIAN_FRONTEND=noninteractive bash -c "${line//sudo /}" >/dev/null
}

begin "npm start"
install_as_told
address=http://localhost:4173/
answers() { inside node -e 'fetch(process.argv[1]).catch(() => process.exit(1))' "$address"; }
! answers || fail "expected nothing at $address yet, found a server: end it first"
set -m # a process group of its own, which can be ended as a whole
inside npm start &
start=$!
set +m
until answers; do
  kill -0 $start 2>/dev/null || fail "npm start ended before the page answered"
  [ $((SECONDS - since)) -lt 900 ] || fail "expected the page at $address within 900 s"
  sleep 1
done
end

begin "what npm test installs"
install_as_told --test
inside bash scripts/setup.sh --test
end

begin "a browser at $address"
inside node tests/browser/visit.js "$address"
end
kill -- "-$start"

begin "npm test"
inside npm test | tee "$root/tmp/npm-test.log"
[[ "$(tail -n 1 "$root/tmp/npm-test.log")" =~ ' 0 failed, 0 skipped'$ ]] || fail "expected no test to be skipped"
end
say "passed in $SECONDS s"
