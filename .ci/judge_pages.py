"""Uses the pages for people who sign in, in real browsers.

python judge_pages.py BROWSER LETSMEET LETSMEETD: Chromium or Firefox travels through all pages,
once with scripts on a desktop, once without on a phone. On every page axe-core must find no
violation, in light and dark, and nothing may overflow the screen. axe-core takes longer in Firefox
and finds the same there, so it looks at fewer views. What a screen reader gets in Chromium must be
as it is kept in .ci/aria."""

import sys
import tempfile

import page_checks
from aria import aria
from browsers import Chromium, Firefox, browser
from installation import Home, daemon, root_of
from journey import Visit, travel

# With this clock, what screen readers get has always the same dates.
CLOCK = "2027-03-02 12:20:00"
ALL = [(scheme, size) for scheme in ["light", "dark"] for size in ["phone", "desktop"]]
# By browser, and by whether scripts run.
VIEWS = {
    (Chromium, True): ALL, (Chromium, False): ALL,
    (Firefox, True): [("light", "phone"), ("dark", "desktop")], (Firefox, False): [("dark", "phone")],
}


def judge(kind, has_scripts, letsmeet, letsmeetd):
    size = page_checks.SIZES["desktop" if has_scripts else "phone"]
    views = VIEWS[kind, has_scripts]
    checks = [page_checks.title, page_checks.layout, page_checks.axe(*views)]
    clock = None
    if kind is Chromium and has_scripts:
        checks, clock = [*checks, aria], CLOCK
    with tempfile.TemporaryDirectory() as folder:
        home = Home(folder + "/home", letsmeet, letsmeetd, clock)
        with daemon(home) as link, browser(kind, has_scripts) as opened:
            visit = Visit(opened, root_of(link), has_scripts, size, checks)
            travel(visit, link)
            print(f"seen: {len(visit.seen)} pages {'with' if has_scripts else 'without'} scripts, "
                  f"each in 4 sizes, and by axe-core in {len(views)} views")


def main(name, letsmeet, letsmeetd):
    kind = {"Chromium": Chromium, "Firefox": Firefox}[name]
    for has_scripts in [True, False]:
        judge(kind, has_scripts, letsmeet, letsmeetd)


main(*sys.argv[1:])
