#!/usr/bin/env bash
# Runs a command with its own PostgreSQL server: bash .ci/with_postgres.sh COMMAND...
#
# The server is created for the command and removed afterwards, however the command ends. It listens
# only on a socket in its own folder, to which PGHOST points, and compares texts byte by byte, as
# SQLite does.
set -euo pipefail

# Debian keeps the programs of each version in a separate folder; the newest is used.
PATH=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1):$PATH
folder=$(mktemp -d)
export PGHOST=$folder PGUSER=judge PGDATABASE=postgres

# PostgreSQL refuses to run as root, so root runs it as the user `postgres` of its package.
as_server() {
    if [ "$(id -u)" -eq 0 ]; then
        (cd "$folder" && runuser -u postgres -- env PATH="$PATH" "$@")
    else
        "$@"
    fi
}

finish() {
    [ ! -e "$folder/data/postmaster.pid" ] ||
        as_server pg_ctl stop --silent --mode=immediate --pgdata="$folder/data"
    rm -rf "$folder"
}

# Runs a step of the setup, and shows its output if it fails.
quietly() {
    as_server "$@" >"$folder/steps" 2>&1 || { cat "$folder"/{steps,log} >&2 && exit 1; }
}

trap finish EXIT
[ "$(id -u)" -ne 0 ] || chown postgres "$folder"
quietly initdb --pgdata="$folder/data" --username="$PGUSER" --auth=trust --no-sync \
    --encoding=UTF8 --locale=C
quietly pg_ctl start --wait --pgdata="$folder/data" --log="$folder/log" \
    --options="-k $folder -c listen_addresses= -c fsync=off"
"$@"
