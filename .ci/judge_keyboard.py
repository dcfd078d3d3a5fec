"""Uses the pages by keyboard alone, in Chromium.

python judge_keyboard.py LETSMEET LETSMEETD: signs in, sets up, adds a person, plans a meeting,
answers it as a guest, and cancels it with Tab, Shift+Tab, Enter, Space, arrows and typed text. Then
Tab on a phone screen, and Shift+Tab on a phone held sideways, go through every page: they must
reach each control once, in the order of the page, and come back. Each control with the focus must
be in sight and uncovered (WCAG 2.4.11), with an outline (2.4.7) whose colour has a contrast of 3:1
(1.4.11)."""

import re
import sys
import tempfile
import time

from browsers import SIZES, Chromium, browser
from installation import Home, daemon, root_of
from journey import is_gone, is_loaded

PATIENCE = 20

# The controls that Tab should reach. Radio buttons of the same name are one control.
CONTROLS = """
const all = [...document.querySelectorAll(
    'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]')]
    .filter(e => e.tabIndex >= 0 && !e.disabled && e.checkVisibility({visibilityProperty: true}));
window.nameOf = e => e.type === 'radio' ? 'radio ' + e.name : e.tagName.toLowerCase() + ' '
    + (e.ariaLabel || e.name || e.textContent.trim().slice(0, 30)) + ' ' + all.indexOf(e);
return [...new Set(all.map(nameOf))];
"""

STOP = """
const e = document.activeElement;
if (!e || e === document.body || e === document.documentElement) return null;
function light([r, g, b]) {
    const part = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
}
const numbers = color => color.match(/[\\d.]+/g).map(Number);
function behind(e) {
    for (; e; e = e.parentElement) {
        const color = numbers(getComputedStyle(e).backgroundColor);
        if (color.length < 4 || color[3] === 1) return color;
    }
    return [255, 255, 255];
}
function contrast([r, g, b, alpha = 1], back) {
    const front = [r, g, b].map((v, i) => v * alpha + back[i] * (1 - alpha));
    const [more, less] = [light(front), light(back)].sort((x, y) => y - x);
    return (more + 0.05) / (less + 0.05);
}
const box = e.getClientRects()[0] ?? e.getBoundingClientRect(), style = getComputedStyle(e);
const x = box.left + box.width / 2, y = box.top + box.height / 2;
const hit = document.elementFromPoint(x, y);
const inset = parseFloat(style.outlineOffset) < 0;
return {
    name: window.nameOf ? nameOf(e) : e.tagName, html: e.outerHTML.slice(0, 200),
    isDate: e.matches('[type^=date]'), box: [box.left, box.top, box.width, box.height],
    isSeen: e.contains(hit),
    cover: hit ? hit.outerHTML.slice(0, 200) : 'nothing: it is out of sight',
    outline: style.outlineStyle === 'none' ? 0 : parseFloat(style.outlineWidth),
    contrast: contrast(numbers(style.outlineColor), behind(inset ? e : e.parentElement)),
};
"""


class Keyboard:
    """A person without a mouse."""

    def __init__(self, opened, root):
        self.browser, self.driver, self.root = opened, opened.driver, root
        self.stops = 0

    def press(self, *keys):
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver, duration=0).send_keys(*keys).perform()

    def tab(self, back=False):
        """Presses Tab, and returns the checked stop; None if no control has the focus then."""
        from selenium.webdriver.common.action_chains import ActionChains
        from selenium.webdriver.common.keys import Keys

        chain = ActionChains(self.driver, duration=0)
        if back:
            chain.key_down(Keys.SHIFT).send_keys(Keys.TAB).key_up(Keys.SHIFT).perform()
        else:
            chain.send_keys(Keys.TAB).perform()
        stop = self.driver.execute_script(STOP)
        if stop:
            self.check(stop)
        return stop

    def check(self, stop):
        self.stops += 1
        where = f"{self.driver.current_url}: {stop['html']} with the focus, at {stop['box']},"
        assert stop["isSeen"], f"{where} is covered by {stop['cover']}"
        assert stop["outline"] >= 2, f"{where} has an outline of {stop['outline']} px instead of 2"
        assert stop["contrast"] >= 3, (
            f"{where} has an outline with a contrast of {stop['contrast']:.2f} instead of 3")

    def go(self, selector, back=False):
        """Presses Tab until the control has the focus."""
        for _ in range(120):
            self.tab(back)
            if self.has_focus(selector):
                return
        raise AssertionError(
            f"{self.driver.current_url}: Tab does not reach {selector} within 120 times")

    def has_focus(self, selector):
        return self.driver.execute_script(
            "return document.activeElement.matches(arguments[0])", selector)

    def fill(self, selector, text, back=False):
        """Goes to a field, whose whole text is then selected, and types."""
        self.go(selector, back)
        self.press(text)

    def enter(self, selector, back=False):
        """Goes to a button or link, presses Enter, and waits for the next page."""
        from selenium.webdriver.common.keys import Keys

        if not self.has_focus(selector):
            self.go(selector, back)
        old = self.driver.find_element("css selector", "html")
        self.press(Keys.ENTER)
        self.until(lambda: is_gone(old), f"a page after {selector}")
        self.until(lambda: is_loaded(self.driver), f"the end of the page after {selector}")

    def until(self, condition, what):
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < deadline, (
                f"{what} did not come within {PATIENCE} seconds at {self.driver.current_url}")
            time.sleep(0.05)

    def expect(self, text):
        body = lambda: self.driver.find_element("css selector", "body").text.lower()
        self.until(lambda: text.lower() in body(), f"the text {text!r}")

    def open(self, path):
        """Opens a page, as if its address had been typed."""
        self.driver.get(self.root + path)


# ---- From the first link to the cancelled meeting

def set_up(person, link):
    person.driver.get(link)
    person.enter("form[data-enter] button")
    person.expect("Welcome to letsmeet")
    person.fill("#name", "Olga Owner")
    person.fill("#city", "Helsinki")
    person.fill("#zone", "Europe/Helsinki")
    person.enter("form[action$=welcome] button.primary")
    person.expect("All set.")


def add_person(person):
    """Goes to another page by the navigation, and skips it there."""
    from selenium.webdriver.common.keys import Keys

    person.enter(".bar a[href$=people]")
    person.go(".skip")
    person.press(Keys.ENTER)
    person.tab()
    assert person.has_focus("main a.round"), "the skip link does not lead to the content"
    person.fill("#name", "Anna Aalto")
    person.fill("#address", "anna@example.org")
    person.enter("form[action$=people] button.primary")
    person.expect("Anna Aalto")


def plan(person):
    """Plans a meeting, with the keys of a list of suggestions, a choice and a set of buttons.
    Returns its path."""
    from selenium.webdriver.common.keys import Keys

    leave_by(person, "n")
    person.fill("#title", "Chess")
    person.fill("#who", "Ann")
    person.until(lambda: person.driver.execute_script(
        "return document.querySelectorAll('#who-list:not([hidden]) [role=option]').length === 1"),
        "a suggestion for “Ann”")
    person.press(Keys.ARROW_DOWN, Keys.ENTER)
    person.expect("1 invitation now")
    person.go("#duration")
    person.press(Keys.ARROW_DOWN)
    person.fill("#title", "Chess and go", back=True)
    person.fill("#interest", "museum")
    person.enter("[name=do][value=search]")
    person.expect("Kiasma")
    person.go("[name=place]")
    person.press(Keys.SPACE, Keys.ARROW_DOWN)
    assert person.driver.execute_script(
        "return document.querySelectorAll('[name=place]')[1].checked"), "no second place is chosen"
    person.go("summary")
    person.press(Keys.SPACE)
    person.fill("#note", "Bring a clock.")
    person.enter("[value=create]")
    person.expect("The meeting is planned.")
    return re.sub(r"\?.*", "", person.driver.current_url[len(person.root):])


def keep_book(home):
    """Makes a circle and a place, and returns the paths of pages of the address book."""
    home.run("circle", "new", "Chess", "anna@example.org")
    home.run("place", "add", "My kitchen", "--near", "60.17,24.94")
    anna = next(person["id"] for person in home.run("people", "list")["people"]
                if person["name"] == "Anna Aalto")
    kitchen = home.run("place", "saved")["places"][0]["id"]
    return [f"/people/{anna}", f"/people/{anna}/edit", f"/people/{anna}/merge", "/circles",
            "/circles/Chess", "/circles/Chess/edit", f"/places/{kitchen}", "/places/new", "/about"]


def leave_by(person, key):
    """Leaves the page by one of the keys that letsmeet listens to."""
    old = person.driver.find_element("css selector", "html")
    person.press(key)
    person.until(lambda: is_gone(old), f"a page after the key {key}")
    person.until(lambda: is_loaded(person.driver), f"the end of the page after the key {key}")


def answer(person):
    """Opens the guest's link, which was made with the meeting, and answers."""
    person.enter("main .side a[href$=links]")
    link = person.driver.find_element("css selector", "[data-link]").get_attribute("value")
    person.driver.get(link)
    person.fill("#note", "See you!")
    person.enter("[name=answer][value=maybe]")
    person.expect("saved")
    person.enter("[name=answer][value=yes]")
    person.expect("saved: yes")
    return link


def cancel(person, path):
    person.open(path)
    person.expect("See you!")
    person.enter("main .side a[href*=cancel]")
    person.enter("form .danger")
    person.expect("The meeting is cancelled.")


def show_keys(person):
    """The list of keys opens over the page, keeps the focus, and gives it back."""
    from selenium.webdriver.common.keys import Keys

    person.open("/meetings")
    person.go("#q")
    person.go("main .tabs a")
    person.press("?")
    is_open = lambda: person.driver.execute_script("return document.getElementById('keys').open")
    person.until(is_open, "the list of keys")
    for _ in range(4):
        assert not person.tab() or person.has_focus("#keys *"), "Tab leaves the open list of keys"
    person.press(Keys.ESCAPE)
    person.until(lambda: not is_open(), "the end of the list of keys")
    assert person.has_focus("main .tabs a"), "the list of keys does not give the focus back"


# ---- Every control of every page

def walk(person, path, back):
    """Tab goes through each control once, and comes back."""
    expected = person.driver.execute_script(CONTROLS)
    seen = []
    for _ in range(len(expected) * 2 + 12):
        stop = person.tab(back)
        if not stop or (seen and stop["name"] == seen[0] != seen[-1]):
            if seen:
                break
        # The parts of a date are stops of their own.
        elif not (stop["isDate"] and seen and seen[-1] == stop["name"]):
            seen.append(stop["name"])
    wanted = expected[::-1] if back else expected
    assert seen == wanted, (
        f"{path}: {'Shift+Tab' if back else 'Tab'} does not go through all controls in the order "
        f"of the page. It stops at {seen} instead of {wanted}")


def walk_all(person, paths):
    for path in paths:
        person.open(path)
        for size, back in [("phone", False), ("landscape", True)]:
            person.browser.resize(*SIZES[size])
            walk(person, path, back)


def main(letsmeet, letsmeetd):
    with tempfile.TemporaryDirectory() as folder:
        home = Home(folder + "/home", letsmeet, letsmeetd)
        with daemon(home) as link, browser(Chromium) as opened:
            person = Keyboard(opened, root_of(link))
            opened.resize(*SIZES["desktop"])
            set_up(person, link)
            add_person(person)
            path = plan(person)
            guest = answer(person)
            show_keys(person)
            paths = ["/", "/meetings", "/new", "/people", "/places?city=Helsinki&interest=coffee",
                     "/me", "/me/mail", "/me/feeds", "/me/profile", "/me/reminders",
                     "/me/channels", "/me/calendars",
                     "/welcome", *keep_book(home),
                     path, path + "/edit", path + "/invite",
                     path + "/message", path + "/links", path + "/why", path + "/cancel",
                     guest[len(person.root):], "/nothing", "/enter", "/sign-in"]
            walk_all(person, paths)
            opened.resize(*SIZES["desktop"])
            cancel(person, path)
    print(f"seen: {person.stops} times a control with the focus, on {len(paths)} pages")


main(*sys.argv[1:])
