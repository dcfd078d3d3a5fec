#!/bin/sh
# Sees to it that Swift and the system's libraries are here: sh .ci/setup.sh [DEBIAN PACKAGE...]
#
# On Debian and its kin the packages that are missing are installed, and nothing is touched where
# none is. On a terminal the exact line is shown first and a question asked (YES=1 answers it);
# without one the packages are installed at once, as root or through sudo. Elsewhere the libraries
# are looked for and named. Packages given as arguments are seen to as well.
set -eu

swift_wanted="6.2"
lists=/var/lib/apt/lists

say() {
    printf '%s\n' "$*" >&2
}

refuse() {
    say "$@"
    exit 1
}

# Refuses where there is no Swift or an old one; fails where it is there but does not run.
check_swift() {
    command -v swift >/dev/null 2>&1 || refuse \
        "Swift is not installed, or not in PATH. letsmeet needs Swift $swift_wanted or newer:" \
        "see https://www.swift.org/install"
    found=$(swift --version 2>/dev/null |
        sed -n 's/.*Swift version \([0-9][0-9]*\.[0-9][0-9]*\).*/\1/p' | head -n 1)
    [ -n "$found" ] || return 1
    oldest=$(printf '%s\n' "$swift_wanted" "$found" | sort -V | head -n 1)
    [ "$oldest" = "$swift_wanted" ] || refuse \
        "letsmeet needs Swift $swift_wanted or newer; $(command -v swift) is $found." \
        "See https://www.swift.org/install"
}

installed() {
    dpkg-query -W -f '${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed
}

# Prints the packages to install. libcurl's headers come from one of three packages that shut each
# other out, and any of them will do.
missing_packages() {
    installed libcurl4-openssl-dev || installed libcurl4-gnutls-dev ||
        installed libcurl4-nss-dev || echo libcurl4-openssl-dev
    for package in libsqlite3-dev libssl-dev zlib1g-dev pkg-config tzdata ca-certificates "$@"; do
        installed "$package" || echo "$package"
    done
}

on_a_terminal() {
    [ -t 0 ] && (exec </dev/tty >/dev/tty) 2>/dev/null
}

# Asks on the terminal itself: line and question are seen there although output goes to a file.
agreed() {
    [ -t 2 ] || say "    $1" 2>/dev/tty
    printf 'Run it now? [Y/n] ' >/dev/tty
    read -r answer </dev/tty || return 1
    case "$answer" in
        "" | [Yy] | [Yy][Ee][Ss]) return 0 ;;
        *) return 1 ;;
    esac
}

have_lists() {
    for list in "$lists"/*_Packages*; do
        [ -e "$list" ] && return 0
    done
    return 1
}

install_packages() {
    with="env DEBIAN_FRONTEND=noninteractive"
    may=yes
    if [ "$(id -u)" -ne 0 ]; then
        if command -v sudo >/dev/null 2>&1; then with="sudo $with"; else may=no; fi
    fi
    update="$with apt-get update"
    install="$with apt-get install -y --no-install-recommends $*"
    line=$install
    have_lists || line="$update && $install"

    say "letsmeet needs these Debian packages, which are not installed: $*"
    say "    $line"
    [ "$may" = yes ] || refuse "Only root may install them, and there is no sudo here. Let root" \
        "run the line above, then come back."
    if [ "${YES:-}" != 1 ] && on_a_terminal; then
        agreed "$line" || refuse "Nothing was installed. Run the line above yourself, then come back."
    fi
    fetch_and_install </dev/null >&2 || refuse \
        "The packages could not be installed: apt-get says why above. Run this line yourself," \
        "then come back: $line"
}

# Lists of packages are fetched only where there are none, or where the old ones do not lead on.
# shellcheck disable=SC2086 # The words of both lines are ours and hold no blanks.
fetch_and_install() {
    if have_lists; then
        $install && return
        say "That failed. Once more, with fresh lists of packages:"
    fi
    $update && $install
}

library() {
    pkg-config --exists "$1" 2>/dev/null || [ -e "/usr/include/$2" ] ||
        [ -e "/usr/local/include/$2" ]
}

# Where there is no apt-get the names of packages are not ours to know: look, and name what fails.
check_libraries() {
    absent=""
    library libcurl curl/curl.h || absent="$absent libcurl (with headers),"
    library zlib zlib.h || absent="$absent zlib (with headers),"
    library sqlite3 sqlite3.h || absent="$absent SQLite 3.40 or newer (with headers),"
    [ -e /usr/share/zoneinfo/Europe/Paris ] || absent="$absent the time zone database (tzdata),"
    [ -z "$absent" ] || refuse "This is no Debian, so install these yourself:${absent%,}." \
        "Then come back."
}

swift_runs=yes
check_swift || swift_runs=no
if command -v apt-get >/dev/null 2>&1 && command -v dpkg-query >/dev/null 2>&1; then
    missing=$(missing_packages "$@")
    # One name a line becomes one argument each.
    # shellcheck disable=SC2086
    [ -z "$missing" ] || install_packages $missing
else
    check_libraries
fi
# A Swift that lacked one of these libraries runs now.
[ "$swift_runs" = yes ] || check_swift || refuse \
    "$(command -v swift) does not run: $(swift --version 2>&1 | head -n 1)"
