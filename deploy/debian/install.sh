#!/bin/bash
# From a fresh Debian 12 or 13 or Ubuntu 24.04 to a running Dostar, by the bundle this file lies in.
#
#   install.sh [--answers FILE]        install, or bring an installation to this bundle; a second run changes nothing
#   install.sh --uninstall [--purge]   take the program away; with --purge also accounts, messages, files and secrets
#
# Secrets are made once and never replaced. What it writes lies in /opt/dostar (the program), /etc/dostar (settings,
# secrets), /var/lib/dostar (files), /var/lib/dostar-nats (jobs), /var/lib/dostar-amadeus (the assistant), and in PostgreSQL.
set -euo pipefail
umask 022
export DEBIAN_FRONTEND=noninteractive

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bundle=$(cd "$here/../.." && pwd)
program=/opt/dostar
settings=/etc/dostar
secrets=$settings/secrets
files=/var/lib/dostar
jobs=/var/lib/dostar-nats
assistant_data=/var/lib/dostar-amadeus
units=/etc/systemd/system
caddyfile=/etc/caddy/Caddyfile
postgres_programs=/usr/lib/postgresql
os_release=/etc/os-release
changes=0

say() { printf '%s\n' "$*"; }
fail() { printf '%s\n' "$*" >&2; exit 1; }
note() { changes=$((changes + 1)); say "  $*"; }
has_systemd() { [ -d /run/systemd/system ]; }

# put PATH MODE OWNER: writes what it reads from standard input, if that is not there already.
put() {
  local path=$1 mode=$2 owner=$3 new
  new=$(mktemp "$path.XXXXXX")
  cat >"$new"
  chmod "$mode" "$new"
  chown "$owner" "$new"
  if [ -e "$path" ] && cmp -s "$new" "$path" && [ "$(stat -c '%a %U:%G' "$path")" = "$(stat -c '%a %U:%G' "$new")" ]; then
    rm "$new"
  else
    mv "$new" "$path"
    note "wrote $path"
  fi
}

folder() {
  local path=$1 mode=$2 owner=$3
  if [ ! -d "$path" ] || [ "$(stat -c '%a %U:%G' "$path")" != "$mode $owner" ]; then
    install -d -m "$mode" -o "${owner%:*}" -g "${owner#*:}" "$path"
    note "made $path"
  fi
}

# --- where it runs -----------------------------------------------------------------------------------------------------

# from_bundle KEY: a text of the bundle's description.
from_bundle() { sed -n "s/.*\"$1\": \"\([^\"]*\)\".*/\1/p" "$bundle/bundle.json"; }

# Refuses a machine that it does not fit, before it asks or changes anything.
check_host() {
  local system machine wanted
  # shellcheck source=/etc/os-release
  system=$(. "$os_release" && printf '%s %s' "${ID:-unknown}" "${VERSION_ID:-}")
  case $system in
    'debian 12' | 'debian 13' | 'ubuntu 24.04') ;;
    *) fail "This system is $system. The installer knows Debian 12, Debian 13 and Ubuntu 24.04; elsewhere use Docker Compose (docs/self-host/install-compose.md)." ;;
  esac
  case $(uname -m) in
    x86_64) machine=x64 ;;
    aarch64) machine=arm64 ;;
    *) fail "This machine is $(uname -m). Dostar runs on x86-64 and on 64-bit ARM." ;;
  esac
  wanted=$(from_bundle architecture)
  [ -n "$wanted" ] || fail "$bundle is not a bundle."
  [ "$wanted" = "$machine" ] || fail "This bundle is for $wanted, and this machine is $machine: take the bundle for $machine."
}

# --- what is asked -----------------------------------------------------------------------------------------------------

declare -A answers=([TLS]=automatic [LISTEN]='' [PORT]=3000 [NATS_PORT]=4222 [MORE_ORIGINS]='' [SIGN_UPS]=open [AMADEUS_EMAIL]='' [AMADEUS_PORT]=3100 [POSTGRES]='')

read_answers() {
  local key value
  while IFS='=' read -r key value || [ -n "$key" ]; do
    case $key in
      '' | '#'*) ;;
      DOMAIN | MAIL_FROM | SMTP_URL | TLS | LISTEN | PORT | NATS_PORT | MORE_ORIGINS | SIGN_UPS | AMADEUS_EMAIL | AMADEUS_PORT | POSTGRES) answers[$key]=$value ;;
      *) fail "$1 has an unknown answer: $key" ;;
    esac
  done <"$1"
}

ask() {
  local key=$1 question=$2
  [ -z "${answers[$key]:-}" ] || return 0
  [ -t 0 ] || fail "No answer for $key: give a file with --answers (see $here/answers.example)."
  read -r -p "$question " "answers[$key]"
}

check_answers() {
  local key
  for key in "${!answers[@]}"; do
    # They are written between quotation marks into files that a shell and systemd read.
    case ${answers[$key]} in *[\"\$\`\\]* | *$'\n'*) fail "$key may not hold quotation marks, \$, \` or \\." ;; esac
  done
  [[ ${answers[DOMAIN]} =~ ^[A-Za-z0-9.-]+(:[0-9]+)?$ ]] || fail 'DOMAIN is a name such as chat.example.org.'
  [[ ${answers[SMTP_URL]} =~ ^smtps?:// ]] || fail 'SMTP_URL begins with smtps:// or smtp://.'
  [[ ${answers[MAIL_FROM]} == *@* ]] || fail 'MAIL_FROM is an address, or Name <address>.'
  [[ ${answers[TLS]} =~ ^(automatic|internal|none)$ ]] || fail 'TLS is automatic, internal or none.'
  [[ ${answers[SIGN_UPS]} =~ ^(open|invite|closed)$ ]] || fail 'SIGN_UPS is open, invite or closed.'
  for key in PORT NATS_PORT AMADEUS_PORT; do [[ ${answers[$key]} =~ ^[0-9]+$ ]] || fail "$key is a number."; done
  [[ ${answers[POSTGRES]} =~ ^([0-9]+/[^[:space:]/]+)?$ ]] || fail 'POSTGRES is a cluster such as 15/main, or empty.'
  [[ ${answers[AMADEUS_EMAIL]} =~ ^([^@[:space:]]+@[^@[:space:]]+)?$ ]] || fail 'AMADEUS_EMAIL is an address, or empty.'
}

gather_answers() {
  [ ! -f "$settings/answers" ] || read_answers "$settings/answers"
  [ -z "${1:-}" ] || read_answers "$1"
  ask DOMAIN 'Under which name will browsers find it (chat.example.org)?'
  ask MAIL_FROM 'Which address sends the emails (no-reply@example.org)?'
  ask SMTP_URL 'Which SMTP server accepts them (smtps://user:password@host)?'
  check_answers
}

# --- the steps ---------------------------------------------------------------------------------------------------------

# The newest major version of PostgreSQL on this machine, or 0.
newest_postgres() {
  local program newest=0 version
  for program in "$postgres_programs"/*/bin/postgres; do
    version=${program#"$postgres_programs/"}
    version=${version%%/*}
    if [ -x "$program" ] && [ "$version" -gt "$newest" ]; then newest=$version; fi
  done
  say "$newest"
}

install_packages() {
  local name missing=() wanted=(ca-certificates libheif-examples)
  [ "${answers[TLS]}" = none ] || wanted+=(caddy)
  # The system's own version, unless the machine has a newer PostgreSQL already.
  [ "$(newest_postgres)" -ge 15 ] || wanted+=(postgresql)
  # Holds the keys for NATS, which comes from Debian on every system.
  [ -e /usr/share/keyrings/debian-archive-keyring.gpg ] || wanted+=(debian-archive-keyring)
  # Before PostgreSQL comes with its first cluster: one that notices when the disk lies.
  mkdir -p /etc/postgresql-common/createcluster.d
  put /etc/postgresql-common/createcluster.d/dostar.conf 644 root:root <<<"initdb_options = '--data-checksums'"
  for name in "${wanted[@]}"; do
    dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q '^install ok installed$' || missing+=("$name")
  done
  if [ ${#missing[@]} -gt 0 ]; then
    apt-get -q update >/dev/null
    apt-get -q -y --no-install-recommends install "${missing[@]}" >/dev/null
    note "installed ${missing[*]}"
  fi
}

make_user() {
  if ! getent passwd "$1" >/dev/null; then
    useradd --system --user-group --no-create-home --home-dir "$2" --shell /usr/sbin/nologin "$1"
    note "made the user $1"
  fi
}

# Whole or not at all: an interrupted copy is not a release.
install_program() {
  local build release
  build=$(from_bundle build)
  release=$program/releases/$build
  folder "$program" 755 root:root
  folder "$program/releases" 755 root:root
  if [ ! -d "$release" ]; then
    rm -rf "$release.part"
    cp -r --no-preserve=ownership "$bundle" "$release.part"
    chmod -R u=rwX,go=rX "$release.part"
    mv "$release.part" "$release"
    note "unpacked $build"
  fi
  if [ "$(readlink "$program/current" 2>/dev/null)" != "$release" ]; then
    ln -sfn "$release" "$program/current"
    note "$build is the current one"
  fi
  put /usr/local/bin/dostar 755 root:root <"$here/dostar"
}

# The NATS of these systems is older than 2.11 and ignores how long a message may live. A newer one comes from Debian
# through apt, which checks it. Each run takes the newest one, since the machine's own updates do not reach it.
install_nats() {
  local binary=usr/sbin/nats-server
  rm -rf "$program/nats.new"
  if ! sh "$bundle/tools/debian-get.sh" "$program/nats.new" forky nats-server "$binary"; then
    rm -rf "$program/nats.new"
    [ -x "$program/nats/$binary" ] || fail 'NATS could not be fetched.'
    say '  could not look for a newer NATS; the installed one stays'
  elif cmp -s "$program/nats.new/$binary" "$program/nats/$binary"; then
    rm -rf "$program/nats.new"
  else
    rm -rf "$program/nats"
    mv "$program/nats.new" "$program/nats"
    note 'installed NATS'
  fi
}

# secret PATH READER PROGRAM…: what the program prints, the first time; afterwards it stays whatever it is.
secret() {
  local path=$1 reader=$2
  shift 2
  if [ ! -s "$path" ]; then
    (umask 077 && "$@" >"$path.new")
    chown "root:$reader" "$path.new"
    chmod 640 "$path.new"
    mv "$path.new" "$path"
    note "made the secret $path"
  fi
}

random_key() { head -c 32 /dev/urandom | base64 -w 0; }
random_password() { random_key | tr '+/' '-_' | tr -d '='; }
nats_credentials() { printf 'dostar:%s\n' "$(random_password)"; }

make_secrets() {
  local node=$program/current/node/bin/node server=$program/current/apps/server/src
  folder "$settings" 755 root:root
  folder "$secrets" 750 root:dostar
  secret "$secrets/secret-key" dostar random_key
  secret "$secrets/opaque-setup" dostar "$node" "$server/opaque-setup.ts"
  secret "$secrets/vapid-key" dostar "$node" "$server/vapid-key.ts"
  secret "$secrets/nats-credentials" dostar nats_credentials
  put "$secrets/smtp-url" 640 root:dostar <<<"${answers[SMTP_URL]}"
}

# Chooses the cluster once: the one that an earlier version of this script used, or the newest. It stays the same when
# another version of PostgreSQL comes to the machine.
choose_cluster() {
  local port
  [ -z "${answers[POSTGRES]}" ] || return 0
  port=$(sed -n 's/^DIRECTORY_URL=".*%2Fpostgresql:\([0-9]*\)\/.*/\1/p' "$settings/dostar.env" 2>/dev/null || true)
  answers[POSTGRES]=$(pg_lsclusters -h | awk -v port="$port" '$1 >= 15 && (port == "" || $3 == port) {print $1 "/" $2}' | sort -n | tail -n 1)
  if [ -z "${answers[POSTGRES]}" ]; then
    answers[POSTGRES]=$(newest_postgres)/main
    pg_createcluster "${answers[POSTGRES]%/*}" main >/dev/null
    note 'made a PostgreSQL cluster'
  fi
}

start_postgres() {
  local version name status
  choose_cluster
  version=${answers[POSTGRES]%/*} name=${answers[POSTGRES]#*/}
  read -r postgres_port status < <(pg_lsclusters -h | awk -v version="$version" -v name="$name" '$1 == version && $2 == name {print $3, $4}') ||
    fail "There is no PostgreSQL cluster $version/$name. Name the one with Dostar's databases in $settings/answers: POSTGRES=VERSION/NAME (pg_lsclusters lists them)."
  if [ "$status" = down ]; then
    if has_systemd; then systemctl start "postgresql@$version-$name"; else pg_ctlcluster --skip-systemctl-redirect "$version" "$name" start; fi
  fi
}

as_postgres() { (cd / && setpriv --reuid=postgres --regid=postgres --init-groups "$@"); }
sql() { as_postgres psql -XAtq -v ON_ERROR_STOP=1 -p "$postgres_port" -c "$1"; }
grant_rights() {
  as_postgres psql -Xq -v ON_ERROR_STOP=1 -v owner=dostar-owner -v server=dostar -p "$postgres_port" -d "$1" -f - <"$bundle/deploy/postgres/grants.sql"
}

make_role() {
  if [ -z "$(sql "select 1 from pg_roles where rolname = '$1'")" ]; then
    sql "create role \"$1\" login"
    note "made the role $1 in PostgreSQL"
  fi
  # Otherwise PostgreSQL's log quotes the rows that an error is about: emails and ids of accounts.
  if [ -z "$(sql "select 1 from pg_roles where rolname = '$1' and 'log_error_verbosity=terse' = any(rolconfig)")" ]; then
    sql "alter role \"$1\" set log_error_verbosity = terse"
    note "keeps values out of PostgreSQL's log"
  fi
}

# Both roles sign in by system users of their names over the machine's socket: there is no password that could be lost.
# The server is not the owner, so an attacker who takes it over can't change the schema.
make_databases() {
  local name
  make_role dostar
  make_role dostar-owner
  sql 'grant pg_monitor to dostar'
  for name in dostar_directory dostar_shard_0; do
    if [ -z "$(sql "select 1 from pg_database where datname = '$name'")" ]; then
      sql "create database $name owner \"dostar-owner\" encoding 'UTF8' locale 'C.UTF-8' template template0"
      note "made the database $name"
    elif [ "$(sql "select pg_get_userbyid(datdba) from pg_database where datname = '$name'")" != dostar-owner ]; then
      note "gave the database $name to dostar-owner"
    fi
    grant_rights "$name"
  done
}

nats_users() { sed "s/PASSWORD/$(cut -d : -f 2 <"$secrets/nats-credentials")/" "$bundle/deploy/nats/users.conf"; }

write_settings() {
  local base="postgres://dostar@%2Fvar%2Frun%2Fpostgresql:$postgres_port" origin="https://${answers[DOMAIN]}"
  local assistant=${answers[AMADEUS_EMAIL]:+http://127.0.0.1:${answers[AMADEUS_PORT]}}
  put "$settings/answers" 600 root:root < <(
    for key in AMADEUS_EMAIL AMADEUS_PORT DOMAIN LISTEN MAIL_FROM MORE_ORIGINS NATS_PORT PORT POSTGRES SIGN_UPS SMTP_URL TLS; do say "$key=${answers[$key]}"; done
  )
  put "$settings/dostar.env" 640 root:dostar <<SETTINGS
# Written by install.sh from $settings/answers. Settings of your own: $settings/more.env, which is read after this one.
HOST="127.0.0.1"
PORT="${answers[PORT]}"
ORIGIN="$origin${answers[MORE_ORIGINS]:+,${answers[MORE_ORIGINS]}}"
MAIL_FROM="${answers[MAIL_FROM]}"
SIGN_UPS="${answers[SIGN_UPS]}"
DIRECTORY_URL="$base/dostar_directory"
SHARD_URLS="0=$base/dostar_shard_0"
DATABASE_OWNER="dostar-owner"
NATS_URLS="127.0.0.1:${answers[NATS_PORT]}"
BLOBS_DIR="$files/blobs"
SECRET_KEY_FILE="$secrets/secret-key"
OPAQUE_SETUP_FILE="$secrets/opaque-setup"
VAPID_KEY_FILE="$secrets/vapid-key"
NATS_CREDENTIALS_FILE="$secrets/nats-credentials"
SMTP_URL_FILE="$secrets/smtp-url"${assistant:+
AMADEUS_URL="$assistant"}
SETTINGS
  # Holds the password.
  put "$settings/nats.conf" 640 root:dostar-nats <<SETTINGS
server_name: dostar
listen: "127.0.0.1:${answers[NATS_PORT]}"
jetstream { store_dir: "$jobs", max_memory_store: 32MB, max_file_store: 1GB }
$(nats_users)
SETTINGS
}

write_caddyfile() {
  local file=$caddyfile tls='' listen='' options='' plain=''
  if [ "${answers[TLS]}" = none ]; then
    remove_caddyfile
    return 0
  fi
  if [ -e "$file" ] && ! grep -q '^# Dostar$' "$file" && ! is_untouched "$file"; then
    fail "$file has other settings. Answer TLS=none and add deploy/proxy/Caddyfile to it, or move it away, and run this again."
  fi
  if [ "${answers[TLS]}" = internal ]; then
    tls=$'\n\ttls internal'
    options+=$'\n\tskip_install_trust'
  fi
  [ -z "${answers[LISTEN]}" ] || listen=$'\n\tbind '${answers[LISTEN]}
  # With another port than 443 no browser asks on 80.
  if [[ ${answers[DOMAIN]} == *:* ]]; then
    options+=$'\n\tauto_https disable_redirects'
  else
    # Pages are redirected. A program that calls without TLS has sent its secrets already: it gets an error, not a redirect.
    plain="
http://${answers[DOMAIN]} {$listen
	@program path /api /api/* /v1 /v1/* /realtime
	handle @program {
		respond 403
	}
	handle {
		redir https://{host}{uri} 308
	}
}"
  fi
  put "$file" 644 root:root <<SETTINGS
# Dostar
{
	admin off
	# Errors are logged without the request: the visitor's address, and a URL that can carry a token.
	log {
		format filter {
			wrap json
			fields {
				request delete
			}
		}
	}$options
}

${answers[DOMAIN]} {$tls$listen
	reverse_proxy 127.0.0.1:${answers[PORT]}
	handle_errors {
		header {
			Strict-Transport-Security "max-age=63072000; includeSubDomains"
			X-Content-Type-Options nosniff
			Content-Security-Policy "default-src 'none'; frame-ancestors 'none'"
			Cross-Origin-Resource-Policy same-origin
			Referrer-Policy no-referrer
		}
		respond "{err.status_code}"
	}
}
$plain
SETTINGS
}

# Only the one that this script wrote, when another proxy takes its place or the program is removed.
remove_caddyfile() {
  grep -q '^# Dostar$' "$caddyfile" 2>/dev/null || return 0
  if has_systemd; then systemctl -q disable --now caddy || true; fi
  rm "$caddyfile"
  note "removed $caddyfile"
}

# As the package brought it.
is_untouched() {
  local known
  known=$(dpkg-query -W -f '${Conffiles}\n' caddy | awk -v file="$1" '$1 == file {print $2}')
  [ -n "$known" ] && [ "$(md5sum <"$1" | cut -d ' ' -f 1)" = "$known" ]
}

# An optional part: with an address for its emails it is installed, without one removed, and its folder stays.
write_assistant() {
  local unit=$units/dostar-amadeus.service
  if [ -z "${answers[AMADEUS_EMAIL]}" ]; then
    if [ -e "$unit" ]; then
      if has_systemd; then systemctl -q disable --now dostar-amadeus || true; fi
      rm "$unit"
      note 'took the assistant away'
    fi
    return 0
  fi
  make_user dostar-amadeus "$assistant_data"
  folder "$assistant_data" 700 dostar-amadeus:dostar-amadeus
  folder "$settings/amadeus" 750 root:dostar-amadeus
  secret "$settings/amadeus/password" dostar-amadeus random_key
  put "$settings/amadeus.env" 640 root:dostar-amadeus <<SETTINGS
# Written by install.sh from $settings/answers. Settings of your own: $settings/amadeus-more.env, which is read after this one.
HOST="127.0.0.1"
PORT="${answers[AMADEUS_PORT]}"
AMADEUS_SERVER="http://127.0.0.1:${answers[PORT]}"
AMADEUS_SITE="https://${answers[DOMAIN]}"
AMADEUS_EMAIL="${answers[AMADEUS_EMAIL]/@/+0@}"
AMADEUS_PASSWORD_FILE="$settings/amadeus/password"
AMADEUS_DATA="$assistant_data"
SETTINGS
  put "$unit" 644 root:root <"$here/units/dostar-amadeus.service"
}

write_units() {
  local unit
  for unit in dostar-nats dostar; do put "$units/$unit.service" 644 root:root <"$here/units/$unit.service"; done
}

start_all() {
  local all=(dostar-nats dostar)
  [ "${answers[TLS]}" = none ] || all+=(caddy)
  [ -z "${answers[AMADEUS_EMAIL]}" ] || all+=(dostar-amadeus)
  if ! has_systemd; then
    say 'systemd does not run here: nothing was started.'
    return 0
  fi
  systemctl daemon-reload
  systemctl -q enable "${all[@]}"
  if [ "$changes" -gt 0 ]; then
    systemctl restart "${all[@]}"
  else
    systemctl start "${all[@]}"
  fi
}

# A new installation has no account yet, and the page of sign-up lets no one in without an invite.
invite_first_user() {
  local link
  [ "${answers[SIGN_UPS]}" != open ] || return 0
  if has_systemd && link=$(/usr/local/bin/dostar admin invite --note 'first account'); then
    say "Make your account with this link. It works once, within 7 days: $link"
  else
    say 'Make your account with the link that "dostar admin invite" prints.'
  fi
}

# What is left to do where the machine has a proxy of its own.
describe_proxy() {
  [ "${answers[TLS]}" = none ] || return 0
  say "Let your proxy forward https://${answers[DOMAIN]} to http://127.0.0.1:${answers[PORT]}."
  say "$program/current/deploy/proxy has settings for nginx, Caddy, HAProxy and Traefik."
}

install_all() {
  local is_new=''
  check_host
  gather_answers "${1:-}"
  [ -e "$settings/dostar.env" ] || is_new=yes
  install_packages
  make_user dostar "$files"
  make_user dostar-owner /nonexistent
  make_user dostar-nats "$jobs"
  folder "$files" 700 dostar:dostar
  folder "$jobs" 700 dostar-nats:dostar-nats
  install_program
  install_nats
  make_secrets
  start_postgres
  make_databases
  write_settings
  write_caddyfile
  write_units
  write_assistant
  start_all
  say "$changes changes. Dostar is at https://${answers[DOMAIN]}"
  describe_proxy
  [ -z "$is_new" ] || invite_first_user
}

uninstall() {
  local name
  [ ! -f "$settings/answers" ] || read_answers "$settings/answers"
  if has_systemd; then systemctl -q disable --now dostar-amadeus dostar dostar-nats || true; fi
  rm -f "$units/dostar.service" "$units/dostar-nats.service" "$units/dostar-amadeus.service" /usr/local/bin/dostar
  if has_systemd; then systemctl daemon-reload; fi
  remove_caddyfile
  rm -rf "$program"
  if [ "${1:-}" != --purge ]; then
    say "The program is gone. Settings and secrets are in $settings, files in $files, messages in PostgreSQL; --purge takes them too."
    return 0
  fi
  start_postgres
  for name in dostar_directory dostar_shard_0; do sql "drop database if exists $name with (force)"; done
  sql 'drop role if exists dostar, "dostar-owner"'
  rm -rf "$settings" "$files" "$jobs" "$assistant_data"
  for name in dostar dostar-owner dostar-nats dostar-amadeus; do if getent passwd "$name" >/dev/null; then userdel "$name"; fi; done
  say 'Everything is gone. The packages were left.'
}

[ "$(id -u)" -eq 0 ] || fail 'Run it as root.'
case ${1:-} in
  '') install_all ;;
  --answers) [ -r "${2:-}" ] || fail 'There is no such file of answers.'; install_all "$2" ;;
  --uninstall) uninstall "${2:-}" ;;
  *) fail 'Usage: install.sh [--answers FILE] | --uninstall [--purge]' ;;
esac
