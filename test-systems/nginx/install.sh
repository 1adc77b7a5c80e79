#!/usr/bin/env bash
# Unpacks nginx of Debian 12 (or a derivative) into .tools, without installing the service that it belongs to. Does nothing if it is
# already there.
set -euo pipefail
tools=$(cd "$(dirname "$0")/../.." && pwd)/.tools
[ -x "$tools/nginx" ] && exit 0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -qq -o DPkg::Lock::Timeout=300 -o APT::Sandbox::User=root download nginx
dpkg-deb -x nginx_*.deb .
mkdir -p "$tools"
mv usr/sbin/nginx "$tools/nginx"
