#!/usr/bin/env bash
# Holds letsmeet against programs of others: bash .ci/judge.sh, after `make build man deb`.
#
# The sqlite3 shell checks the database that the demo leaves behind, Python's vobject and csv read
# the people that letsmeet exports, Prometheus's promtool and client library read the metrics that
# letsmeetd shows, Debian's cron and cronsim say when lines of a crontab come, aiosmtpd and Postfix's
# smtp-sink take mails, which Python's email package and icalendar read and answer, as swaks does,
# libical, icalendar, vobject, recurring-ical-events, vdirsyncer, khal and khard read calendars and cards,
# standardwebhooks verifies webhooks, Chromium goes through the guests' pages, mandoc reads the manual pages, systemd-analyze
# the units, apt and systemd take the package in a clean Debian, and PostgreSQL prepares the
# statements that the store runs in its tests. Ends with how many passed and failed, and a true exit
# status.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

letsmeet=$PWD/.build/release/letsmeet
letsmeetd=$PWD/.build/release/letsmeetd
judge=.build/judge
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LETSMEET_HOME=$work/home
passed=0
failed=0
left_out=0

# Runs a check, and shows what it printed where it failed: NAME COMMAND... No more checks begin
# at the second JUDGE_UNTIL of Unix time, where that is set.
check() {
    local name=$1
    local began=$SECONDS
    shift
    if [ -n "${JUDGE_UNTIL-}" ] && [ "$EPOCHSECONDS" -ge "$JUDGE_UNTIL" ]; then
        : >"$work/output"
        left_out=$((left_out + 1))
        printf 'left out  %s\n' "$name"
        return
    fi
    if "$@" >"$work/output" 2>&1; then
        passed=$((passed + 1))
        printf 'ok      %s (%s s)\n' "$name" $((SECONDS - began))
    else
        failed=$((failed + 1))
        printf 'not ok  %s\n' "$name"
        sed 's/^/        /' "$work/output"
    fi
}

# Succeeds where the sqlite3 shell answers the statement with exactly these words.
answers() {
    local answer
    answer=$(sqlite3 -readonly -bail "$LETSMEET_HOME/letsmeet.sqlite" "$1" 2>&1)
    [ "$answer" = "$2" ] || { printf '%s said:\n%s\n' "$1" "$answer" && return 1; }
}

# Writes the people of the demo's home in one format to a file named after it.
export_people() {
    "$letsmeet" people export --format "$1" >"$work/people.$1"
}

# Has the statements that the store runs in its tests: those that `make test` left since the last
# build, else those of the tests that use the store.
collect_statements() {
    [ .build/statements -nt .build/release/letsmeetPackageTests.xctest ] ||
        make --no-print-directory statements
}

# Runs what starts servers that nobody else may start.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi
}

# Succeeds where promtool has nothing to say against the metrics in a file.
promtool_agrees() {
    local remarks
    remarks=$(promtool check metrics <"$1" 2>&1) && [ -z "$remarks" ] ||
        { printf '%s\n' "$remarks" && return 1; }
}

# What is not in Debian lives in a virtual environment of its own, made once.
prepare_python() {
    [ ! -x "$judge/bin/python" ] ||
        ! "$judge/bin/python" -c 'import aiosmtpd, cronsim, icalendar, prometheus_client, recurring_ical_events, selenium, standardwebhooks, vobject' 2>/dev/null || return 0
    python3 -m venv --clear "$judge" &&
        "$judge/bin/python" -m pip install --quiet \
            'vobject==0.9.9' 'prometheus-client==0.26.0' 'cronsim==2.8' \
            'aiosmtpd==1.4.6' 'icalendar==7.3.0' 'selenium==4.51.0' \
            'standardwebhooks==1.1.0' 'recurring-ical-events==3.8.2'
}

[ -x "$letsmeet" ] || { echo "There is no $letsmeet: run make build first." >&2 && exit 1; }
prepare_python >&2
printf 'Judges: SQLite %s, PostgreSQL %s, promtool %s, cron %s, %s, vobject %s\n' \
    "$(sqlite3 --version | cut -d ' ' -f 1)" "$(psql --version | cut -d ' ' -f 3)" \
    "$(promtool --version 2>&1 | sed -n 's/^promtool, version \([^ ]*\).*/\1/p')" \
    "$(dpkg-query -W -f '${Version}' cron 2>/dev/null || echo of unknown version)" \
    "$("$judge/bin/python" --version)" \
    "$("$judge/bin/python" -c 'from importlib.metadata import version; print(version("vobject"))')"

check "the demo leaves a home" "$letsmeet" demo --keep "$LETSMEET_HOME"
check "SQLite finds the database whole" answers "PRAGMA integrity_check" ok
check "SQLite finds no broken reference" answers "PRAGMA foreign_key_check" ""
"$letsmeet" people list --json >"$work/people.json" || true
for format in vcard3 vcard4 csv; do
    check "people are exported as $format" export_people "$format"
    check "another reader finds the same people in $format" \
        "$judge/bin/python" .ci/read_people.py "$format" "$work/people.$format" "$work/people.json"
done
check "Prometheus's client library reads the daemon's metrics" \
    "$judge/bin/python" .ci/judge_metrics.py "$letsmeetd" "$work/metrics"
check "promtool finds nothing to mend in them" promtool_agrees "$work/metrics"
check "crontab -n takes the same lines" python3 .ci/judge_cron.py lines "$letsmeet"
check "cronsim agrees on random lines" \
    "$judge/bin/python" .ci/judge_cron.py cronsim "$letsmeet"
check "Debian's cron agrees through six nights in which clocks are changed" \
    python3 .ci/judge_cron.py nights "$letsmeet"
check "aiosmtpd takes its mails; Python, icalendar and zoneinfo read what was planned" \
    "$judge/bin/python" .ci/judge_mail.py read "$letsmeet" "$letsmeetd"
check "aiosmtpd takes mails under STARTTLS and a password, and not otherwise" \
    "$judge/bin/python" .ci/judge_mail.py secure "$letsmeet" "$letsmeetd"
check "answers that icalendar and swaks make come back, and bounces; forged and stale ones do not" \
    "$judge/bin/python" .ci/judge_answers.py "$letsmeet" "$letsmeetd"
check "Dovecot's folder and a Maildir are read once, and nothing but \\Seen is changed" \
    "$judge/bin/python" .ci/judge_folders.py "$letsmeet" "$letsmeetd"
check "libical reads its calendar objects, and khal imports them" \
    "$judge/bin/python" .ci/judge_calendars.py "$letsmeet" "$letsmeetd"
check "libical, icalendar, vobject, vdirsyncer and khal agree on series in forty zones; khard reads" \
    "$judge/bin/python" .ci/judge_feeds.py "$letsmeet" "$letsmeetd"
sed -n 's/^seen: /        /p' "$work/output"
check "Postfix behind postgrey takes its mails, and those of who logs in; an answer comes back" \
    as_root "$judge/bin/python" .ci/judge_postfix.py "$letsmeet" "$letsmeetd"
check "Postfix's smtp-sink may refuse, wait and hang up" \
    "$judge/bin/python" .ci/judge_mail.py sink "$letsmeet" "$letsmeetd"
check "standardwebhooks verifies what is sent, and a receiver in trouble is heard" \
    "$judge/bin/python" .ci/judge_webhooks.py "$letsmeet" "$letsmeetd"
check "Chromium goes through the guests' pages, from the mail to the answer, on a phone's screen" \
    "$judge/bin/python" .ci/judge_guests.py "$letsmeet" "$letsmeetd"
check "systemd-analyze accepts the units" bash .ci/judge_units.sh "$letsmeetd"
for program in letsmeet letsmeetd; do
    check "mandoc reads the manual page of $program, which lacks nothing" \
        python3 .ci/judge_manual.py "$PWD/.build/release/$program" ".build/man/$program.1"
done
check "the package installs, works as both services, and goes from a clean Debian" \
    bash .ci/judge_deb.sh .build/letsmeet_*.deb
sed -n 's/^seen: /        /p' "$work/output"
check "the store's tests write down their statements" collect_statements
check "PostgreSQL takes every statement that is not for SQLite alone" \
    bash .ci/with_postgres.sh "$judge/bin/python" .ci/judge_sql.py \
    "$LETSMEET_HOME/letsmeet.sqlite" .build/statements
tail -n 1 "$work/output"

printf '\n%s passed, %s failed, %s left out for want of time\n' "$passed" "$failed" "$left_out"
[ "$failed" -eq 0 ]
