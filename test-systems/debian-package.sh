#!/bin/sh
# Installs a package of Debian 12 (or a derivative) unless its program is there: debian-package.sh PROGRAM PACKAGE
set -eu
command -v "$1" >/dev/null || [ -x "/usr/sbin/$1" ] && exit 0
as_root=''
[ "$(id -u)" -eq 0 ] || as_root='sudo'
apt="$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300"
$apt update
$apt install -y --no-install-recommends "$2" >/dev/null
