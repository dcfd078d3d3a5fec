"""Uses the pages for people who sign in, in a real browser.

python judge_pages.py LETSMEET LETSMEETD: headless Chromium opens the link that a new installation
prints, sets it up, plans a meeting with two guests and a place, answers through a guest's link,
changes and cancels. Once with scripts on a desktop, once without on a phone. On every page axe-core
must find no violation, in light and dark, and nothing may overflow the screen."""

import contextlib
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

LETSMEET, LETSMEETD = sys.argv[1:3]
AXE = pathlib.Path(
    importlib.util.find_spec("axe_playwright_python").submodule_search_locations[0],
    "axe.min.js").read_text(encoding="utf-8")
SIZES = {"phone": (360, 740), "landscape": (740, 360), "desktop": (1280, 800), "narrow": (320, 640)}
HOSTILE = "\"><script>document.title='bro'+'ken'</script><b>&amp; " + "W" * 40


@contextlib.contextmanager
def daemon(home):
    environment = {**os.environ, "LETSMEET_HOME": home, "LETSMEET_LISTEN": "127.0.0.1:0"}
    for name in list(environment):
        if name.startswith("LETSMEET_") and name not in ("LETSMEET_HOME", "LETSMEET_LISTEN"):
            del environment[name]
    process = subprocess.Popen(
        [LETSMEETD, "run"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        text=True)
    errors = []
    try:
        link = None
        for line in process.stderr:
            found = re.search(r"^Open (\S+) to sign in", line)
            if found:
                link = found.group(1)
                break
        assert link, "no link was printed"
        thread = threading.Thread(
            target=lambda: errors.extend(
                line for line in process.stderr if "level=error" in line), daemon=True)
        thread.start()
        yield link
    finally:
        process.terminate()
        process.wait(timeout=30)
    assert not errors, errors


@contextlib.contextmanager
def browser(has_scripts):
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
                     "--hide-scrollbars", "--lang=en"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(
        options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
    driver.implicitly_wait(10)
    if not has_scripts:
        driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        yield driver
    finally:
        driver.quit()


class Visit:
    """A person at a browser."""

    def __init__(self, driver, root, has_scripts):
        self.driver, self.root, self.has_scripts = driver, root, has_scripts
        self.seen = set()

    def size(self, name):
        width, height = SIZES[name]
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 800})

    def find(self, selector):
        return self.driver.find_element("css selector", selector)

    def fill(self, selector, text):
        field = self.find(selector)
        field.clear()
        field.send_keys(text)

    def press(self, selector):
        """Presses a button or link, and waits for the next page."""
        old = self.find("html")
        element = self.find(selector)
        self.driver.execute_cdp_cmd("Page.enable", {})
        element.send_keys("\n")
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            try:
                old.is_enabled()
                time.sleep(0.05)
            except Exception:
                return
        raise AssertionError(f"{selector} led to no other page than {self.driver.current_url}")

    def open(self, path):
        self.driver.get(self.root + path)

    def text(self):
        return self.find("body").text

    def expect(self, *texts):
        deadline = time.monotonic() + 10
        while True:
            page = self.text().lower()
            missing = [text for text in texts if text.lower() not in page]
            if not missing:
                return
            assert time.monotonic() < deadline, (missing, self.driver.current_url, page[:2000])
            time.sleep(0.1)

    def judge(self, name):
        """axe-core and the layout, in light and dark."""
        self.seen.add(name)
        command = self.driver.execute_cdp_cmd
        if not self.has_scripts:
            command("Emulation.setScriptExecutionDisabled", {"value": False})
        try:
            assert "broken" not in self.driver.title, name
            for scheme in ["light", "dark"]:
                command("Emulation.setEmulatedMedia", {
                    "features": [
                        {"name": "prefers-color-scheme", "value": scheme},
                        {"name": "prefers-reduced-motion", "value": "reduce"}]})
                for size in SIZES:
                    self.size(size)
                    wide, width = self.driver.execute_script(
                        "return [document.documentElement.scrollWidth, innerWidth]")
                    assert wide <= width, (name, size, wide, width)
                for size in ["phone", "desktop"]:
                    self.size(size)
                    self.driver.execute_script(
                        AXE + "; window.axe = axe; return 1")
                    found = self.driver.execute_async_script(
                        "const done = arguments[0];"
                        "axe.run({resultTypes: ['violations']}).then(r => done(r.violations.map("
                        "v => v.id + ': ' + v.nodes.map(n => n.html).slice(0, 3).join(' | '))))")
                    assert not found, (name, scheme, size, found)
        finally:
            self.size("desktop" if self.has_scripts else "phone")
            if not self.has_scripts:
                command("Emulation.setScriptExecutionDisabled", {"value": True})


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
    visit.fill("#title", HOSTILE)
    if visit.has_scripts:
        visit.fill("#who", "anna@example.org")
        visit.press("[name=do][value=find]")
    else:
        visit.fill("#who", "anna@example.org, ben@example.org")
        visit.press("[name=do][value=find]")
    visit.expect("anna@example.org")
    if visit.has_scripts:
        visit.fill("#who", "ben@example.org")
        visit.press("[name=do][value=find]")
    visit.expect("ben@example.org")
    visit.fill("#interest", "museum")
    visit.press("[name=do][value=search]")
    visit.expect("Kiasma")
    place = visit.find("[name=place]")
    visit.driver.execute_cdp_cmd("Page.enable", {})
    place.send_keys(" ")
    if visit.has_scripts:
        visit.expect("2 invitations now")
    else:
        visit.press("[data-plain] [value=preview]")
        visit.expect("2 invitations now")
    visit.judge("new, filled")
    visit.press("[value=create]")
    visit.expect("The meeting is planned.")
    visit.judge("meeting")
    return re.sub(r"\?.*", "", visit.driver.current_url[len(visit.root):])


def answer_as_guest(visit, path):
    visit.open(path + "/links")
    visit.press("form .primary")
    visit.judge("links")
    link = visit.find("[data-link]").get_attribute("value")
    visit.driver.get(link)
    visit.press("button[value=yes], [name=answer][value=yes]")
    visit.expect("saved")
    visit.open(path)
    visit.expect("2 going")


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
    visit.open(path + "/cancel")
    visit.judge("cancel")
    visit.press("form .danger")
    visit.expect("The meeting is cancelled.")


def look_around(visit, path):
    for name, place in [
        ("today", "/"), ("a day", "/?day=2030-01-01"), ("meetings", "/meetings"),
        ("past meetings", "/meetings?past"), ("people", "/people"), ("places", "/places"),
        ("places found", "/places?city=Helsinki&interest=coffee"), ("me", "/me"),
        ("story", path + "/why"), ("not found", "/nothing"),
    ]:
        visit.open(place)
        visit.judge(name)


def sign_out(visit):
    visit.open("/me")
    visit.press("form[action$=sign-out] button")
    visit.open("/meetings")
    visit.expect("Sign in")


def check_logs(visit):
    """No page asks another host, and no script or policy complains."""
    origin = visit.root
    for entry in visit.driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            url = message["params"]["request"]["url"]
            assert url.startswith((origin, "data:", "chrome")), url
    complaints = [
        entry["message"] for entry in visit.driver.get_log("browser")
        if "404 (Not Found)" not in entry["message"] and "400 (Bad" not in entry["message"]]
    assert not complaints, complaints


def main():
    for has_scripts in [True, False]:
        with tempfile.TemporaryDirectory() as folder, daemon(folder + "/home") as link:
            root = re.match(r"https?://[^/]+", link).group(0)
            with browser(has_scripts) as driver:
                visit = Visit(driver, root, has_scripts)
                visit.size("desktop" if has_scripts else "phone")
                set_up(visit, link)
                path = plan(visit)
                answer_as_guest(visit, path)
                change(visit, path)
                look_around(visit, path)
                sign_out(visit)
                check_logs(visit)
                print(f"seen: {len(visit.seen)} pages {'with' if has_scripts else 'without'} "
                      "scripts, each in 4 sizes, light and dark")


main()
