"""Uses the pages for people who sign in, in real browsers.

python judge_pages.py BROWSER LETSMEET LETSMEETD: Chromium or Firefox travels through all pages,
once with scripts on a desktop, once without on a phone. On every page axe-core must find no
violation, in light and dark, and nothing may overflow the screen. axe-core takes longer in Firefox
and finds the same there, so it looks at fewer views. In Chromium with scripts, the pages must also
keep the rules of wcag.py, what a screen reader gets must be as it is kept in .ci/aria, and with an
open keyboard on a phone held sideways nothing may cover a field or its button."""

import sys
import tempfile

import page_checks
import wcag
from aria import aria
from browsers import SIZES, Chromium, Firefox, browser
from installation import Home, daemon, root_of
from journey import Visit, travel

# With this clock, what screen readers get has always the same dates.
CLOCK = "2027-03-02 12:20:00"
ALL = [(scheme, size) for scheme in ["light", "dark"] for size in ["phone", "desktop"]]
# By browser, and by whether scripts run.
VIEWS = {
    (Chromium, True): ALL, (Chromium, False): ALL,
    (Firefox, True): [("light", "phone"), ("dark", "desktop")],
    (Firefox, False): [("dark", "phone")],
}


def judge(kind, has_scripts, letsmeet, letsmeetd):
    size = SIZES["desktop" if has_scripts else "phone"]
    views = VIEWS[kind, has_scripts]
    checks = [page_checks.title, page_checks.layout, page_checks.axe(*views)]
    is_full = kind is Chromium and has_scripts
    if is_full:
        checks += [aria, *wcag.ALL, page_checks.open_keyboard]
    with tempfile.TemporaryDirectory() as folder:
        home = Home(folder + "/home", letsmeet, letsmeetd, CLOCK if is_full else None)
        with daemon(home) as link, browser(kind, has_scripts) as opened:
            visit = Visit(opened, root_of(link), has_scripts, size, checks)
            if is_full:
                visit.german_checks = [page_checks.layout, wcag.text_spacing, wcag.large_text]
            travel(visit, link)
            german = f"; {len(visit.german)} pages in German" if visit.german else ""
            print(f"seen: {len(visit.seen)} pages {'with' if has_scripts else 'without'} scripts, "
                  f"each in 4 sizes, and by axe-core in {len(views)} views{german}")


def main(name, letsmeet, letsmeetd):
    kind = {"Chromium": Chromium, "Firefox": Firefox}[name]
    for has_scripts in [True, False]:
        judge(kind, has_scripts, letsmeet, letsmeetd)


main(*sys.argv[1:])
