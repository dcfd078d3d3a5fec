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
# A phone held sideways while its keyboard is open. As by a browser, each field that gets the focus
# is scrolled into sight, and so is each button of its form. Nothing may cover them, and nothing
# that stays in its place may take a part of the small screen.
SIDEWAYS = (667, 190)
COVERED = """
const found = [], old = document.activeElement;
const isSeen = e => e.checkVisibility({visibilityProperty: true, opacityProperty: true})
    && !e.closest('.hidden, [aria-hidden=true]') && e.tabIndex >= 0;
const look = e => {
    e.scrollIntoView({block: 'nearest', behavior: 'instant'});
    const box = e.getClientRects()[0];
    const x = box.left + box.width / 2, y = box.top + Math.min(box.height, 40) / 2;
    const hit = document.elementFromPoint(x, y);
    if (!e.contains(hit) && !(hit && hit.closest('label')?.control === e))
        found.push(e.outerHTML.slice(0, 80) + ' is covered by '
            + (hit ? hit.outerHTML.slice(0, 80) : 'the edge of the screen'));
};
const typed = 'input:not([type=hidden], [type=checkbox], [type=radio], [type=file], [type=image])';
for (const field of document.querySelectorAll(`main ${typed}, main textarea, main select`)) {
    if (!isSeen(field) || document.querySelector('dialog[open]')) continue;
    field.focus({preventScroll: true});
    look(field);
    [...field.form?.querySelectorAll('button') ?? []].filter(isSeen).forEach(look);
}
old?.focus?.({preventScroll: true});
for (const e of document.querySelectorAll('body *')) {
    const box = e.getBoundingClientRect(), style = getComputedStyle(e);
    if (style.position === 'fixed' && style.opacity > 0 && box.height && box.bottom > 0
        && box.top < innerHeight && !e.closest('dialog, .say'))
        found.push('stays: ' + e.outerHTML.slice(0, 80));
}
return found.slice(0, 5);
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


def open_keyboard(visit, name):
    """On a phone held sideways, fields and buttons stay reachable while its keyboard is open."""
    visit.browser.resize(*SIDEWAYS)
    found = visit.driver.execute_script(COVERED)
    visit.driver.execute_script("scrollTo(0, 0)")
    assert not found, f"{name}, with an open keyboard: {found}"


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
