#!/bin/sh
# Installs GnuCash from Debian 12 (or a derivative) with its Python interface, which needs no display, and the drivers of its
# databases. Can be run repeatedly.
set -eu
packages='gnucash python3-gnucash libdbd-sqlite3 libdbd-mysql'
# shellcheck disable=SC2086 # several words
dpkg -s $packages >/dev/null 2>&1 && exit 0
as_root=''
[ "$(id -u)" -eq 0 ] || as_root='sudo'
apt="$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300"
$apt update
# shellcheck disable=SC2086
$apt install -y --no-install-recommends $packages >/dev/null
