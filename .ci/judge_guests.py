"""Uses the guest pages in a real browser.

python judge_guests.py LETSMEET LETSMEETD: aiosmtpd receives the mails. Headless Chromium, as wide
as a phone, opens the links in them, answers, requests a lost link again, and stops the reminders.
The layout is measured: nothing overflows the screen, buttons are large enough for a thumb, and text
has enough contrast, in light and dark mode."""

import contextlib
import datetime
import email
import email.policy
import json
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request

from judge_mail import HOSTILE, World, free_port, server

WIDTH, HEIGHT = 360, 740


@contextlib.contextmanager
def browser():
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]:
        options.add_argument(argument)
    options.add_experimental_option("mobileEmulation", {
        "deviceMetrics": {"width": WIDTH, "height": HEIGHT, "pixelRatio": 3.0, "touch": True}})
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    driver = webdriver.Chrome(
        options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
    # A click returns before the next page is loaded.
    driver.implicitly_wait(20)
    try:
        yield driver
    finally:
        driver.quit()


@contextlib.contextmanager
def daemon(world):
    process = subprocess.Popen(
        [world.programs["letsmeetd"], "run"], env=world.environment,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        for line in process.stderr:
            if "listening for HTTP" in line:
                break
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=30)


def text_of(envelope):
    mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
    return mail, mail.get_body(("plain",)).get_content()


def wait_for(box, count):
    deadline = time.monotonic() + 60
    while len(box.mails) < count:
        assert time.monotonic() < deadline, f"{len(box.mails)} of {count} mails arrived"
        time.sleep(0.05)
    return text_of(box.mails[count - 1][0])


# ---- The layout of a page

MEASURES = """
const seen = [];
function parse(text) { return text.match(/[\\d.]+/g).map(Number); }
function blend(front, back) {
    const a = front.length > 3 ? front[3] : 1;
    return [0, 1, 2].map(i => front[i] * a + back[i] * (1 - a));
}
function behind(element) {
    const layers = [];
    for (let e = element; e; e = e.parentElement)
        layers.push(parse(getComputedStyle(e).backgroundColor));
    const canvas = matchMedia('(prefers-color-scheme: dark)').matches ? [18, 18, 18] : [255, 255, 255];
    return layers.reverse().reduce((back, layer) => blend(layer, back), canvas);
}
function light(color) {
    const parts = color.map(v => v / 255).map(
        v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
}
for (const element of document.querySelectorAll('h1, h2, p, dd, dt, label, button, a, strong')) {
    if (!element.textContent.trim()) continue;
    const style = getComputedStyle(element), back = behind(element);
    let opacity = 1;
    for (let e = element; e; e = e.parentElement) opacity *= Number(getComputedStyle(e).opacity);
    const front = parse(style.color);
    front[3] = (front.length > 3 ? front[3] : 1) * opacity;
    const pair = [light(blend(front, back)), light(back)].sort((a, b) => b - a);
    const box = element.getBoundingClientRect();
    seen.push({
        name: element.tagName + ' ' + element.textContent.trim().slice(0, 20),
        contrast: (pair[0] + 0.05) / (pair[1] + 0.05), size: parseFloat(style.fontSize),
        button: element.tagName === 'BUTTON', width: box.width, height: box.height});
}
return {seen, scroll: document.documentElement.scrollWidth, width: innerWidth};
"""


def measure(driver, name):
    for scheme in ["light", "dark"]:
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": scheme},
                         {"name": "prefers-reduced-motion", "value": "reduce"}]})
        found = driver.execute_script(MEASURES)
        assert found["scroll"] <= found["width"] == WIDTH, (name, scheme, found["scroll"])
        assert len(found["seen"]) >= 3, (name, found)
        for part in found["seen"]:
            assert part["contrast"] >= 4.5, (name, scheme, part)
            assert part["size"] >= 14, (name, part)
            assert not part["button"] or min(part["width"], part["height"]) >= 44, (name, part)


def press(driver, selector):
    from selenium.webdriver.common.by import By

    driver.find_element(By.CSS_SELECTOR, selector).click()


def one(driver, selector):
    from selenium.webdriver.common.by import By

    return driver.find_element(By.CSS_SELECTOR, selector)


def rest(driver, origin):
    """Checks that no other host was contacted, nothing was stored, and no policy blocked
    anything."""
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            url = message["params"]["request"]["url"]
            assert url.startswith((origin, "data:")), url
    assert driver.get_cookies() == []
    said = [entry for entry in driver.get_log("browser") if "favicon" not in entry["message"]]
    allowed = [entry for entry in said if "404" in entry["message"] or "409" in entry["message"]]
    assert said == allowed, said


def answer_of(world, title, address):
    guests = world.run("letsmeet", "meeting", "show", title, "--json")["participants"]
    (guest,) = [guest for guest in guests if guest["address"] == address]
    return guest["answer"], guest["plus"], guest["note"]


def go(letsmeet, letsmeetd):
    page = free_port()
    origin = f"http://127.0.0.1:{page}"
    with server() as (box, port), World(
        letsmeet, letsmeetd, LETSMEET_SMTP_URL=f"smtp://127.0.0.1:{port}",
        LETSMEET_LISTEN=f"127.0.0.1:{page}", LETSMEET_BASE_URL=origin,
    ) as world, daemon(world), browser() as driver:
        answers(world, box, driver, origin)
        titles(world, driver, origin)
        lost(world, box, driver, origin)
        reminders(world, box, driver, origin)
        rest(driver, origin)


def answers(world, box, driver, origin):
    """Checks the way from the mail to the page and back to the organizer."""
    world.run("letsmeet", "people", "add", "Anna Aalto", "--email", "anna@example.org", "--json")
    world.plan("Games", "--place", "Café Engel", "--note", "Bring dice")
    mail, text = wait_for(box, 1)
    (link,) = re.findall(r"http://\S+/g/\w+", text)
    buttons = re.findall(r'href="([^"]+answer=\w+)"', mail.get_body(("html",)).get_content())
    assert buttons == [f"{link}?answer={word}" for word in ["yes", "maybe", "no"]], buttons
    driver.get(buttons[0])
    assert driver.title == "Games"
    assert "Café Engel" in one(driver, "main").text
    measure(driver, "guest")
    assert answer_of(world, "Games", "anna@example.org")[0] == "invited"
    plus = one(driver, "#plus")
    plus.clear()
    plus.send_keys("2")
    note = "I bring <b>cake</b> & \"tea\"\nund Käse \N{CHEESE WEDGE}"
    driver.execute_script("arguments[0].value = arguments[1]", one(driver, "#note"), note)
    press(driver, "button.yes")
    assert "your answer is saved: Yes" in one(driver, ".notice").text
    assert answer_of(world, "Games", "anna@example.org") == ("going", 2, note)
    measure(driver, "saved")
    driver.refresh()
    assert answer_of(world, "Games", "anna@example.org") == ("going", 2, note)
    assert one(driver, "#note").get_attribute("value") == note
    news, text = wait_for(box, 2)
    assert news["To"].addresses[0].addr_spec == "olga@example.org"
    assert news["Subject"] == "Anna Aalto is coming: Games", news["Subject"]
    assert all(f"> {line}\n" in text.replace("\r\n", "\n") for line in note.split("\n")), text
    calendar(driver, one(driver, "a[href$='.ics']").get_attribute("href"), mail)


def calendar(driver, address, mail):
    """Checks that the downloaded file has the same meeting as the mail."""
    import icalendar

    with urllib.request.urlopen(address) as answer:
        assert answer.headers.get_content_type() == "text/calendar"
        (event,) = icalendar.Calendar.from_ical(answer.read()).walk("VEVENT")
    (part,) = [part for part in mail.walk() if part.get_content_type() == "text/calendar"]
    (sent,) = icalendar.Calendar.from_ical(part.get_payload(decode=True)).walk("VEVENT")
    for name in ["UID", "SUMMARY", "LOCATION", "SEQUENCE"]:
        assert event[name] == sent[name], name
    assert event["DTSTART"].dt == sent["DTSTART"].dt and "ATTENDEE" not in event


def visible(text):
    """The text as pages show it: marks that turn the direction of text are written out."""
    marks = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067"
    return "".join(f"\\u{{{ord(sign):x}}}" if sign in marks else sign for sign in text)


def titles(world, driver, origin):
    """Checks that any title, name, place and note is shown as text, and fits."""
    seen = 0
    for number, text in enumerate(HOSTILE):
        line = " ".join(text.split())
        name = line[:80]
        planned = subprocess.run(
            [world.programs["letsmeet"], "meeting", "new", "--title", line, "--with",
             json.dumps(name) + f" <guest{number}@example.org>", "--place", line, "--note", text,
             "--start", "2027-03-14T12:00", "--json"], env=world.environment,
            capture_output=True, text=True)
        if planned.returncode != 0:
            assert planned.returncode in (1, 2), planned
            continue
        meeting = json.loads(planned.stdout)["meeting"]
        links = world.run("letsmeet", "meeting", "link", meeting["id"], "--json")["links"]
        driver.get(links[0]["url"])
        shown = driver.execute_script("return document.querySelector('h1').textContent")
        assert shown == visible(meeting["title"]), (shown, meeting["title"])
        note = driver.execute_script("return document.querySelector('.pre').textContent")
        known = visible(meeting["note"])
        assert note in (known, known.strip()), (note, meeting["note"])
        assert driver.execute_script("return document.querySelectorAll('script, img').length") == 0
        measure(driver, text)
        seen += 1
    assert seen >= len(HOSTILE) - 4, seen
    print(f"seen: {seen} hostile titles")


def lost(world, box, driver, origin):
    """Checks that a guest can get a lost link again, and that a wrong link reveals nothing else."""
    before = len(box.mails)
    driver.get(f"{origin}/g/" + "a" * 32)
    measure(driver, "lost")
    one(driver, "#address").send_keys("anna@example.org")
    press(driver, "button")
    assert "on their way" in one(driver, ".notice").text
    deadline = time.monotonic() + 60
    while not any("Your link to Games" in str(text_of(envelope)[0]["Subject"])
                  for envelope, _ in box.mails[before:]):
        assert time.monotonic() < deadline, "no link arrived"
        time.sleep(0.05)
    world.run("letsmeet", "meeting", "link", "Games", "anna", "--revoke", "--json")


def reminders(world, box, driver, origin):
    """Checks that a click in a reminder's page stops reminders, and that opening it does not."""
    soon = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=3660 + 4)
    world.plan(
        "Soon", "--remind", "1h1m", who="ben@example.org",
        start=soon.isoformat(timespec="seconds"))
    deadline = time.monotonic() + 60
    while True:
        found = [mail for mail in (text_of(envelope)[0] for envelope, _ in box.mails)
                 if mail["Subject"].startswith("Reminder: Soon") and "ben@" in mail["To"]]
        if found:
            break
        assert time.monotonic() < deadline, "no reminder arrived"
        time.sleep(0.05)
    address = re.fullmatch(r"<(\S+/u/\w+)>", found[0]["List-Unsubscribe"].strip()).group(1)
    policy = ["letsmeet", "remind", "policy", "show", "--who", "ben@example.org", "--json"]
    driver.get(address)
    measure(driver, "stop")
    assert world.run(*policy)["reminders"] is None
    press(driver, "button")
    assert "You no longer get reminders" in one(driver, ".notice").text
    assert world.run(*policy)["reminders"] == []
    measure(driver, "stopped")


if __name__ == "__main__":
    go(*sys.argv[1:])
