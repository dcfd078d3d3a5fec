"""The rules of WCAG 2.2 that axe-core does not have, by number. Each function takes a visit and the
name of the page at which it is.

axe-core itself measures the size of targets (2.5.8), and judge_keyboard.py checks the focus."""

from browsers import SIZES

# A style that replaces fonts cannot come from the page, whose policy allows only its own styles.
SPACED = """
const sheet = new CSSStyleSheet();
sheet.replaceSync(`* { line-height: 1.5 !important; letter-spacing: .12em !important;
    word-spacing: .16em !important } p { margin-bottom: 2em !important }`);
document.adoptedStyleSheets = [sheet];
"""

DOUBLED = """
const all = [...document.body.querySelectorAll('*')].filter(e => e instanceof HTMLElement);
const sizes = all.map(e => parseFloat(getComputedStyle(e).fontSize));
all.forEach((e, i) => e.style.fontSize = 2 * sizes[i] + 'px');
"""

USUAL = """
document.adoptedStyleSheets = [];
document.body.querySelectorAll('[style]').forEach(e => e.removeAttribute('style'));
"""

# The texts that are wider than the page, that leave a box with a shape of its own, or of which a
# box shows only a part. Boxes that scroll show all of it.
CUT_OFF = """
const found = [];
const shaped = 'button, .button, .pill, .face, .round, .bar a, .days a, .tabs a, .notice';
const say = (e, why) => found.push(why + ': ' + e.outerHTML.slice(0, 120));
if (document.documentElement.scrollWidth > innerWidth)
    found.push(`the page is ${document.documentElement.scrollWidth} px wide, not ${innerWidth}`);
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node; (node = walker.nextNode());) {
    const e = node.parentElement;
    if (!node.data.trim() || !e.checkVisibility({visibilityProperty: true, opacityProperty: true})
        || e.closest('.hidden, .skip, svg, option')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const text = range.getBoundingClientRect(), box = e.closest(shaped)?.getBoundingClientRect();
    if (box && (text.left < box.left - 1 || text.right > box.right + 1 || text.top < box.top - 1
        || text.bottom > box.bottom + 1)) say(e, 'the text leaves its box');
    for (let c = e; c; c = c.parentElement) {
        const style = getComputedStyle(c), edge = c.getBoundingClientRect();
        if (/hidden|clip/.test(style.overflowX) && text.right > edge.right + 1
            || /hidden|clip/.test(style.overflowY) && text.bottom > edge.bottom + 1)
            say(e, 'the text is cut off');
    }
}
return [...new Set(found)].slice(0, 5);
"""

# Controls that look the same with the focus, and selected ones that look like their neighbours,
# when the colours are those of the system. Colours do not count.
FORCED = """
const shape = e => ['', '::before', '::after'].map(part => {
    const s = getComputedStyle(e, part);
    return [s.outlineStyle, s.outlineStyle === 'none' ? '' : s.outlineWidth, s.outlineOffset,
        s.borderStyle, s.borderWidth, s.fontWeight, s.textDecorationLine, s.content].join(' ');
}).join('|');
const found = [], old = document.activeElement;
const selected = '[aria-current], [aria-pressed=true], [aria-selected=true]';
const seen = e => e.checkVisibility({visibilityProperty: true});
old?.blur?.();
for (const e of document.querySelectorAll(
    'a[href], button, input:not([type=hidden]), select, textarea, summary')) {
    if (!seen(e) || e.tabIndex < 0 || e.disabled) continue;
    const before = shape(e);
    e.focus({focusVisible: true, preventScroll: true});
    if (document.activeElement === e && shape(e) === before)
        found.push('looks the same with the focus: ' + e.outerHTML.slice(0, 120));
    e.blur();
}
old?.focus?.({preventScroll: true});
for (const e of document.querySelectorAll(selected)) {
    const other = [...e.parentElement.children].find(
        o => o.tagName === e.tagName && seen(o) && !o.matches(selected + ', .new'));
    if (seen(e) && other && shape(e) === shape(other))
        found.push('looks like its neighbours: ' + e.outerHTML.slice(0, 120));
}
return found.slice(0, 5);
"""

MOVING = """
const slow = [...document.querySelectorAll('*')].filter(e => {
    const s = getComputedStyle(e);
    return [s.transitionDuration, s.animationDuration].some(t => !/^(0s(, )?)*(auto)?$/.test(t));
});
return [...slow, ...document.getAnimations().map(a => a.effect.target)]
    .map(e => e.outerHTML.slice(0, 120)).slice(0, 5);
"""

PASTE = """
return [...document.querySelectorAll('input:not([type=hidden], [type=file]), textarea')]
    .filter(e => !e.dispatchEvent(new ClipboardEvent('paste', {bubbles: true, cancelable: true})))
    .map(e => e.outerHTML.slice(0, 120));
"""

# The parts that pages repeat, in their order: navigation, the list of keys, and help at the end.
REPEATED = """
const main = document.querySelector('main');
return {
    bar: [...document.querySelectorAll('.bar a')].map(e => e.textContent.trim()),
    keys: document.querySelectorAll('body > #keys').length,
    helpIsLast: [...document.querySelectorAll('.foot')].every(e => e === main.lastElementChild),
};
"""


def text_spacing(visit, name):
    """1.4.12: with more space between lines, words and letters, nothing is cut off."""
    look_at(visit, name, "with wide spacing", SPACED, ["phone", "desktop"])


def large_text(visit, name):
    """1.4.4: with text of twice its size, nothing is cut off, and no line is read sideways."""
    look_at(visit, name, "with text of twice its size", DOUBLED, ["half"])


def look_at(visit, name, how, change, sizes):
    for size in sizes:
        visit.browser.resize(*SIZES.get(size, (640, 800)))
        visit.driver.execute_script(change)
        found = visit.driver.execute_script(CUT_OFF)
        visit.driver.execute_script(USUAL)
        assert not found, f"{name}, {how}, {size}: {found}"


def forced_colours(visit, name):
    """1.4.1 and 2.4.7: in forced colours, focus and selection still have a shape."""
    visit.browser.look(forced_colors="active")
    found = visit.driver.execute_script(FORCED)
    visit.browser.look()
    assert not found, f"{name}, in forced colours: {found}"


def motion(visit, name):
    """2.3.3: nothing moves for people who asked for less motion."""
    found = visit.driver.execute_script(MOVING)
    assert not found, f"{name}: these move in spite of prefers-reduced-motion: {found}"


def paste(visit, name):
    """3.3.8: every field, also one for a link, code or password, takes what is pasted."""
    found = visit.driver.execute_script(PASTE)
    assert not found, f"{name}: these fields refuse to take what is pasted: {found}"


def same_help(visit, name):
    """3.2.3 and 3.2.6: what pages repeat, help included, has the same order on all of them."""
    parts = visit.driver.execute_script(REPEATED)
    assert parts["helpIsLast"], f"{name}: the help at the foot of the page is not its end"
    if not parts["bar"]:
        return
    first = visit.__dict__.setdefault("first_parts", parts)
    assert parts == first, f"{name}: the navigation is {parts}, and was {first}"


ALL = [text_spacing, large_text, forced_colours, motion, paste, same_help]
