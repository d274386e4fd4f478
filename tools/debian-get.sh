#!/bin/sh
# Downloads one package of a Debian suite through apt, which checks its signature with Debian's keys, and unpacks one
# program of it without installing anything. It comes from the machine's own source of Debian's packages; on Ubuntu, which
# has none, from Debian's public address, and the keys from Ubuntu's package debian-archive-keyring. So the program may need no library but the C library. Use a
# newer suite if the package of Debian 12 is too old (NATS, Docker Compose), and this suite if installing would start a
# daemon (promtool).
# Usage: debian-get.sh DIR SUITE PACKAGE[:ARCHITECTURE] FILE   ->   DIR/FILE, which may be a folder
#        debian-get.sh nats forky nats-server usr/sbin/nats-server
set -eu
dir=$(mkdir -p "${1:?folder}" && cd "$1" && pwd)
suite=${2:?suite}
package=${3:?package}
architecture=$(dpkg --print-architecture)
case $package in *:*) architecture=${package#*:} package=${package%:*} ;; esac
file=${4:?file}
[ -x "$dir/$file" ] && exit 0

apt=$dir/apt
rm -rf "$apt"
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
if [ -f /etc/apt/sources.list.d/debian.sources ]; then
  awk 'BEGIN{RS="";ORS="\n\n"} /-updates/' /etc/apt/sources.list.d/debian.sources |
    sed -E -e '/^#/d' -e "s/^Suites:.*/Suites: $suite/" >"$apt/suite.sources"
elif grep -q '^ID=debian' /etc/os-release; then
  # The old format: "deb [options] ADDRESS bookworm main".
  sed -nE "s/^(deb (\\[[^]]*\\] )?[^ ]+) [a-z]+ (main).*/\\1 $suite \\3/p" /etc/apt/sources.list | head -n 1 >"$apt/suite.list"
else
  keys=/usr/share/keyrings/debian-archive-keyring.gpg
  [ -e "$keys" ] || { echo 'Please install debian-archive-keyring.' >&2; exit 1; }
  echo "deb [signed-by=$keys] http://deb.debian.org/debian $suite main" >"$apt/suite.list"
fi
source=$(ls "$apt"/suite.*)

set -- -q -o Dir::Etc::sourcelist="$source" -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists="$apt/lists" \
  -o Dir::Cache="$apt/cache" -o APT::Architecture="$architecture" -o Acquire::Check-Valid-Until=false -o APT::Sandbox::User=root
apt-get "$@" update >/dev/null
(cd "$apt" && apt-get "$@" download "$package" >/dev/null)
dpkg -x "$apt/$package"_*.deb "$apt/unpacked"
# Moves the file into place last, so that an interrupted download leaves nothing that looks finished.
mkdir -p "$(dirname "$dir/$file")"
mv "$apt/unpacked/$file" "$dir/$file"
rm -rf "$apt"
