#!/bin/bash
# Installs Request Tracker with SQLite from Debian 12 (or a derivative), without a web server. Can be run repeatedly.
set -euo pipefail

as_root=''
[ "$(id -u)" -eq 0 ] || as_root='sudo'
created=/var/lib/dbconfig-common/sqlite3/request-tracker5/rtdb
copy=/usr/local/share/request-tracker.sqlite

is_installed() { dpkg -s request-tracker5 2>/dev/null | grep -qx 'Status: install ok installed'; }

if ! is_installed; then
  apt="$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300"
  $apt update
  $apt install -y --no-install-recommends request-tracker5 rt5-standalone rt5-db-sqlite >/dev/null
fi
# The database that the package created, with its default queue, catalog, rights and templates.
$as_root install -m 644 "$created" "$copy"
