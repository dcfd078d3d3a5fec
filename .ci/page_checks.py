"""What every page must be, whatever the browser: each function takes a visit and the name of the
page at which it is."""

import importlib.util
import pathlib

from browsers import SIZES

AXE = pathlib.Path(
    importlib.util.find_spec("axe_playwright_python").submodule_search_locations[0],
    "axe.min.js").read_text(encoding="utf-8")
# The size of targets (WCAG 2.5.8) is checked only if asked for.
FIND = """
const done = arguments[0];
axe.run({resultTypes: ['violations'], rules: {'target-size': {enabled: true}}}).then(
    found => done(found.violations.map(
        v => v.id + ': ' + v.nodes.map(n => n.html).slice(0, 3).join(' | '))));
"""


def title(visit, name):
    """No hostile title runs as a script."""
    assert "broken" not in visit.driver.title, f"{name}: a hostile text ran as a script"


def layout(visit, name):
    """Nothing is wider than the screen (WCAG 1.4.10)."""
    for size, (width, height) in SIZES.items():
        visit.browser.resize(width, height)
        wide, seen = visit.driver.execute_script(
            "return [document.documentElement.scrollWidth, innerWidth]")
        assert wide <= seen == width, (
            f"{name}, {size}: the page is {wide} px wide and the window {seen} px, not {width} px")


def axe(*views):
    """axe-core finds no violation, in any of the views: colour scheme and size."""
    def check(visit, name):
        for scheme, size in views:
            visit.browser.look(scheme)
            visit.browser.resize(*SIZES[size])
            found = visit.driver.execute_async_script(AXE + FIND)
            assert not found, f"{name}, {scheme}, {size}: axe-core found {found}"
        visit.browser.look()
    return check
