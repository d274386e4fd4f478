#!/bin/sh
# A current nats-server on Debian 12, whose own package is 2.9: takes the one of a newer Debian suite through the machine's
# own apt sources and keys (apt checks the signature) and unpacks it. The binary is static; nothing is installed.
# Usage: nats-get.sh DIR   ->   DIR/usr/sbin/nats-server
set -eu
dir=$(mkdir -p "${1:?folder}" && cd "$1" && pwd)
[ -x "$dir/usr/sbin/nats-server" ] && exit 0

apt=$dir/apt
rm -rf "$apt"
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
if [ -f /etc/apt/sources.list.d/debian.sources ]; then
  awk 'BEGIN{RS="";ORS="\n\n"} /-updates/' /etc/apt/sources.list.d/debian.sources |
    sed -E -e '/^#/d' -e 's/^Suites:.*/Suites: forky/' >"$apt/newer.sources"
else
  # The old form: "deb [options] ADDRESS bookworm main".
  sed -nE 's/^(deb .*) bookworm (main).*/\1 forky \2/p' /etc/apt/sources.list | head -n 1 >"$apt/newer.list"
fi
source=$(ls "$apt"/newer.*)

set -- -q -o Dir::Etc::sourcelist="$source" -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists="$apt/lists" \
  -o Dir::Cache="$apt/cache" -o Acquire::Check-Valid-Until=false -o APT::Sandbox::User=root
apt-get "$@" update >/dev/null
(cd "$apt" && apt-get "$@" download nats-server >/dev/null)
dpkg -x "$apt"/nats-server_*.deb "$apt/unpacked"
# Into place at the end: an interrupted fetch leaves nothing that looks finished.
mkdir -p "$dir/usr/sbin"
mv "$apt/unpacked/usr/sbin/nats-server" "$dir/usr/sbin/nats-server"
rm -rf "$apt"
"$dir/usr/sbin/nats-server" --version
