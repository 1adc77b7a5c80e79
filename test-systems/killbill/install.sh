#!/bin/bash
# Installs Kill Bill from Maven Central, with Java and MariaDB from Debian 12 (or a derivative). Can be run repeatedly.
set -euo pipefail

version=0.22.26
home=/usr/local/share/killbill
as_root=''
[ "$(id -u)" -eq 0 ] || as_root='sudo'

bash "$(dirname "$0")/../mariadb/install.sh"
[ "$(cat "$home/version" 2>/dev/null)" = "$version" ] && exit 0
for command in java mvn unzip; do
  command -v "$command" >/dev/null && continue
  apt="$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300"
  $apt update
  $apt install -y --no-install-recommends default-jre-headless maven unzip >/dev/null
  break
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# The parent of the description of the application is not published. Only this old version of the plugin does not need it.
fetch() {
  mvn -q -B "-Dmaven.repo.local=$work/repository" org.apache.maven.plugins:maven-dependency-plugin:2.8:get \
    "-Dartifact=$1" -Dtransitive=false
}
fetch "org.kill-bill.billing:killbill-profiles-killbill:$version:war"
fetch org.eclipse.jetty:jetty-runner:9.4.57.v20241219
mkdir application
unzip -q repository/org/kill-bill/billing/killbill-profiles-killbill/*/*.war -d application
mv repository/org/eclipse/jetty/jetty-runner/*/*.jar jetty.jar
libraries=application/WEB-INF/lib
for part in util account beatrix catalog entitlement invoice payment subscription tenant usage; do
  unzip -p "$libraries/killbill-$part-$version.jar" "org/killbill/billing/$part/ddl.sql"
done >tables.sql
unzip -p "$libraries"/killbill-queue-*.jar org/killbill/queue/ddl.sql >>tables.sql
echo "$version" >version
$as_root rm -rf "$home"
$as_root mkdir -p "$home"
$as_root cp -r application jetty.jar tables.sql version "$home"
$as_root chmod -R a+rX "$home"
