#!/bin/sh
# usage: start.sh FOLDER PORT
# Runs a MariaDB in a new folder until it is stopped, only for this machine, with the database `erp` and the login `erp`
# (password `erp`), which may do everything. It writes "ready for connections" to its error output.
set -eu
folder=$1
port=$2
as=''
# The server runs as root only with this option. Other users may be unable to enter the folder.
[ "$(id -u)" -ne 0 ] || as='--user=root'
# shellcheck disable=SC2086 # no word, or one
mariadb-install-db --no-defaults $as --datadir="$folder/data" --auth-root-authentication-method=socket \
  --skip-test-db >"$folder/install.log" 2>&1
cat >"$folder/init.sql" <<'S'
CREATE DATABASE erp;
CREATE USER erp@'127.0.0.1' IDENTIFIED BY 'erp';
GRANT ALL ON *.* TO erp@'127.0.0.1' WITH GRANT OPTION;
S
PATH=$PATH:/usr/sbin
# shellcheck disable=SC2086
exec mariadbd --no-defaults $as --datadir="$folder/data" --socket=db.sock --pid-file="$folder/db.pid" \
  --bind-address=127.0.0.1 --port="$port" --skip-name-resolve --tmpdir="$folder" --init-file="$folder/init.sql" \
  --innodb-flush-log-at-trx-commit=0 --innodb-buffer-pool-size=64M --performance-schema=0 \
  --character-set-server=utf8mb4 --collation-server=utf8mb4_unicode_ci
