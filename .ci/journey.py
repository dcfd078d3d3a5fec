"""A journey through the pages for people who sign in, by any browser.

`travel` opens the link that a new installation prints, sets it up, plans a meeting with two guests
and a place, answers through a guest's link, changes, cancels, keeps contacts, circles and places,
looks at all other pages, and signs out. On the way, the checks of the visit judge each page, and some of them the same page in German,
whose words are longer."""

import re
import time

from journey_book import keep_book

HOSTILE = "\"><script>document.title='bro'+'ken'</script><b>&amp; " + "W" * 40
PATIENCE = 20


class Visit:
    """A person at a browser."""

    def __init__(self, browser, root, has_scripts, size, checks):
        self.browser, self.driver, self.root = browser, browser.driver, root
        self.has_scripts, self.size, self.checks = has_scripts, size, checks
        self.german_checks = []
        self.seen, self.german, self.faults = [], [], []
        browser.resize(*size)

    def find(self, selector):
        return self.driver.find_element("css selector", selector)

    def fill(self, selector, text):
        field = self.find(selector)
        field.clear()
        field.send_keys(text)

    def press(self, selector):
        """Presses a button or link with the Enter key, and waits for the next page."""
        from selenium.webdriver.common.keys import Keys

        old = self.find("html")
        self.find(selector).send_keys(Keys.ENTER)
        self.until(lambda: is_gone(old), f"a page after {selector}")
        if self.has_scripts:
            self.until(lambda: is_loaded(self.driver), f"the end of the page after {selector}")

    def until(self, condition, what):
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < deadline, (
                f"{what} did not come within {PATIENCE} seconds at {self.driver.current_url}, "
                f"which shows: {self.text()[:2000]}")
            time.sleep(0.05)

    def open(self, path):
        self.driver.get(self.root + path)

    def text(self):
        return self.find("body").text

    def expect(self, *texts):
        """Waits until the page shows all texts, in capital or small letters."""
        for text in texts:
            self.until(lambda: text.lower() in self.text().lower(), f"the text {text!r}")

    def judge(self, name):
        """Lets all checks look at the page, and keeps what they find."""
        self.seen.append(name)
        self.look(name, self.checks)

    def judge_german(self, name):
        """Lets those checks look at a page in German whose result may differ there."""
        self.german.append(name)
        self.look(name, self.german_checks)

    def look(self, name, checks):
        self.browser.allow_scripts(True)
        for check in checks:
            try:
                check(self, name)
            except AssertionError as fault:
                self.faults.append(str(fault))
        self.browser.resize(*self.size)
        self.browser.allow_scripts(self.has_scripts)


def is_gone(element):
    from selenium.common.exceptions import WebDriverException

    try:
        element.is_enabled()
        return False
    except WebDriverException:
        return True


def is_loaded(driver):
    """Whether the page is there, and its scripts have run."""
    from selenium.common.exceptions import WebDriverException

    try:
        return driver.execute_script("return document.readyState") == "complete"
    except WebDriverException:
        return False


# ---- The way

def set_up(visit, link):
    visit.driver.get(link)
    if not visit.has_scripts:
        visit.fill("#token", link.split("#")[1])
    visit.judge("enter")
    visit.press("form button")
    visit.expect("Welcome to letsmeet")
    if visit.has_scripts:
        zone = visit.find("#zone").get_attribute("value")
        assert zone, "the time zone of the browser is not filled in"
    visit.fill("#name", "Olga Owner")
    visit.fill("#city", "Helsinki")
    visit.fill("#zone", "Narnia/Lamppost")
    visit.press("form[action$=welcome] button.primary")
    visit.expect("Please look at this again")
    visit.judge("welcome with a mistake")
    visit.fill("#zone", "Europe/Helsinki")
    visit.press("form[action$=welcome] button.primary")
    visit.expect("New meeting", "All set.")
    visit.judge("new, empty")


def plan(visit):
    """Plans a meeting, and returns its path."""
    visit.fill("#title", HOSTILE)
    choose_guests(visit)
    visit.fill("#interest", "museum")
    visit.press("[name=do][value=search]")
    visit.expect("Kiasma")
    visit.find("[name=place]").send_keys(" ")
    if not visit.has_scripts:
        visit.press("[data-plain] [value=preview]")
    visit.expect("2 invitations now")
    visit.judge("new, filled")
    visit.press("[value=create]")
    visit.expect("The meeting is planned.")
    visit.judge("meeting")
    return re.sub(r"\?.*", "", visit.driver.current_url[len(visit.root):])


def choose_guests(visit):
    """With scripts one by one, without them both at once."""
    anna, ben = "anna@example.org", "ben@example.org"
    for text in [anna, ben] if visit.has_scripts else [f"{anna}, {ben}"]:
        visit.fill("#who", text)
        visit.press("[name=do][value=find]")
    visit.expect(anna, ben)


def answer_as_guest(visit, path):
    visit.open(path + "/links")
    visit.judge("links")
    link = visit.find("[data-link]").get_attribute("value")
    visit.driver.get(link)
    visit.judge("guest")
    visit.press("[name=answer][value=yes]")
    visit.expect("saved")
    visit.open(path)
    visit.expect("2 going")


def read_story(visit, path):
    """What was sent about the meeting, once all of it is."""
    visit.open(path + "/why?all=1")
    visit.until(lambda: visit.text().count("attempt 1") == 3 or visit.open(path + "/why?all=1"),
                "the end of three deliveries")
    visit.judge("story")


def change(visit, path):
    visit.open(path + "/edit")
    visit.fill("#time", "20:15")
    visit.press("[value=preview]")
    visit.judge("edit")
    visit.press("[value=save]")
    visit.expect("The change is saved.", "20:15")
    visit.open(path + "/invite")
    visit.fill("#who", "carla@example.org")
    visit.press("[value=preview]")
    visit.judge("invite")
    visit.press("[value=save]")
    visit.expect("carla@example.org")
    visit.open(path + "/message")
    visit.fill("#text", "Bring <b>boards</b>.")
    visit.press("[value=preview]")
    visit.judge("message")
    visit.press("[value=save]")
    visit.expect("The message is on its way.")


def cancel(visit, path):
    visit.open(path + "/cancel")
    visit.judge("cancel")
    visit.press("form .danger")
    visit.expect("The meeting is cancelled.")
    visit.open(path + "/uncancel")
    visit.judge("uncancel")
    visit.press("form .primary")
    visit.expect("The meeting takes place after all.")
    visit.open(path + "/cancel")
    visit.press("form .danger")
    visit.expect("The meeting is cancelled.")


def look_around(visit):
    for name, place in [
        ("today", "/"), ("a day", "/?day=2030-01-01"), ("meetings", "/meetings"),
        ("past meetings", "/meetings?past"), ("people", "/people"), ("places", "/places"),
        ("places found", "/places?city=Helsinki&interest=coffee"), ("me", "/me"),
        ("mail", "/me/mail"), ("about me", "/me/profile"), ("addresses", "/me/addresses"),
        ("reminders", "/me/reminders"), ("delete the account", "/me/delete"),
        ("channels", "/me/channels"), ("busy times", "/me/calendars"), ("tasks", "/tasks"),
        ("backup", "/me/backup"),
        ("offline", "/offline"), ("not found", "/nothing"),
    ]:
        visit.open(place)
        visit.judge(name)
    make_feed(visit)


def make_feed(visit):
    """Makes a calendar feed, and revokes it."""
    visit.open("/me/feeds")
    visit.press("form.card button.primary")
    visit.expect("The feed is made.")
    visit.judge("feeds")
    visit.press("[action$=revoke] button")
    visit.expect("The feed is revoked.")


def open_panels(visit):
    """The panels that scripts open over a page. The short form leads to the long one."""
    visit.open("/meetings")
    visit.find(".round").click()
    visit.until(lambda: visit.find("#account").is_displayed(), "the panel of the account")
    visit.judge("account panel")
    visit.open("/meetings")
    visit.find("body").send_keys("q")
    visit.until(lambda: visit.find("#quick").is_displayed(), "the short form")
    visit.judge("short form")
    visit.fill("#quick-what", "Chess")
    visit.fill("#quick-who", "anna@example.org")
    visit.press("#quick .primary")
    visit.expect("1 invitation now")
    assert visit.find("#title").get_attribute("value") == "Chess"


def show_keys(visit):
    """The list of keys, which only a script opens."""
    visit.open("/meetings")
    visit.find("body").send_keys("?")
    visit.until(lambda: visit.find("#keys").is_displayed(), "the list of keys")
    visit.judge("keys")


def look_around_in_german(visit, path, book):
    visit.open("/me")
    visit.find("#language").send_keys("Deutsch")
    visit.press("#language + button")
    visit.expect("Sprache")
    for place in ["/", "/meetings", "/new", "/people", "/places?city=Helsinki&interest=coffee",
                  "/me", "/me/mail", "/me/feeds", "/me/profile", "/me/addresses", "/me/reminders",
                  "/me/delete", "/me/channels", "/me/calendars", "/me/backup", "/tasks", "/offline",
                  "/welcome",
                  path, path + "/links", path + "/why",
                  "/circles", "/places/new", "/about", *book, "/nothing"]:
        visit.open(place)
        visit.judge_german(f"{place} in German")


def sign_out(visit):
    visit.open("/me")
    visit.press("form[action$=sign-out] button")
    visit.until(lambda: visit.driver.current_url.endswith("/enter"), "the page after signing out")
    visit.open("/meetings")
    visit.expect("Sign in")
    visit.judge("sign in")


def add_passkey(visit):
    """Adds a passkey, and takes the device away. Returns the passkey."""
    visit.driver.add_virtual_authenticator(device())
    visit.open("/me")
    visit.press("[data-passkey] button")
    visit.expect("The passkey is added.")
    visit.judge("me with a passkey")
    keys = visit.driver.get_credentials()
    visit.driver.remove_virtual_authenticator()
    assert len(keys) == 1, f"the device has {len(keys)} passkeys"
    return keys[0]


def device():
    """A device that keeps passkeys and knows its person."""
    from selenium.webdriver.common.virtual_authenticator import VirtualAuthenticatorOptions

    options = VirtualAuthenticatorOptions()
    options.protocol, options.transport = "ctap2", "internal"
    options.has_resident_key = options.has_user_verification = True
    options.is_user_verified = True
    return options


def enter_by_passkey(visit, key):
    """The browser offers the passkey on the page by itself, and the device confirms at once."""
    visit.driver.add_virtual_authenticator(device())
    visit.driver.add_credential(key)
    visit.open("/sign-in?next=/meetings")
    visit.until(lambda: visit.driver.current_url.endswith("/meetings"), "the page after signing in")


def check_logs(visit):
    """No page asks another host, and no script or policy complains."""
    for url in visit.browser.requests():
        assert url.startswith((visit.root, "data:", "chrome")), f"a page asked {url}"
    complaints = visit.browser.complaints(visit.root)
    assert not complaints, f"{visit.browser.name} complains: {complaints}"


def travel(visit, link):
    set_up(visit, link)
    path = plan(visit)
    answer_as_guest(visit, path)
    read_story(visit, path)
    change(visit, path)
    cancel(visit, path)
    look_around(visit)
    book = keep_book(visit)
    if visit.has_scripts:
        show_keys(visit)
        open_panels(visit)
    # Only Chromium can pretend to be a device with passkeys.
    has_passkeys = visit.has_scripts and visit.browser.name == "Chromium"
    key = add_passkey(visit) if has_passkeys else None
    if visit.german_checks:
        look_around_in_german(visit, path, book)
    sign_out(visit)
    if has_passkeys:
        enter_by_passkey(visit, key)
    check_logs(visit)
    assert not visit.faults, "\n".join(visit.faults)
