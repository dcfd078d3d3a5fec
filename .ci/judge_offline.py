"""Uses the pages without a network, in a real browser.

python judge_offline.py BROWSER LETSMEET LETSMEETD: Chromium or Firefox reads kept pages while
letsmeetd is not running, answers (which must stay a draft), and sends the draft later. After
signing out, nothing may be left in caches, storages, the history or a service worker, and the next
account may see nothing of the one before. A setting removes the worker."""

import contextlib
import re
import socket
import subprocess
import sys
import tempfile
import time

from browsers import SIZES, Chromium, Firefox, browser
from installation import Home, first_link
from journey import Visit

KEPT = """
const done = arguments[0];
(async () => {
  const found = [];
  for (const name of window.caches ? await caches.keys() : []) {
    for (const { url } of await (await caches.open(name)).keys()) found.push(new URL(url).pathname);
  }
  return found;
})().then(done, error => done(["" + error]));
"""
WORKERS = """
const done = arguments[0];
navigator.serviceWorker.getRegistrations().then(found => done(found.map(one => one.scope)));
"""
STORED = "return [...Object.keys(localStorage), ...Object.keys(sessionStorage)]"
OFFLINE = "Not sent: you are offline."


class Daemon:
    """letsmeetd at an address that stays the same."""

    def __init__(self, home):
        self.home, self.process = home, None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        home.environment["LETSMEET_LISTEN"] = f"127.0.0.1:{self.port}"

    def start(self):
        self.process = subprocess.Popen(
            [self.home.letsmeetd, "run"], env=self.home.environment, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True)
        return self.process

    def restart(self):
        self.start()
        deadline = time.monotonic() + 30
        while True:
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            assert time.monotonic() < deadline, "letsmeetd does not start again"
            time.sleep(0.1)

    def kill(self):
        """Ends it at once, as a network that is gone does."""
        self.process.kill()
        self.process.wait(timeout=30)
        self.process.stderr.close()


class Person(Visit):
    """Somebody at a browser that keeps pages."""

    def __init__(self, opened, daemon):
        super().__init__(opened, f"http://localhost:{daemon.port}", True, SIZES["desktop"], [])

    def ask(self, script):
        return self.driver.execute_async_script(script)

    def kept(self):
        return set(self.ask(KEPT))

    def is_shown(self, selector):
        found = self.driver.execute_script(
            "return document.querySelector(arguments[0])?.checkVisibility() ?? false", selector)
        return bool(found)

    def until_shown(self, selector, is_shown=True):
        self.until(lambda: self.is_shown(selector) == is_shown,
                   f"{selector} {'in sight' if is_shown else 'out of sight'}")

    def enter(self, home, who):
        answer = subprocess.run(
            [home.letsmeet, "open", "--for", who], env=home.environment, capture_output=True,
            text=True, timeout=60)
        token = re.search(r"#(\S+)", answer.stdout + answer.stderr)
        assert token, f"no link for {who}: {answer}"
        self.open("/")
        self.driver.get(f"{self.root}/enter#{token.group(1)}")
        self.press("form[data-enter] button")

    def until_kept(self, *paths):
        self.until(lambda: {"/", "/meetings", "/offline", *paths} <= self.kept(),
                   f"the pages {paths} in the cache")

    def read(self, path, *texts):
        """Opens a page that must come from the cache."""
        self.open(path)
        self.expect("As of", *texts)
        self.until_shown("#kept-offline")

    def click(self, selector):
        """Presses a button that may lead nowhere."""
        self.driver.execute_script("document.querySelector(arguments[0]).click()", selector)


def reads_and_answers(person, daemon, id):
    """Kept pages are shown at once with their age; an answer stays a draft until it is sent."""
    page = f"/m/{id}"
    person.open(page)
    person.until_kept(page)
    daemon.kill()
    person.read("/", "Chess")
    person.read("/meetings", "Chess")
    person.read(page, "Chess", "Who is coming")
    person.click(".answers .yes")
    person.expect(OFFLINE, "Your answer, Chess: Yes")
    person.read(page, OFFLINE)
    person.read("/", OFFLINE)
    person.open("/people")
    person.expect("You are offline", "Pages that you can read now", "Chess", "Meetings")
    person.read(page)
    daemon.restart()
    person.until_shown("#kept", False)
    person.expect("Not sent yet.")
    assert guest_answer(daemon.home, id) == "invited", "the draft was sent without a press"
    person.press("[data-send]")
    person.expect("your answer is saved")
    assert guest_answer(daemon.home, id) == "going", "the draft did not arrive"
    person.open(page)
    person.until_shown("#unsent", False)


def follows_changes(person, daemon, id):
    """A kept page is replaced as soon as the server answers."""
    daemon.home.run("meeting", "edit", id, "--title", "Chess for two", "--yes")
    person.open(f"/m/{id}")
    person.expect("Chess for two")
    person.until_shown("#kept", False)


def is_told_of_conflicts(person, daemon, id):
    """A draft about a meeting that was cancelled meanwhile gets the answer of the server."""
    page = f"/m/{id}"
    person.open(page)
    person.until_kept(page)
    daemon.kill()
    person.read(page)
    person.click(".answers .no")
    person.expect(OFFLINE, "No")
    daemon.restart()
    daemon.home.run("meeting", "cancel", id, "--yes")
    person.press("[data-send]")
    assert guest_answer(daemon.home, id) != "declined", "a cancelled meeting took an answer"
    person.open("/")
    if person.is_shown("#unsent"):
        person.find("[data-drop]").click()
        person.until_shown("#unsent", False)


def keeps_what_is_typed(person, daemon):
    """Another form says that nothing was sent, and keeps the text."""
    person.open("/new")
    person.fill("#title", "Typed without a network")
    daemon.kill()
    person.click("form[data-live] button[value=preview]")
    person.expect(OFFLINE, "what you typed is still here")
    assert person.find("#title").get_attribute("value") == "Typed without a network"
    daemon.restart()


def leaves_nothing(person, title):
    """After signing out, nothing is left in the browser, and Back shows nothing."""
    person.open("/meetings")
    person.expect(title)
    person.find(".round").click()
    person.press("#account form[action$=sign-out] button:not([type])")
    person.until_shown("form[data-enter]")
    person.until(lambda: not person.kept(), "empty caches")
    person.until(lambda: not person.ask(WORKERS), "no service worker")
    stored = person.driver.execute_script(STORED)
    assert not [name for name in stored if name.startswith("letsmeet")], f"kept: {stored}"
    person.driver.back()
    person.until(lambda: "sign" in person.driver.current_url, "the page to sign in after Back")
    assert title.lower() not in person.text().lower(), "Back shows a page of the account"


def sees_nothing_of_others(person, daemon, home, title):
    """The next account sees only its own, also without a network, also without a sign-out."""
    person.enter(home, "Ben")
    for path in ["/", "/meetings"]:
        person.open(path)
        assert title.lower() not in person.text().lower(), f"{path} shows a meeting of another"
    person.until_kept()
    daemon.kill()
    person.read("/meetings")
    assert title.lower() not in person.text().lower(), "a kept page shows a meeting of another"
    daemon.restart()
    person.enter(home, "Anna")
    assert "ben" not in person.find("#account-title").get_attribute("textContent").lower()
    person.open("/meetings")
    assert "Music of Ben" not in person.text(), "a page of another account was kept"


def removes_the_worker(person):
    """The setting removes the worker and its caches, and brings them back."""
    choose(person, "off")
    person.until(lambda: not person.ask(WORKERS) and not person.kept(), "no worker, no caches")
    person.open("/")
    time.sleep(1)
    assert not person.ask(WORKERS) and not person.kept(), "the worker came back"
    choose(person, "on")
    person.until(lambda: person.ask(WORKERS), "the worker")


def choose(person, value):
    person.open("/me")
    person.find(f"#keep option[value={value}]").click()
    person.press("form[action$='me/offline'] button")
    person.expect("Saved.")


def guest_answer(home, id):
    """The answer of Anna, such as `invited` or `going`."""
    people = home.run("meeting", "show", id)["participants"]
    return next(one["answer"] for one in people if one["name"] == "Anna")


def plan(home):
    """Two accounts, and a meeting for each."""
    for name in ["Anna", "Ben"]:
        home.run("people", "add", name, "--email", f"{name.lower()}@example.org")
    chess = home.meet("Chess", "tomorrow 18:00", "--with", "Anna")
    other = home.meet("Anna's secret meeting", "tomorrow 20:00", "--with", "Anna")
    home.meet("Music of Ben", "tomorrow 20:00", "--with", "Ben")
    return chess, other


def judge(kind, letsmeet, letsmeetd, folder):
    home = Home(folder + "/home", letsmeet, letsmeetd)
    daemon = Daemon(home)
    first_link(daemon.start())
    try:
        chess, other = plan(home)
        with browser(kind, keeps_pages=True) as opened:
            person = Person(opened, daemon)
            person.enter(home, "Anna")
            reads_and_answers(person, daemon, chess)
            follows_changes(person, daemon, chess)
            is_told_of_conflicts(person, daemon, other)
            keeps_what_is_typed(person, daemon)
            leaves_nothing(person, "Chess for two")
            sees_nothing_of_others(person, daemon, home, "Chess for two")
            removes_the_worker(person)
    finally:
        daemon.kill()
    print("seen: kept pages, drafts, a conflict, sign-out, another account and the setting")


def main(name, letsmeet, letsmeetd):
    with tempfile.TemporaryDirectory() as folder:
        judge({"Chromium": Chromium, "Firefox": Firefox}[name], letsmeet, letsmeetd, folder)


main(*sys.argv[1:])
