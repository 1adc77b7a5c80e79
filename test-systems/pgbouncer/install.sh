#!/bin/sh
# Installs PgBouncer of Debian 12 (or a derivative). Can be run repeatedly.
set -eu
command -v pgbouncer >/dev/null || [ -x /usr/sbin/pgbouncer ] && exit 0
as_root=''
[ "$(id -u)" -eq 0 ] || as_root='sudo'
apt="$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300"
$apt update
$apt install -y --no-install-recommends pgbouncer >/dev/null
