#!/bin/sh
# Runs once, when the database's volume is empty: a login for the service that is no superuser, and its database.
set -eu
psql --set ON_ERROR_STOP=1 --set password="$KB_DATABASE_PASSWORD" --username "$POSTGRES_USER" --dbname postgres <<'SQL'
CREATE ROLE kb LOGIN NOSUPERUSER NOBYPASSRLS CREATEROLE PASSWORD :'password';
CREATE DATABASE kb OWNER kb;
SQL
