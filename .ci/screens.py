"""Makes pictures of all pages and mails, to look at: phones and desktops, light and dark.

python screens.py LETSMEET LETSMEETD FOLDER: fills a home with people, circles and meetings in many
states, starts letsmeetd on it, and lets headless Chromium open every page. FOLDER then holds one
picture for each page, size and colour scheme, such as today-phone-dark.png."""

import datetime
import pathlib
import sys
import tempfile

from browsers import SIZES, Chromium, browser
from installation import Home, daemon, root_of
from journey import Visit
import mail_pictures

LETSMEET, LETSMEETD, FOLDER = sys.argv[1:4]
LONG = "The yearly meeting of everybody who has ever helped with the garden behind the old library"


def fill(home):
    """People, circles, and meetings in many states."""
    home.run("setup", "--name", "Olga Berg", "--email", "olga@example.org", "--tz",
             "Europe/Helsinki", "--area", "Helsinki")
    home.run("people", "import", "templates/demo/people.vcf")
    people = [person["id"] for person in home.run("people", "list")["people"]]
    home.run("circle", "new", "Chess", *people[:4])
    kitchen = home.run("place", "add", "My kitchen", "--address", "Pursimiehenkatu 2, Helsinki")
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
    asked = home.meet("Birthday of Aino", f"{day(4)}T17:00", "--with", "olga@example.org", "--as",
                      people[0])
    weekly = home.meet("Football", f"{day(3)}T19:00", "--with", "olga@example.org", "--repeat",
                       "weekly", "--as", people[1])
    return {"full": full, "series": series, "asked": asked, "date": dates[1]["occurrence"],
            "weekly": weekly, "kitchen": kitchen["place"]["id"], "people": people}


def picture(visit, name):
    for size in ["phone", "landscape", "desktop"]:
        for scheme in ["light", "dark"]:
            visit.browser.look(scheme)
            visit.browser.resize(*SIZES[size])
            visit.driver.save_screenshot(f"{FOLDER}/{name}-{size}-{scheme}.png")


def pages(ids):
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
        "weekly": f"/m/{ids['weekly']}", "feeds": "/me/feeds", "mail": "/me/mail",
        "not-found": "/nothing", "about": "/about",
    }.items()


def book_pages(ids):
    """The pages of the address book and of places."""
    person, kitchen = f"/people/{ids['people'][0]}", f"/places/{ids['kitchen']}"
    yield from {
        "person": person, "person-edit": person + "/edit", "person-new": "/people/new",
        "person-remove": person + "/remove", "person-erase": person + "/erase",
        "person-merge": f"{person}/merge?with={ids['people'][1]}",
        "people-letter": "/people?from=G", "circles": "/circles", "circle": "/circles/Chess",
        "circle-add": "/circles/Chess/add", "circle-edit": "/circles/Chess/edit",
        "circle-delete": "/circles/Chess/delete", "place": "/places/osm-way-8042215",
        "place-own": kitchen, "place-edit": kitchen + "/edit", "place-new": "/places/new",
        "near": "/places?near=60.17,24.94&within=w10&interest=coffee",
    }.items()


def own_pages():
    """The settings of an account, and what works for it."""
    yield from {
        "profile": "/me/profile", "addresses": "/me/addresses", "reminders": "/me/reminders", "inbox": "/pecks",
        "delete": "/me/delete", "backup": "/me/backup", "channels": "/me/channels",
        "channel-add": "/me/channels?add=http",
        "calendars": "/me/calendars", "tasks": "/tasks", "offline": "/offline",
        "circle-channels": "/circles/Chess/channels",
    }.items()


def look_around(visit, link, ids):
    visit.open("/sign-in")
    picture(visit, "sign-in")
    visit.driver.get(link)
    picture(visit, "enter")
    visit.press("form button")
    for name, path in [*pages(ids), *book_pages(ids), *own_pages()]:
        visit.open(path)
        picture(visit, name)
    visit.open("/places/new")
    visit.fill("#position", "60.17, 24.94")
    visit.press("[name=do][value=find]")
    picture(visit, "place-map")
    for name, opener in [("quick", "[data-opens=quick]"), ("account", ".round")]:
        visit.open("/")
        visit.find(opener).click()
        picture(visit, "panel-" + name)
    visit.open(f"/m/{ids['full']}/links")
    visit.press("form .primary")
    visit.driver.get(visit.find("[data-link]").get_attribute("value"))
    picture(visit, "guest")
    visit.open(f"/m/{ids['full']}/links")
    visit.press("button[value=share]")
    visit.driver.get(visit.find("#l-share").get_attribute("value"))
    picture(visit, "for-everybody")


def main():
    pathlib.Path(FOLDER).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        home = Home(folder + "/home", LETSMEET, LETSMEETD)
        ids = fill(home)
        with daemon(home) as link, browser(Chromium) as opened:
            visit = Visit(opened, root_of(link), True, SIZES["desktop"], [])
            look_around(visit, link, ids)
            mail_pictures.take(home, visit, FOLDER)
    print(f"{len(list(pathlib.Path(FOLDER).glob('*.png')))} pictures in {FOLDER}")


main()
