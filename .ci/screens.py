"""Makes pictures of all pages, to look at: phones and desktops, light and dark.

python screens.py LETSMEET LETSMEETD FOLDER: fills a home with people, circles and meetings in many
states, starts letsmeetd on it, and lets headless Chromium open every page. FOLDER then holds one
picture for each page, size and colour scheme, such as today-phone-dark.png."""

import contextlib
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.request

LETSMEET, LETSMEETD, FOLDER = sys.argv[1:4]
SIZES = {"phone": (360, 740), "landscape": (740, 360), "desktop": (1280, 800)}
LONG = "The yearly meeting of everybody who has ever helped with the garden behind the old library"


class Home:
    def __init__(self, folder):
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith("LETSMEET_")}
        self.environment |= {"LETSMEET_HOME": folder, "LETSMEET_LISTEN": "127.0.0.1:0"}

    def run(self, *arguments):
        done = subprocess.run(
            [LETSMEET, *arguments, "--json"], env=self.environment, capture_output=True, text=True)
        assert done.returncode == 0, (arguments, done.stdout, done.stderr)
        return json.loads(done.stdout)

    def meet(self, title, start, *arguments):
        made = self.run("meeting", "new", title, "--start", start, "--yes", *arguments)
        return made["meeting"]["id"]


def fill(home):
    """People, circles, and meetings in many states."""
    home.run("setup", "--name", "Olga Berg", "--email", "olga@example.org", "--tz",
             "Europe/Helsinki", "--area", "Helsinki")
    home.run("people", "import", "templates/demo/people.vcf")
    people = [person["id"] for person in home.run("people", "list")["people"]]
    home.run("circle", "new", "Chess", *people[:4])
    home.run("place", "add", "My kitchen", "--address", "Pursimiehenkatu 2, Helsinki")
    today = datetime.date.today()
    day = lambda days: (today + datetime.timedelta(days)).isoformat()
    full = home.meet("Board games", f"{day(1)}T19:00", "--with", ",".join(people), "--place",
                     "osm:way/8042215", "--note", "Bring your favourite game. I make soup.")
    for person, answer in zip(people, ["yes", "yes", "maybe", "no", "yes"]):
        home.run("rsvp", full, answer, "--who", person)
    home.meet("Lunch with Bruno", f"{day(1)}T12:00", "--with", people[1], "--place", "Fazer Café")
    home.meet("Planning call", f"{day(1)}T20:30", "--with", people[2], "--link",
              "https://call.example.org/room")
    series = home.meet("Choir", f"{day(2)}T18:00", "--with", "circle:Neighbours", "--repeat",
                       "weekly", "--place", "The small hall")
    dates = home.run("meeting", "show", series)["dates"]
    home.run("meeting", "cancel", series, "--on", dates[2]["occurrence"], "--yes")
    gone = home.meet("Picnic", f"{day(5)}T13:00", "--with", "circle:Chess")
    home.run("meeting", "cancel", gone, "--yes")
    home.meet(LONG, f"{day(3)}T10:00", "--with", ",".join(people[:3]), "--place", LONG)
    asked = home.run("meeting", "new", "Birthday of Aino", "--start", f"{day(4)}T17:00", "--with",
                     "olga@example.org", "--as", people[0], "--yes")
    return {"full": full, "series": series, "asked": asked["meeting"]["id"],
            "date": dates[1]["occurrence"]}


@contextlib.contextmanager
def daemon(home):
    process = subprocess.Popen(
        [LETSMEETD, "run"], env=home.environment, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True)
    try:
        for line in process.stderr:
            found = re.search(r"^Open (\S+) to sign in", line)
            if found:
                yield found.group(1)
                break
    finally:
        process.terminate()
        process.communicate(timeout=30)


@contextlib.contextmanager
def browser():
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
                     "--hide-scrollbars", "--lang=en"]:
        options.add_argument(argument)
    driver = webdriver.Chrome(
        options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
    try:
        yield driver
    finally:
        driver.quit()


def picture(driver, name):
    for size, (width, height) in SIZES.items():
        for scheme in ["light", "dark"]:
            driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
                {"name": "prefers-color-scheme", "value": scheme},
                {"name": "prefers-reduced-motion", "value": "reduce"}]})
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 800})
            driver.save_screenshot(f"{FOLDER}/{name}-{size}-{scheme}.png")


def pages(driver, root, ids):
    day = (datetime.date.today() + datetime.timedelta(1)).isoformat()
    meeting, series = f"/m/{ids['full']}", f"/m/{ids['series']}"
    yield from {
        "today": f"/?day={day}", "empty-day": "/?day=2030-01-01", "meetings": "/meetings",
        "search": "/meetings?q=choir", "new": "/new", "meeting": meeting,
        "invited": f"/m/{ids['asked']}", "series": series, "date": f"{series}?date={ids['date']}",
        "edit": meeting + "/edit", "invite": meeting + "/invite", "message": meeting + "/message",
        "cancel": f"{series}/cancel?date={ids['date']}", "links": meeting + "/links",
        "why": meeting + "/why", "people": "/people", "places": "/places",
        "found": "/places?city=Helsinki&interest=museum", "me": "/me", "welcome": "/welcome",
        "not-found": "/nothing",
    }.items()


def main():
    pathlib.Path(FOLDER).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        home = Home(folder + "/home")
        ids = fill(home)
        with daemon(home) as link, browser() as driver:
            root = re.match(r"https?://[^/]+", link).group(0)
            driver.get(root + "/sign-in")
            picture(driver, "sign-in")
            driver.get(link)
            picture(driver, "enter")
            driver.find_element("css selector", "form button").click()
            time.sleep(1)
            for name, path in pages(driver, root, ids):
                driver.get(root + path)
                picture(driver, name)
            driver.get(root + f"/m/{ids['full']}/links")
            for button in driver.find_elements("css selector", "form .primary"):
                button.click()
                time.sleep(0.5)
                break
            guest = driver.find_element("css selector", "[data-link]").get_attribute("value")
            driver.get(guest)
            picture(driver, "guest")
    print(f"{len(list(pathlib.Path(FOLDER).glob('*.png')))} pictures in {FOLDER}")


main()
