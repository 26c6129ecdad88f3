#!/bin/sh
# The login of DATABASE_URL: it owns its database and makes the logins that serve, and is no superuser. The
# superuser keeps no password, so that it is reached from inside the container alone.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$POSTGRES_PASSWORD" --username postgres <<'SQL'
create role healthfund login createrole createdb password :'password';
create database healthfund owner healthfund;
alter role postgres password null;
SQL
