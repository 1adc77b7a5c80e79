#!/bin/sh
# Installs the MariaDB server of Debian 12 (or a derivative). Can be run repeatedly.
exec sh "$(dirname "$0")/../debian-package.sh" mariadbd mariadb-server
