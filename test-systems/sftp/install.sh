#!/usr/bin/env bash
# Installs the OpenSSH server of Debian, whose SFTP server the tests start with their own configuration and keys. Does nothing if it
# is already installed. The service of the system is not started.
set -euo pipefail
sudo=$([ "$(id -u)" -eq 0 ] || echo sudo)
if [ ! -x /usr/sbin/sshd ]; then
  # Without this, the package starts a server on port 22.
  policy=/usr/sbin/policy-rc.d
  [ -e $policy ] || { printf '#!/bin/sh\nexit 101\n' | $sudo tee $policy >/dev/null && $sudo chmod +x $policy && trap '$sudo rm $policy' EXIT; }
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends openssh-server >/dev/null
fi
$sudo mkdir -p /run/sshd # required by servers that root starts
