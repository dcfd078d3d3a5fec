#!/usr/bin/env bash
# Makes the Debian package of built programs, and says its size: build.sh RELEASE OUTPUT
#
# RELEASE is the folder with letsmeet and letsmeetd, which hold the Swift runtime themselves;
# the package is left in the folder OUTPUT. Who makes it is taken from DEBFULLNAME and DEBEMAIL,
# else from the last commit.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
top=$(cd "$here/../../.." && pwd)
release=$(cd "$1" && pwd)
mkdir -p "$2"
output=$(cd "$2" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/debian/letsmeet
share=$root/usr/share
# The same sources make the same package: files are as old as the last commit.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$top" log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH
umask 022

put() {
    install -D --mode="$1" "$2" "$root/$3"
}

add_programs() {
    local program
    for program in letsmeet letsmeetd; do
        install -d "$root/usr/bin"
        strip --strip-unneeded --remove-section=.comment -o "$root/usr/bin/$program" \
            "$release/$program"
        chmod 755 "$root/usr/bin/$program"
    done
}

add_shipped_files() {
    local data=$top/Sources/Places/Data file
    for file in crontab NOTICE LICENSE; do put 644 "$top/$file" "usr/share/letsmeet/$file"; done
    cp -R "$top/templates" "$share/letsmeet/templates"
    cp -R "$data" "$share/letsmeet/places"
    find "$share/letsmeet" -name '*.py' -delete
    find "$share/letsmeet" -type f -exec chmod 644 {} +
    find "$share/letsmeet" -type d -exec chmod 755 {} +
}

add_units() {
    put 644 "$here/letsmeetd.service" lib/systemd/system/letsmeetd.service
    put 644 "$here/letsmeetd.user.service" usr/lib/systemd/user/letsmeetd.service
}

# Completions and manual pages are made by the programs that were built, not by stripped ones.
add_help() {
    local program page day
    day=$(date --utc --date="@$SOURCE_DATE_EPOCH" +%F)
    for program in letsmeet letsmeetd; do
        page=$share/man/man1/$program.1
        install -d "$share/man/man1" "$share/bash-completion/completions" \
            "$share/zsh/vendor-completions" "$share/fish/vendor_completions.d"
        python3 "$here/manual/manual.py" --date "$day" "$release/$program" \
            "$here/manual/$program.mdoc" >"$page"
        gzip -9n "$page"
        complete "$program" bash >"$share/bash-completion/completions/$program"
        complete "$program" zsh >"$share/zsh/vendor-completions/_$program"
        complete "$program" fish >"$share/fish/vendor_completions.d/$program.fish"
    done
}

complete() {
    "$release/$1" --generate-completion-script "$2" | sed '1{/^#!/d}'
}

add_documents() {
    local file
    for file in docs/crontab.md docs/deliveries.md docs/service.md; do
        put 644 "$top/$file" "usr/share/doc/letsmeet/${file##*/}"
    done
    put 644 "$top/CHANGELOG.md" usr/share/doc/letsmeet/CHANGELOG.md
    gzip -9n "$share/doc/letsmeet/CHANGELOG.md"
    # What Debian's tools read: one entry, which leads to the other.
    printf 'letsmeet (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md.gz.\n\n -- %s  %s\n' \
        "$version" "$(maintainer)" "$(date --utc --rfc-email --date="@$SOURCE_DATE_EPOCH")" |
        gzip -9n >"$share/doc/letsmeet/changelog.gz"
    {
        cat "$here/debian/copyright"
        sed 's|Sources/Places/Data|/usr/share/letsmeet/places|' "$top/NOTICE"
    } >"$share/doc/letsmeet/copyright"
    chmod 644 "$share"/doc/letsmeet/*
}

# The libraries of the system that the programs load, by the packages that they are in. Of SQLite
# they need a younger one than its symbols tell.
dependencies() {
    printf 'Source: letsmeet\n\nPackage: letsmeet\nArchitecture: any\n' >"$work/debian/control"
    (cd "$work" && dpkg-shlibdeps -O debian/letsmeet/usr/bin/letsmeet \
        debian/letsmeet/usr/bin/letsmeetd) |
        sed -n 's/^shlibs:Depends=//p' | sed 's/libsqlite3-0 ([^)]*)/libsqlite3-0 (>= 3.40)/'
}

maintainer() {
    if [ -n "${DEBEMAIL:-}" ]; then
        printf '%s <%s>' "${DEBFULLNAME:-The letsmeet authors}" "$DEBEMAIL"
    else
        git -C "$top" log -1 --format='%an <%ae>' 2>/dev/null ||
            printf 'The letsmeet authors <letsmeet@localhost>'
    fi
}

add_control() {
    local depends script
    depends=$(dependencies)
    [ -n "$depends" ] || { echo "The libraries of the programs are in no package." >&2 && exit 1; }
    for script in postinst prerm postrm; do put 755 "$here/debian/$script" "DEBIAN/$script"; done
    cat >"$root/DEBIAN/control" <<END
Package: letsmeet
Version: $version
Architecture: $architecture
Maintainer: $(maintainer)
Installed-Size: $(du -sk --apparent-size --exclude=DEBIAN "$root" | cut -f 1)
Depends: $depends, adduser, ca-certificates, tzdata
Section: net
Priority: optional
Description: $(sed 1q "$here/debian/description")
$(sed 1d "$here/debian/description")
END
    (cd "$root" && find . -path ./DEBIAN -prune -o -type f -printf '%P\0' | sort -z |
        xargs -0 md5sum) >"$root/DEBIAN/md5sums"
    chmod 644 "$root/DEBIAN/control" "$root/DEBIAN/md5sums"
}

megabytes() {
    echo $(($1 / 1000000))
}

version=$("$release/letsmeet" --version | cut -d ' ' -f 2)
architecture=$(dpkg --print-architecture)
install -d "$root/DEBIAN"
add_programs
add_shipped_files
add_units
add_help
add_documents
add_control
find "$root" -newermt "@$SOURCE_DATE_EPOCH" -exec touch --no-dereference \
    --date="@$SOURCE_DATE_EPOCH" {} +
package=$output/letsmeet_${version}_$architecture.deb
# Who names them by a pattern gets the new one alone.
rm -f "$output"/letsmeet_*.deb
dpkg-deb --root-owner-group -Zxz --build "$root" "$package" >/dev/null
printf '%s: %s MB, installed %s MB\n' "${package#"$PWD/"}" \
    "$(megabytes "$(stat -c %s "$package")")" \
    "$(megabytes "$(du -sb --exclude=DEBIAN "$root" | cut -f 1)")"
