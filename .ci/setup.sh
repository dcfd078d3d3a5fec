#!/bin/sh
# Makes sure that Swift and the system libraries are installed: sh .ci/setup.sh [DEBIAN PACKAGE...]
#
# On Debian and its derivatives, missing packages are installed; if none are missing, nothing is
# changed. On a terminal, the exact command is shown and has to be confirmed (YES=1 confirms it).
# Without a terminal, packages are installed at once, as root or with sudo. On other systems,
# missing libraries are only listed. Packages given as arguments are installed as well.
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

# Refuses if Swift is missing or too old; fails if it is installed but does not run.
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

# Prints the packages to install. The headers of libcurl come from any one of three packages that
# exclude each other.
missing_packages() {
    installed libcurl4-openssl-dev || installed libcurl4-gnutls-dev ||
        installed libcurl4-nss-dev || echo libcurl4-openssl-dev
    for package in libsqlite3-dev libssl-dev libvips-dev zlib1g-dev pkg-config tzdata \
        ca-certificates "$@"; do
        installed "$package" || echo "$package"
    done
}

on_a_terminal() {
    [ -t 0 ] && (exec </dev/tty >/dev/tty) 2>/dev/null
}

# Asks on the terminal itself, so that the command and the question are visible even if the output
# goes to a file.
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
    [ "$may" = yes ] || refuse "Only root can install them, and there is no sudo. Ask root to run" \
        "the command above, then try again."
    if [ "${YES:-}" != 1 ] && on_a_terminal; then
        agreed "$line" || refuse "Nothing was installed. Run the command above, then try again."
    fi
    fetch_and_install </dev/null >&2 || refuse \
        "The packages could not be installed; see the message of apt-get above. Run this command" \
        "yourself, then try again: $line"
}

# Package lists are fetched only if there are none, or if installing with the old ones fails.
# shellcheck disable=SC2086 # The words of both commands are our own and contain no blanks.
fetch_and_install() {
    if have_lists; then
        $install && return
        say "Installing failed. Trying again with fresh package lists:"
    fi
    $update && $install
}

library() {
    pkg-config --exists "$1" 2>/dev/null || [ -e "/usr/include/$2" ] ||
        [ -e "/usr/local/include/$2" ]
}

# Without apt-get the names of packages are unknown, so missing libraries are only listed.
check_libraries() {
    absent=""
    library libcurl curl/curl.h || absent="$absent libcurl (with headers),"
    library zlib zlib.h || absent="$absent zlib (with headers),"
    library sqlite3 sqlite3.h || absent="$absent SQLite 3.40 or newer (with headers),"
    library vips vips/vips.h || absent="$absent libvips 8.13 or newer (with headers),"
    [ -e /usr/share/zoneinfo/Europe/Paris ] || absent="$absent the time zone database (tzdata),"
    [ -z "$absent" ] || refuse "This is not Debian, so install these yourself:${absent%,}." \
        "Then try again."
}

swift_runs=yes
check_swift || swift_runs=no
if command -v apt-get >/dev/null 2>&1 && command -v dpkg-query >/dev/null 2>&1; then
    missing=$(missing_packages "$@")
    # Each line with a package name becomes an argument.
    # shellcheck disable=SC2086
    [ -z "$missing" ] || install_packages $missing
else
    check_libraries
fi
# A Swift that lacked one of these libraries may run now.
[ "$swift_runs" = yes ] || check_swift || refuse \
    "$(command -v swift) does not run: $(swift --version 2>&1 | head -n 1)"
