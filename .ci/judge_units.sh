#!/usr/bin/env bash
# Checks the systemd units with systemd-analyze, for a program at the given path: bash
# .ci/judge_units.sh LETSMEETD. Any output is a fault.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/system" "$folder/user" "$folder/run"
sed "s|/usr/bin/letsmeetd|$1|" Sources/letsmeetd/System/letsmeetd.service \
    >"$folder/system/letsmeetd.service"
sed "s|/usr/bin/letsmeetd|$1|" Sources/letsmeetd/System/letsmeetd.user.service \
    >"$folder/user/letsmeetd.service"
export XDG_RUNTIME_DIR=$folder/run
said=$(
    systemd-analyze verify --man=no "$folder/system/letsmeetd.service" 2>&1 || echo "system: $?"
    systemd-analyze verify --man=no --user "$folder/user/letsmeetd.service" 2>&1 ||
        echo "user: $?"
)
printf '%s' "$said"
[ -z "$said" ]
