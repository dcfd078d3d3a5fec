#!/usr/bin/env bash
# Runs a command beside a PostgreSQL server of its own: bash .ci/with_postgres.sh COMMAND...
#
# The server is made for the command and goes with it, however that ends. It listens on a socket in
# a folder of its own and nowhere else, where PGHOST leads the command, and compares texts byte by
# byte, as SQLite does.
set -euo pipefail

# Debian keeps each version's programs in a folder of its own; the newest counts.
PATH=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1):$PATH
folder=$(mktemp -d)
export PGHOST=$folder PGUSER=judge PGDATABASE=postgres

# The server refuses to run as root, and lets the user `postgres` of its package do it.
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

# Runs a step of the preparation, and shows what it said where it failed.
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
