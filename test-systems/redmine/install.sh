#!/bin/bash
# Installs Redmine with SQLite and puma from Debian 12 (or a derivative), without a web server. Can be run repeatedly.
set -uo pipefail

as_root=''
[ "$(id -u)" -eq 0 ] || as_root='sudo'
migrated=/var/lib/dbconfig-common/sqlite3/redmine/instances/default/redmine_default
copy=/usr/local/share/redmine-migrated.sqlite

is_installed() { dpkg -s redmine 2>/dev/null | grep -qx 'Status: install ok installed'; }

# Bundler treats a gem without a folder as not installed, and several Debian gems consist only of a description. So the package
# fails to configure, and so does every later installation, until the folders exist.
gem_folders() {
  $as_root ruby -rfileutils -e \
    'Gem::Specification.each { |s| FileUtils.mkdir_p(s.full_gem_path) unless s.default_gem? || File.directory?(s.full_gem_path) }'
}

if ! is_installed; then
  apt="$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300"
  $apt update || exit 1
  $apt install -y --no-install-recommends redmine redmine-sqlite puma python3 >/dev/null 2>&1 || true
  gem_folders && $as_root env DEBIAN_FRONTEND=noninteractive dpkg --configure -a >/dev/null
  is_installed || { echo 'Redmine could not be configured' >&2; exit 1; }
fi
# The database that the package created, with its default trackers, statuses, roles and workflows.
$as_root install -m 644 "$migrated" "$copy"
