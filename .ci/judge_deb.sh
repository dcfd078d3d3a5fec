#!/usr/bin/env bash
# Installs the Debian package in a clean root, runs it there under systemd, and removes it:
# bash .ci/judge_deb.sh PACKAGE
#
# Lines that begin with "seen: " report results, or why a part could not run on this machine:
# creating the root needs root privileges and Debian's archive, and systemd needs control groups.
set -euo pipefail
package=$(realpath "$1")
work=$(mktemp -d)
root=$work/root
nspawn=
trap leave EXIT
# Ctrl-C also reaches child programs, which may then exit with status 0.
trap 'exit 130' INT
trap 'exit 143' TERM

leave() {
    if [ -n "$nspawn" ]; then
        kill "$nspawn" 2>/dev/null || true
    fi
    wait || true
    rm -rf --one-file-system "$work"
}

refuse() {
    printf '%s\n' "$*"
    exit 1
}

# Succeeds if a command succeeds within this many seconds: SECONDS COMMAND...
within() {
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        [ "$SECONDS" -lt "$end" ] || return 1
        sleep 0.2
    done
}

# Runs a command in the root with its own /proc, from which programs read their arguments.
in_root() {
    unshare --mount --pid --fork --kill-child sh -c \
        'mount -t proc proc "$0/proc" && exec chroot "$0" env -i "$@"' \
        "$root" PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "$@"
}

in_system() {
    nsenter --target "$init" --all -- \
        env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "$@"
}

# Debian's own packages are installed first, so that later errors come from our package.
make_root() {
    mmdebstrap --variant=minbase \
        --include=systemd,systemd-sysv,dbus,dbus-user-session,libpam-systemd \
        --customize-hook="copy-in $package /opt" \
        --customize-hook='chroot "$1" sh -c "apt-get install -y --no-install-recommends \
            /opt/*.deb && rm /opt/*.deb"' \
        bookworm "$root"
}

# Checks that the package works without Swift: no dependency on it, and no file that loads it.
holds_itself() {
    ! in_root sh -c 'command -v swift' &&
        ! in_root ldd /usr/bin/letsmeet /usr/bin/letsmeetd | grep -E 'swift|Foundation|not found' &&
        in_root dpkg --verify letsmeet
}

boot() {
    # One at a time, because containers of the same program share a control group.
    exec 9>"${TMPDIR:-/tmp}/letsmeet-judge.lock"
    flock 9
    # Without a network except loopback, since the package must not need one.
    systemd-nspawn --quiet --directory="$root" --boot --register=no --keep-unit --private-network \
        --console=pipe </dev/null >"$work/console" 2>&1 9>&- &
    nspawn=$!
    within 20 has_init && within 30 is_up
}

has_init() {
    init=$(pgrep --parent "$nspawn" --exact systemd)
}

is_up() {
    in_system systemctl is-system-running --quiet || [ "$(state)" = degraded ]
}

state() {
    in_system systemctl is-system-running || true
}

# Prints a property of the system unit.
property() {
    in_system systemctl show --property="$1" --value letsmeetd.service
}

# Succeeds if the journal has a line with these words from the daemon: UNIT-FIELD WORDS
tells() {
    in_system journalctl --quiet --output=cat "$1=letsmeetd.service" | grep -q -- "$2"
}

# Creates a meeting on a home as its user, so that the daemon of that home invites the guest.
meets() {
    local user=$1 home=$2
    in_system runuser -u "$user" -- letsmeet --home "$home" setup --name Owner \
        --email owner@example.org --tz Europe/Helsinki >/dev/null
    in_system runuser -u "$user" -- letsmeet --home "$home" meeting new "Chess at $user's" \
        --with "Guest <guest@example.org>" --start "tomorrow 19:00" --yes >/dev/null
}

machine_unit() {
    in_system systemctl enable --now --quiet letsmeetd
    [ "$(property ActiveState)" = active ] || refuse "letsmeetd is $(property ActiveState)"
    meets letsmeet /var/lib/letsmeet
    within 20 tells _SYSTEMD_UNIT "Chess at letsmeet's" || refuse "no invitation in the journal"
    in_system letsmeet doctor | grep -q 'another home: /var/lib/letsmeet' ||
        refuse "doctor does not report the daemon's home"
    printf 'seen: systemd reports an exposure of %s\n' "$(
        in_system systemd-analyze security letsmeetd --no-pager |
            sed -n 's/.*Overall exposure level for letsmeetd.service: \([^ ]*\).*/\1/p')"
}

# Checks that the daemon restarts after a kill, and after hanging longer than the watchdog allows.
comes_again() {
    in_system systemctl kill --signal=KILL letsmeetd
    within 20 has_restarted 1 || refuse "it did not restart after a kill"
    in_system mkdir -p /run/systemd/system/letsmeetd.service.d
    in_system sh -c 'printf "[Service]\nWatchdogSec=3\n" \
        >/run/systemd/system/letsmeetd.service.d/watchdog.conf'
    in_system systemctl daemon-reload
    in_system systemctl restart letsmeetd
    sleep 4
    [ "$(property NRestarts)" = 0 ] || refuse "the watchdog restarted a healthy daemon"
    in_system systemctl kill --signal=STOP letsmeetd
    within 30 has_restarted 1 || refuse "the watchdog did not restart a hanging daemon"
}

has_restarted() {
    [ "$(property NRestarts)" = "$1" ] && [ "$(property ActiveState)" = active ]
}

ends_well() {
    in_system systemctl stop letsmeetd
    [ "$(property Result)" = success ] && [ "$(property ExecMainStatus)" = 0 ] ||
        refuse "it ended with $(property Result), $(property ExecMainStatus)"
}

# Checks the daemon of one user, on the home that their commands use.
user_unit() {
    in_system useradd --create-home anna
    in_system loginctl enable-linger anna
    within 20 in_system test -S "/run/user/$(in_system id -u anna)/bus" ||
        refuse "anna has no systemd user instance"
    as_anna systemctl --user enable --now --quiet letsmeetd
    meets anna "$(home_of anna)/.local/share/letsmeet"
    within 20 tells _SYSTEMD_USER_UNIT "Chess at anna's" || refuse "her daemon sent no invitation"
    as_anna letsmeet doctor | grep -q 'running on this home' ||
        refuse "her daemon works on another home than her commands"
    as_anna systemctl --user stop letsmeetd
}

home_of() {
    in_system getent passwd "$1" | cut -d : -f 6
}

as_anna() {
    in_system runuser -u anna -- env HOME="$(home_of anna)" \
        XDG_RUNTIME_DIR="/run/user/$(in_system id -u anna)" "$@"
}

# Checks that the data is kept.
removes_itself() {
    in_system systemctl start letsmeetd
    in_system apt-get purge --yes letsmeet >/dev/null
    ! in_system sh -c 'command -v letsmeet letsmeetd' || refuse "a program is left over"
    ! in_system sh -c 'cat /proc/[0-9]*/comm' | grep -qx letsmeetd || refuse "a daemon is running"
    ! in_system find /usr /lib /etc -name '*letsmeet*' | grep . || refuse "files are left over"
    in_system test -e /var/lib/letsmeet/letsmeet.sqlite || refuse "the home was removed"
}

if ! make_root >"$work/log" 2>&1; then
    tail -n 5 "$work/log"
    [ "$(id -u)" -eq 0 ] && grep -q letsmeet "$work/log" && refuse "The package does not install."
    printf 'seen: cannot create a clean root here: %s\n' "$(tail -n 1 "$work/log")"
    exit 0
fi
holds_itself
in_root letsmeet demo >"$work/demo" 2>&1
grep -q '^# That was letsmeet' "$work/demo" || refuse "the demo did not finish"
if boot; then
    machine_unit
    comes_again
    ends_well
    user_unit
    removes_itself
    printf 'seen: systemd %s, %s\n' "$(in_system systemctl --version | sed -n '1s/.*(\(.*\))/\1/p')" \
        "both units on a Debian $(cat "$root/etc/debian_version") without Swift and network"
else
    printf 'seen: cannot start systemd here: %s\n' "$(tail -n 1 "$work/console")"
fi
