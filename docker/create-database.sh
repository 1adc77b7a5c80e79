#!/bin/bash
# Runs once, when the volume of the database is empty: creates the database of the service and its login, which is not a
# superuser.
set -euo pipefail
psql --set=ON_ERROR_STOP=1 --username="${POSTGRES_USER:-postgres}" --set=password="$UNIFIED_DATABASE_PASSWORD" <<'SQL'
CREATE ROLE unified LOGIN NOSUPERUSER PASSWORD :'password';
CREATE ROLE unified_tenant NOLOGIN NOSUPERUSER NOBYPASSRLS;
CREATE ROLE unified_query NOLOGIN NOSUPERUSER NOBYPASSRLS;
GRANT unified_tenant, unified_query TO unified;
CREATE DATABASE unified OWNER unified TEMPLATE template0 ENCODING 'UTF8'
  LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8' LOCALE 'C';
SQL
