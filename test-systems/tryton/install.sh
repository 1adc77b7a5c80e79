#!/bin/sh
# Installs the Tryton server and the modules that the tests use from Debian 12 (or a derivative). Can be run repeatedly.
set -eu

modules="account account-asset account-invoice account-invoice-stock account-payment account-product bank company
  company-work-time country currency party product production production-routing production-work project purchase
  purchase-request purchase-request-quotation purchase-requisition sale stock stock-lot stock-split stock-supply timesheet"

packages="tryton-server tryton-proteus python3-pycountry python3-psycopg2"
for module in $modules; do packages="$packages tryton-modules-$module"; done

# shellcheck disable=SC2086 # one word per package is meant
if dpkg-query -W -f '${Status}\n' $packages 2>/dev/null | grep -cx 'install ok installed' \
  | grep -qx "$(echo $packages | wc -w)"; then
  exit 0
fi

as_root=''
[ "$(id -u)" -eq 0 ] || as_root='sudo'
apt="$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300"
$apt update
# shellcheck disable=SC2086
$apt install -y --no-install-recommends $packages >/dev/null
