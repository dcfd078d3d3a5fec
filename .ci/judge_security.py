"""Attacks the pages of letsmeet from outside.

python judge_security.py LETSMEET LETSMEETD: each function whose name stands in ATTACKS is one
attack on a real daemon. It fails if the attack gets further than the rules of docs/pages.md,
docs/guests.md and docs/operating.md allow. All attacks run, also after a failure."""

import concurrent.futures
import contextlib
import datetime
import email
import email.policy
import hashlib
import html
import pathlib
import random
import re
import sqlite3
import statistics
import struct
import sys
import time
import traceback
import urllib.parse
import zlib

from judge_mail import server
from site_client import (
    Browser, Site, changed, connect, exchange, expect, statuses, until)

SOURCES = pathlib.Path(__file__).parent.parent / "Sources/Web"
ROUTE = re.compile(r'[Rr]oute\(\s*\.(get|post),\s*"([^"]+)"')
BOUNDARY = "judge-boundary"
MULTIPART = f"multipart/form-data; boundary={BOUNDARY}"
CARD = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Mallory\r\nEND:VCARD\r\n"
OTHER = "No meeting, person or link has this name"
# The secret in the path of these pages takes the place of the rules against forged forms.
SECRET_PATHS = {"/g/*", "/u/*"}
OPEN_PAGES = {
    "/enter", "/sign-in", "/sign-in/code", "/sign-in/passkey", "/sign-in/password",
    "/passkeys/challenge",
}
WIDE = {"Sec-Fetch-Site": "same-origin"}


def part(name, value, file=None):
    """A part of a form with files; the octets of a picture are its characters below 256."""
    named = f'; filename="{file}"' if file else ""
    return (f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"{named}\r\n\r\n'
            f"{value}\r\n")


def upload(*parts):
    return ("".join(parts) + f"--{BOUNDARY}--\r\n").encode("latin-1")


class Stage:
    """An installation with accounts, meetings, guests and feeds to attack."""

    def __init__(self, site, box):
        self.site, self.box = site, box
        self.secrets = set()
        self.ids = {name: site.add_account(name, address) for name, address in [
            ("Anna Aalto", "anna@example.org"), ("Ben Berg", "ben@example.org"),
            ("Carla Cruz", "carla@example.org")]}
        self.plan()
        self.links()
        self.olga, self.anna, self.ben, self.carla = [
            self.signed_in(name) for name in ["olga", "anna", "ben", "carla"]]
        self.task = import_card(self.olga, "Tina Task", "tina@example.net")
        until(lambda: len(self.subjects("Reminder: Soon")) == 2, "the reminders of Soon")
        self.stop = re.search(
            r"<http\S+(/u/\w+)>", self.subjects("Reminder: Soon")[0]["List-Unsubscribe"]).group(1)
        self.secrets |= {self.stop.split("/")[2], *self.guests.values()}

    def plan(self):
        """A meeting of Anna with Carla and a contact of Anna, one of Olga, and one that is soon."""
        run = self.site.run
        made = run("letsmeet", "people", "add", "Quirin Quassel", "--email", "quirin@example.net",
                   "--as", "anna", "--json")
        self.contact = made["person"]["id"]
        self.own = {
            name: run("letsmeet", "people", "add", f"{name} Own", "--json")["person"]["id"]
            for name in ["Edda", "Rita", "Egon", "Mona", "Mara"]}
        self.kitchen = run("letsmeet", "place", "add", "Kitchen of Olga", "--near", "60.17,24.94",
                           "--json")["place"]["id"]
        for circle, people in {"Kept circle": ["Edda Own"], "Left": ["Edda Own"], "Joined": [],
                               "Added": [], "Edited": [], "Deleted": []}.items():
            run("letsmeet", "circle", "new", circle, *people, "--json")
        self.of_anna = self.site.plan(
            "Anna plans", "--with", "quirin@example.net", "--place", "Annala", "--note", "Hush",
            "--as", "anna", who="carla@example.org")
        self.of_olga = self.site.plan("Olga plans", who="carla")
        soon = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=3664)
        self.site.plan("Soon", "--remind", "1h1m", who="carla",
                       start=soon.isoformat(timespec="seconds"))

    def links(self):
        """The guest links of both meetings, and a feed."""
        self.guests = {}
        for name, meeting in [("anna", self.of_anna), ("olga", self.of_olga)]:
            found = self.site.run("letsmeet", "meeting", "link", meeting["id"], "--json")["links"]
            for link in found:
                # Anna does not know Carla, so that she is called as Anna typed her.
                person = link["person"]["name"].replace("carla@example.org", "Carla Cruz")
                self.guests[name, person] = link["url"].rsplit("/", 1)[1]
        feed = self.site.run("letsmeet", "calendar", "feed", "new", "--as", "anna", "--json")
        self.feed = feed["feed"]["path"]
        self.secrets.add(self.feed[5:-4])

    def token(self, who):
        token = self.site.token_for(who)
        self.secrets.add(token)
        return token

    def signed_in(self, who, **options):
        """A browser in which a person is signed in."""
        browser = self.site.browser(**options)
        expect(browser.post("/enter", token=self.token(who)).status, 303, f"signing {who} in")
        self.secrets.add(browser.session)
        return browser

    def mails(self):
        return [email.message_from_bytes(envelope.content, policy=email.policy.default)
                for envelope, _ in list(self.box.mails)]

    def subjects(self, text):
        """The mails whose subject begins with a text."""
        return [mail for mail in self.mails() if str(mail["Subject"]).startswith(text)]

    def sign_in_tokens(self, address):
        """The tokens in the mails that sign somebody in, the oldest first."""
        tokens = [
            re.search(r"/enter\S*#(\w{32})", mail.get_body(("plain",)).get_content())
            for mail in self.mails() if address in str(mail["To"]).lower()]
        found = [token.group(1) for token in tokens if token]
        self.secrets |= set(found)
        return found

    def rest(self):
        """Waits until everything that is due is sent."""
        until(lambda: self.site.rows_of("""
            SELECT (SELECT count(*) FROM intent) + (
                SELECT count(*) FROM delivery_now WHERE state = 'planned' AND due <= ?)
            """, int(time.time() * 1000) + 1000) == [(0,)], "the deliveries that are due")

    def quiet(self):
        """A snapshot of the database at rest."""
        self.rest()
        return self.site.snapshot()

    def form_token(self, browser):
        """The token that proves a form of this session."""
        token = re.search(r'name="csrf" value="(\w+)"', browser.get("/me").text).group(1)
        self.secrets.add(token)
        return token


def routes(verb):
    """The paths of all routes with this method, as the sources declare them. Those of the demo
    exist only in a demo."""
    text = "".join(path.read_text() for path in SOURCES.rglob("*.swift"))
    code = re.sub(r"(?m)^\s*///.*$", "", text)
    found = ROUTE.findall(code)
    declared = len(re.findall(r"[Rr]oute\(\s*\.(?:get|post),", code))
    assert len(found) == declared, f"{declared} routes are declared, {len(found)} are understood"
    return {path for method, path in found if method == verb and not path.startswith("/demo")}


def pages(stage):
    """Addresses to read for each route."""
    id = stage.of_anna["id"]
    style = re.search(r"/a/style\.\w+\.css", stage.anna.get("/me").text).group(0)
    guest = stage.guests["anna", "Carla Cruz"]
    other, own = stage.contact, stage.own["Edda"]
    return {
        "/": ["/", "/?day=2027-03-13"], "/enter": ["/enter", "/enter?next=/new"],
        "/sign-in": ["/sign-in", "/sign-in?sent=1"], "/a/:file": [style],
        "/me/feeds": ["/me/feeds"], "/me/profile": ["/me/profile"],
        "/me/addresses": ["/me/addresses"], "/me/addresses/confirm": ["/me/addresses/confirm"],
        "/me/reminders": ["/me/reminders"], "/me/delete": ["/me/delete"],
        "/pecks": ["/pecks", "/pecks?snoozed=1"], "/pecks/newest": ["/pecks/newest"],
        "/pecks/:peck/why": sorted(set(
            re.findall(r"/pecks/\w+/why", stage.anna.get("/pecks").text)))[:1],
        "/me/feeds": ["/me/feeds"], "/me/calendars": ["/me/calendars"],
        "/me/channels": ["/me/channels", "/me/channels?add=http"],
        "/circles/:circle/channels": ["/circles/Kept%20circle/channels"],
        # An event stream does not end, and is read by the tests of the pages.
        "/events": [],
        "/sw.js": ["/sw.js"], "/offline": ["/offline"],
        "/manifest.webmanifest": ["/manifest.webmanifest"], "/meetings": [
            "/meetings", "/meetings?past", "/meetings?q=anna"],
        "/m/:id": [f"/m/{id}", f"/m/{id}?saved=answer"], "/m/:id/why": [f"/m/{id}/why"],
        "/m/:id/meeting.ics": [f"/m/{id}/meeting.ics"], "/m/:id/edit": [f"/m/{id}/edit"],
        "/m/:id/invite": [f"/m/{id}/invite"], "/m/:id/message": [f"/m/{id}/message"],
        "/m/:id/cancel": [f"/m/{id}/cancel"], "/m/:id/uncancel": [f"/m/{id}/uncancel"],
        "/m/:id/nudge": [f"/m/{id}/nudge"],
        "/m/:id/uninvite": [f"/m/{id}/uninvite?guest={other}"],
        "/m/:id/links": [f"/m/{id}/links"], "/new": ["/new", "/new?date=2027-01-01&place=x"],
        "/new/people": ["/new/people?q=q"], "/people": ["/people", "/people?q=qui"],
        "/people/import": ["/people/import"], "/people/new": ["/people/new"],
        "/people/export.vcf": ["/people/export.vcf"],
        "/people/export.csv": ["/people/export.csv"],
        "/people/:person": [f"/people/{own}", f"/people/{own}?saved=merged"],
        "/people/:person/edit": [f"/people/{own}/edit"],
        "/people/:person/picture": [f"/people/{own}/picture"],
        "/me/picture": ["/me/picture"], "/me/followers": ["/me/followers"],
        "/me/following": ["/me/following"], "/@:account": [f"/@{stage.ids['Ben Berg']}"],
        "/@:account/picture": [f"/@{stage.ids['Ben Berg']}/picture"],
        "/m/:id/picture": [f"/m/{id}/picture?guest={other}"],
        "/people/:person/merge": [f"/people/{own}/merge", f"/people/{own}/merge?q=a"],
        "/people/:person/remove": [f"/people/{own}/remove"],
        "/people/:person/erase": [f"/people/{own}/erase"],
        "/people/:person/unmerge": [f"/people/{own}/unmerge"],
        "/places": ["/places", "/places?city=Helsinki&interest=coffee",
                    "/places?near=60.17,24.94&within=w10&open=2027-05-01T12:00&interest=coffee"],
        "/tasks": ["/tasks"], "/tasks/:task": [f"/tasks/{stage.task}"],
        "/places/new": ["/places/new"],
        "/places/map.svg": ["/places/map.svg?at=60.17,24.94&radius=1200&pin=60.17,24.94"],
        "/places/:place": ["/places/osm-node-1007416273?at=2027-05-01T12:00",
                           f"/places/{stage.kitchen}"],
        "/places/:place/edit": [f"/places/{stage.kitchen}/edit"],
        "/about": ["/about"], "/about/licences.txt": ["/about/licences.txt"], "/me": ["/me"],
        "/circles": ["/circles", "/circles?page=2"], "/circles/:circle": ["/circles/Kept%20circle"],
        "/circles/:circle/add": ["/circles/Kept%20circle/add"],
        "/circles/:circle/edit": ["/circles/Kept%20circle/edit"],
        "/circles/:circle/delete": ["/circles/Kept%20circle/delete"],
        "/circles/:circle/remove": [f"/circles/Kept%20circle/remove?person={own}"],
        "/feed": ["/feed", "/feed?world=1&order=start"],
        "/me/mail": ["/me/mail"], "/me/backup": ["/me/backup"], "/welcome": ["/welcome"],
        "/g/*": [f"/g/{guest}", f"/g/{guest}?answer=no", f"/g/{guest}/meeting.ics", "/g/",
                 "/g/style.css"],
        "/u/*": [stage.stop, "/u/style.css"], "/cal/*": [stage.feed],
        "/healthz": ["/healthz"], "/metrics": ["/metrics"],
    }


def forms(stage):
    """A form for each route that would change something, if it were accepted."""
    id = stage.of_anna["id"]
    meeting = {"title": "Forged", "date": "2027-05-01", "time": "12:00", "do": "create",
               "duration": "1h", "key": "forged-key", "with": "ben@example.org"}
    mail = {"host": "mail.evil.example", "port": "25", "protection": "none",
            "sender": "olga@example.org", "base": "http://evil.example"}
    return {
        "/enter": {"token": stage.token("ben"), "here": "1"}, "/sign-out": {},
        "/sign-in": {"address": "ben@example.org"}, "/sign-in/code": {"code": "123456"},
        "/people/new": {"name": "Malory", "email": "malory@evil.example"},
        "/people/:person/edit": {"person": stage.own["Edda"], "was-name": "Edda Own",
                                 "name": "Mallory"},
        "/people/:person/merge": {"person": stage.own["Mona"], "with": stage.own["Mara"]},
        "/people/:person/unmerge": {"person": stage.own["Mona"], "do": "unmerge"},
        "/people/:person/picture": {"person": stage.own["Edda"]}, "/me/picture": {},
        "/people/:person/remove": {"person": stage.own["Rita"], "do": "remove"},
        "/tasks/:task/cancel": {"task": stage.task}, "/tasks/:task/undo": {"task": stage.task},
        "/places/fetch": {"city": "Helsinki"},
        "/places/new": {"name": "Forged", "position": "60.17,24.94", "do": "save"},
        "/places/:place/edit": {"place": stage.kitchen, "name": "Forged kitchen", "do": "save"},
        "/places/:place/save": {"place": "osm-node-1007416273", "name": "Forged cafe"},
        "/places/:place/remove": {"place": stage.kitchen},
        "/people/:person/erase": {"person": stage.own["Egon"], "do": "erase"},
        "/people/:person/circle": {"person": stage.own["Edda"], "circle": "Joined"},
        "/circles": {"name": "Forged circle"},
        "/circles/:circle/add": {"circle": "Added", "with": stage.own["Edda"], "do": "join"},
        "/circles/:circle/edit": {"circle": "Edited", "name": "Forged name"},
        "/circles/:circle/remove": {"circle": "Left", "person": stage.own["Edda"],
                                    "do": "remove"},
        "/circles/:circle/delete": {"circle": "Deleted", "do": "delete"},
        "/people/import": {}, "/welcome": {
            "name": "Olga Mallory", "address": "olga@example.org", "zone": "Europe/Paris",
            "city": ""},
        "/welcome/sample": {}, "/m/:id/answer": {"answer": "no"},
        # Nobody joins a meeting of invited people, and nobody asked to.
        "/m/:id/join": {}, "/m/:id/leave": {}, "/m/:id/admit": {"person": stage.contact},
        "/m/:id/refuse": {"person": stage.contact}, "/m/:id/confirm": {}, "/me": {"language": "de"},
        "/me/theme": {"theme": "dark"}, "/me/offline": {"keep": "off"}, "/me/sessions": {"session": "others"}, "/me/mail": mail,
        "/sign-in/password": {"address": "ben@example.org", "password": "wrong wrong"},
        "/me/password": {"password": "correct horse battery"}, "/passkeys/challenge": {}, "/sign-in/passkey": {"id": "AAAA"},
        "/me/passkeys": {"id": "AAAA"}, "/me/passkeys/remove": {"passkey": "AAAA"},
        # Only digests, so that the messages of other checks go their usual way.
        "/me/channels": {"kind": "ntfy", "url": "https://ntfy.example/forged",
                         "carried": "digest"},
        "/circles/:circle/channels": {"circle": "Added", "kind": "ntfy",
                                      "url": "https://ntfy.example/forged"},
        "/me/calendars": {"url": "http://127.0.0.1:1/forged.ics"},
        "/me/feeds": {"busy": "1"}, "/me/feeds/revoke": {"feed": "aaaa"},
        "/me/profile": {"language": "en"}, "/me/profile/shown": {"about": "Forged"},
        "/me/followers": {"do": "block", "person": stage.ids["Ben Berg"]},
        "/me/following": {"do": "unfollow", "person": stage.ids["Ben Berg"]},
        "/@:account": {"do": "follow", "account": stage.ids["Ben Berg"]},
        "/me/addresses": {"address": "forged@evil.example"},
        "/me/addresses/first": {"address": "olga@example.org"},
        "/me/addresses/remove": {"address": "olga@example.org"},
        "/me/addresses/confirm": {"token": "a" * 32},
        "/me/reminders": {"digest": "daily", "do": "save"},
        "/pecks/read": {"id": "aaaa"}, "/pecks/read-all": {}, "/pecks/kinds": {"kind": "change"},
        "/pecks/snooze": {"id": "aaaa", "until": "in 1h"},
        "/me/delete": {"name": "Olga Owner"}, "/me/backup": {}, "/me/backup/cancel": {},
        "/me/export.zip": {}, "/me/mail/test": {}, "/people": {"name": "Mallory", "address": "m@evil.example"}, "/invited": {"meeting": id},
        "/new": meeting, "/new/discard": {}, "/m/:id/links": {"do": "renew"},
        "/m/:id/message": {"do": "save", "text": "Forged", "to": "all", "shown": "all Forged"},
        "/m/:id/edit": {"do": "preview", "title": "Forged"},
        "/m/:id/nudge": {"note": "Forged"}, "/m/:id/uninvite": {"guest": stage.contact},
        "/m/:id/invite": {"do": "save", "with": stage.ids["Ben Berg"],
                          "shown": stage.ids["Ben Berg"]}, "/m/:id/cancel": {}, "/m/:id/uncancel": {},
    }, id


def send_form(browser, route, id, fields, form):
    """Sends a form, as one with a file where the page takes one."""
    path = route.replace(":id", id).replace(":person", form.get("person", "")).replace(
        ":place", form.get("place", "")).replace(":circle", form.get("circle", "")).replace(
        ":task", form.get("task", "")).replace(":account", form.get("account", ""))
    if route not in {"/people/import", "/people/:person/picture", "/me/picture"}:
        return browser.ask("POST", path, form, {"Accept": "text/html", **fields})
    parts = [part(name, value) for name, value in form.items()]
    return browser.ask("POST", path, None, {
        "Accept": "text/html", "Content-Type": MULTIPART, **fields},
        upload(*parts, part("file", CARD, "people.vcf"), part("picture", png(), "a.png")))


def png(side=64):
    """A grey square in the format PNG, as text."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(
            ">I", zlib.crc32(kind + data))
    head = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    rows = zlib.compress((b"\0" + b"\x80" * side) * side)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows)
            + chunk(b"IEND", b"")).decode("latin-1")


# ---- Forged forms

def lists_of_routes_are_complete(stage):
    """Every route of the sources stands in the tables of this script, so that none is missed."""
    expect(set(forms(stage)[0]) | SECRET_PATHS, (routes("post"),), "the table of forms")
    expect(set(pages(stage)), (routes("get"),), "the table of pages")
    print(f"seen: {len(routes('post'))} routes with forms, {len(routes('get'))} with pages")


def forged_forms_are_refused(stage):
    """Forms of other sites, and without a proof of their own, are refused and change nothing."""
    table, id = forms(stage)
    own, foreign = stage.form_token(stage.anna), stage.form_token(stage.ben)
    site = stage.site
    lies = [
        ({"Sec-Fetch-Site": "cross-site"}, own), ({"Sec-Fetch-Site": "same-site"}, own),
        ({"Sec-Fetch-Site": "cross-site", "Origin": site.root}, own),
        ({"Sec-Fetch-Site": "unheard-of"}, own), ({"Origin": "https://evil.example"}, own),
        ({"Origin": "null"}, own), ({"Origin": f"http://localhost:{site.port}.evil.example"}, own),
        ({"Origin": ""}, own), ({}, None), ({}, ""), ({}, "0" * 32), ({}, foreign),
        ({"Referer": site.root + "/new"}, None),
    ]
    browser = stage.olga.twin()
    before, count = stage.quiet(), 0
    for route, form in table.items():
        for fields, token in lies:
            # Anna's own token proves nothing in Olga's session either.
            sent = {**form, **({} if token is None else {"csrf": token})}
            answer = send_form(browser, route, id, fields, sent)
            expect(answer.status, 403, f"POST {route} with {fields}, token {token is not None}")
            assert not answer.cookies(), f"POST {route} with {fields} sets a cookie"
            count += 1
        expect(changed(before, stage.quiet()), ([],), f"tables changed by forged forms to {route}")
    expect(stage.olga.get("/me").status, 200, "the session after forged forms")
    print(f"seen: {count} forged forms refused")


def forged_forms_with_the_right_token_are_refused(stage):
    """The token in a form does not outweigh what the browser says about its origin."""
    table, id = forms(stage)
    token = stage.form_token(stage.olga)
    browser = stage.olga.twin()
    before = stage.quiet()
    for route, form in table.items():
        for fields in [{"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"},
                       {"Origin": "null"}]:
            answer = send_form(browser, route, id, fields, {**form, "csrf": token})
            expect(answer.status, 403, f"POST {route} with {fields} and the right token")
    expect(changed(before, stage.quiet()), ([],), "tables changed by forged forms")


def origins_that_are_nearly_own_are_refused(stage):
    """Another port, another scheme and a missing port are other origins."""
    port, own = stage.site.port, stage.form_token(stage.ben)
    passed = []
    for origin in [f"http://localhost:{port + 1}", f"https://localhost:{port}",
                   "http://localhost", "https://localhost", f"ftp://localhost:{port}",
                   f"http://127.0.0.1:{port + 1}", f"http://localhost:{port}@evil.example",
                   f"localhost:{port}", f"abc localhost:{port}"]:
        answer = stage.ben.ask("POST", "/me", {"language": "en", "csrf": own}, {"Origin": origin})
        if answer.status != 403:
            passed.append(f"{origin} got {answer.status}")
    expect(passed, ([],), "origins that are not 403")


def own_forms_are_accepted(stage):
    """The same forms are not refused if they come from pages of this site."""
    table, id = forms(stage)
    acts = {}
    for route, form in table.items():
        # Some of the forms end sessions.
        browser = stage.signed_in("olga")
        proof = WIDE if route in OPEN_PAGES else {}
        sent = {**form, "csrf": stage.form_token(browser)}
        before = stage.quiet()
        answer = send_form(browser, route, id, proof, sent)
        assert answer.status not in (403, 404, 405) and answer.status < 500, (
            f"POST {route} from a page of this site: seen {answer.status}")
        if route not in OPEN_PAGES:
            acts[route] = changed(before, stage.site.snapshot())
    idle = sorted(route for route, tables in acts.items() if not tables)
    print(f"seen: {len(acts) - len(idle)} of {len(acts)} own forms change the store")
    # These change a cookie, show a preview, send a file, test a server, or find nothing to do.
    known = {
        "/m/:id/answer", "/m/:id/edit", "/m/:id/join", "/m/:id/leave", "/m/:id/admit",
        "/m/:id/refuse", "/m/:id/confirm", "/me/mail/test", "/me/passkeys", "/me/passkeys/remove",
        "/me/theme", "/new/discard", "/me/feeds/revoke", "/invited", "/me/export.zip",
        # The owner's address is a setting, and the owner stays.
        "/me/addresses", "/me/addresses/first", "/me/addresses/remove", "/me/addresses/confirm",
        "/me/delete",
        "/me/calendars", "/me/offline", "/tasks/:task/cancel", "/me/backup", "/me/backup/cancel",
    }
    expect(sorted(set(idle) - known), ([],), "forms that should change something, and do not")


# ---- Sessions

def a_session_cannot_be_chosen(stage):
    """A token that somebody put into the browser before the sign-in is not the session."""
    browser = stage.site.browser()
    chosen = "a" * 32
    browser.cookies["letsmeet"] = chosen
    expect(browser.post("/enter", token=stage.token("ben")).status, 303, "the sign-in")
    assert browser.session not in (None, chosen), f"the session is {browser.session}"
    stage.secrets.add(browser.session)
    thief = stage.site.browser()
    thief.cookies["letsmeet"] = chosen
    expect(thief.get("/me").field("location"), "/sign-in?next=%2Fme", "/me with the chosen token")
    for path in ["/enter", "/sign-in", "/me"]:
        answer = stage.site.browser().get(path)
        expect(answer.cookies(), ({},), f"cookies of GET {path} before the sign-in")


def a_sign_in_renews_the_session(stage):
    """Signing in again gives another token, and ends the session that the browser had."""
    browser = stage.signed_in("ben")
    old = browser.twin()
    expect(browser.post("/enter", token=stage.token("ben")).status, 303, "the second sign-in")
    assert browser.session != old.session, "the second sign-in keeps the token"
    stage.secrets.add(browser.session)
    expect(old.get("/me").status, 303, "/me with the token before the second sign-in")
    expect(browser.get("/me").status, 200, "/me with the new token")


def tokens_are_stored_as_hashes(stage):
    """The database holds no token, only its SHA-256."""
    token = stage.ben.session
    digest = hashlib.sha256(token.encode()).hexdigest()
    expect(stage.site.rows_of("SELECT count(*) FROM session WHERE hash = ?", digest), ([(1,)],),
           "sessions with the hash of the token")
    dump = b"".join(path.read_bytes() for path in pathlib.Path(stage.site.home).glob("*.sqlite*"))
    kept = [secret for secret in stage.secrets if secret and secret.encode() in dump]
    expect(len(kept), 0, "number of secrets in the files of the database")


def signing_out_ends_the_session(stage):
    """After signing out the token is worthless, also for a copy of the cookie."""
    browser = stage.signed_in("ben")
    copy = browser.twin()
    digest = hashlib.sha256(copy.session.encode()).hexdigest()
    expect(browser.post("/me/sessions", session="x" * 16).status, 303, "ending an unknown session")
    expect(copy.get("/me").status, 200, "/me before signing out")
    answer = browser.post("/sign-out")
    expect(answer.status, 303, "signing out")
    assert '"cache"' in (answer.field("clear-site-data") or ""), "no Clear-Site-Data"
    expect(browser.session, None, "the cookie after signing out")
    expect(copy.get("/me").status, 303, "/me with a copy of the cookie")
    expect(stage.site.rows_of("SELECT 1 FROM session WHERE hash = ?", digest), ([],), "its row")


def links_sign_in_once(stage):
    """A link that signs in works once, and only by a form."""
    token = stage.token("ben")
    for path in [f"/enter?token={token}", f"/enter/{token}", f"/enter?token={token}&here=1"]:
        expect(stage.site.browser().get(path).cookies(), ({},), f"cookies of GET {path[:14]}")
    first, second = stage.site.browser(), stage.site.browser()
    expect(first.post("/enter", token=token).status, 303, "the first use of a link")
    expect(second.post("/enter", token=token).status, 400, "the second use of a link")
    expect(second.session, None, "the session of the second use")
    stage.secrets.add(first.session)


def simultaneous_uses_of_a_link_sign_in_once(stage):
    """Twenty browsers that use a link at the same moment get one session."""
    token = stage.token("ben")
    browsers = [stage.site.browser() for _ in range(20)]
    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda browser: browser.post("/enter", token=token), browsers))
    expect(sorted(answer.status for answer in answers), ([303] + [400] * 19,), "their answers")
    stage.secrets |= {browser.session for browser in browsers if browser.session}


def tokens_work_only_where_they_belong(stage):
    """A guest's, a feed's and a session's token opens no other door."""
    guest, feed = stage.guests["anna", "Carla Cruz"], stage.feed[5:-4]
    session, stop = stage.ben.session, stage.stop.split("/")[2]
    for name, token in [("guest", guest), ("feed", feed), ("stop", stop)]:
        browser = stage.site.browser()
        expect(browser.post("/enter", token=token).status, 400, f"signing in by a {name} token")
        browser.cookies["letsmeet"] = token
        expect(browser.get("/me").status, 303, f"a {name} token as session")
    for path in [f"/g/{feed}", f"/g/{session}", f"/g/{stop}", f"/cal/{guest}.ics", f"/u/{guest}",
                 f"/cal/{session}.ics", f"/u/{feed}", f"/u/{session}"]:
        expect(stage.site.browser().get(path).status, 404, f"{path[:5]}… with a foreign token")


def disabling_an_account_ends_its_sessions(stage):
    """Whoever is disabled is signed out at once, also by links that are still on their way."""
    browser, link = stage.signed_in("ben"), stage.token("ben")
    expect(browser.get("/").status, 200, "a page before")
    stage.site.run("letsmeet", "account", "disable", "ben", "--json")
    try:
        expect(browser.get("/").status, 303, "the same page after the account was disabled")
        expect(browser.post("/me", language="de").status, 303, "a form after it")
        expect(stage.site.browser().post("/enter", token=link).status, 400, "a link after it")
    finally:
        stage.site.run("letsmeet", "account", "enable", "ben", "--json")
    expect(browser.get("/").status, 303, "the old session after the account was enabled again")
    stage.ben = stage.signed_in("ben")


# ---- Redirects and hosts

LEADING_AWAY = [
    "//evil.example", "/\\evil.example", "\\\\evil.example", "https://evil.example", "http:evil",
    "///evil.example", "/\tevil", "/\t/evil.example", "\t//evil.example", " //evil.example",
    "/\r\nLocation: https://evil.example", "/\n/evil.example", "/\x00/evil.example",
    "javascript:alert(1)", "/\u2028/evil.example", "/é", "evil.example", "", "/ /evil.example",
    "//evil.example/%2f..", "/x\\..\\\\evil.example",
]
STAYING = {"/%09/evil.example": "/%09/evil.example", "/m/x?date=1": "/m/x?date=1",
           "/%2f%2fevil.example": "/%2f%2fevil.example"}


def idle_sessions_end(stage):
    """A session that was not used for 31 days is over."""
    browser = stage.signed_in("ben")
    digest = hashlib.sha256(browser.session.encode()).hexdigest()
    long_ago = int((time.time() - 31 * 86_400) * 1000)
    database = sqlite3.connect(stage.site.home + "/letsmeet.sqlite", timeout=10)
    with database:
        database.execute("UPDATE session SET seen_at = ? WHERE hash = ?", (long_ago, digest))
    database.close()
    expect(browser.get("/me").status, 303, "/me after 31 idle days")


def redirects_stay_here(stage):
    """No text in `next` leads to another site after the sign-in or an answer."""
    for wrong in LEADING_AWAY + list(STAYING):
        wanted = STAYING.get(wrong, "/")
        browser = stage.site.browser()
        for path in ["/enter", "/sign-in"]:
            page = browser.ask("GET", path + "?" + urlencoded(next=wrong))
            expect(page.hidden("next") or "/", wanted, f"the next page in GET {path} for {wrong!r}")
        asked = browser.post("/sign-in", address="nobody@example.net", next=wrong)
        expect(local(asked), True, f"{asked.field('location')} of POST /sign-in for {wrong!r}")
        answer = stage.carla.post(
            f"/m/{stage.of_olga['id']}/answer", answer="yes", next=wrong)
        expect(local(answer), True, f"{answer.field('location')} of an answer for {wrong!r}")
    for wrong in LEADING_AWAY[:12]:
        browser = stage.site.browser()
        answer = browser.post("/enter", token=stage.token("ben"), next=wrong)
        expect(answer.field("location"), "/", f"the page after the sign-in for {wrong!r}")
        stage.secrets.add(browser.session)


def urlencoded(**fields):
    return urllib.parse.urlencode(fields)


def local(answer):
    """True if a redirect leads to a path of this site, by the rules of browsers."""
    place = answer.field("location")
    return bool(place and re.fullmatch(r"/(?![/\\])[!-\[\]-~]*", place))


def header_fields_cannot_be_added(stage):
    """Line breaks in queries and forms add no header field."""
    guest = stage.guests["olga", "Carla Cruz"]
    for path in [f"/g/{guest}?date=%0d%0aX-Evil:1", f"/m/{stage.of_anna['id']}?date=%0d%0aX-Evil:1",
                 f"/m/{stage.of_anna['id']}/uninvite?guest=%0d%0aX-Evil:1"]:
        for answer in [stage.anna.get(path), stage.anna.post(path, answer="yes", plus="0")]:
            expect(answer.field("x-evil"), None, f"the field X-Evil of {path}")
            assert answer.status < 500, f"{path}: {answer.status}"
    answer = stage.ben.post("/me/theme", theme="dark\r\nX-Evil: 1")
    expect(answer.field("x-evil"), None, "X-Evil after choosing a theme")


def other_hosts_are_misdirected(stage):
    """Only the base address, the listening address and localhost are this site."""
    port = stage.site.port
    for host in [f"localhost:{port}", "localhost", f"127.0.0.1:{port}", f"LOCALHOST:{port}"]:
        expect(Browser(port, host).get("/sign-in").status, 200, f"/sign-in at {host}")
    faults = []
    for host in ["evil.example", f"evil.example:{port}", f"localhost.evil.example:{port}",
                 f"localhost:{port + 1}", f"localhost:{port}.evil.example", "127.0.0.2",
                 f"127.0.0.1.:{port}", f"[::1]:{port}", "0.0.0.0", f"user@localhost:{port}",
                 f"localhost:{port}:{port}", "", f"localhost:{port}/evil"]:
        browser = Browser(port)
        for path in ["/sign-in", "/a/style.css", "/manifest.webmanifest", "/g/", "/nothing",
                     stage.feed, "/g/" + stage.guests["anna", "Carla Cruz"]]:
            status = browser.ask("GET", path, None, {"Host": host}).status
            faults += [f"GET {path[:8]} at {host!r}: {status}"] * (status not in (400, 421))
        asked = browser.ask("POST", "/sign-in", {"address": "x"}, {"Host": host, **WIDE})
        faults += [f"POST /sign-in at {host!r}: {asked.status}"] * (asked.status not in (400, 421))
        expect(browser.ask("GET", "/healthz", None, {"Host": host}).status, 200,
               f"/healthz at the host {host!r}")
    expect(faults, ([],), "answers to other hosts that are not 421")


def absolute_targets_name_the_host(stage):
    """The host in an absolute target counts as the Host field does (RFC 9112, 3.2.2)."""
    port = stage.site.port
    for target, host, wanted in [
        ("http://evil.example/sign-in", f"localhost:{port}", (421, 400)),
        (f"http://localhost:{port}/sign-in", f"localhost:{port}", (200,)),
        (f"http://localhost:{port}/sign-in", "evil.example", (200, 421, 400)),
        (f"http://localhost:{port}", f"localhost:{port}", (200, 303)),
        ("http://http://evil.example/sign-in", f"localhost:{port}", (421, 400, 404)),
    ]:
        answer = Browser(port, host).ask("GET", target)
        expect(answer.status, wanted, f"GET {target} with the Host field {host}")


def hosts_are_given_once(stage):
    """Two Host fields, or none in HTTP/1.1, are refused."""
    port = stage.site.port
    own = f"Host: localhost:{port}\r\n"
    for name, head in [("two", own + "Host: evil.example\r\n"), ("two equal", own + own),
                       ("no", ""), ("a folded", f"Host:\r\n localhost:{port}\r\n")]:
        answer = exchange(port, f"GET /sign-in HTTP/1.1\r\n{head}\r\n".encode())
        expect(statuses(answer), ([400],), f"GET with {name} Host field")


FORWARDED = {"X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https",
             "X-Forwarded-Port": "1", "Forwarded": "host=evil.example;proto=https",
             "X-Original-URL": "/me", "X-Rewrite-URL": "/me", "X-Host": "evil.example"}


def links_come_from_the_base_address(stage):
    """Forwarding fields and the Host field change no link in pages and mails."""
    for path in ["/", "/me", f"/m/{stage.of_anna['id']}/links", "/sign-in", "/nothing"]:
        for host in [None, f"127.0.0.1:{stage.site.port}"]:
            browser = stage.anna.twin()
            browser.host = host or browser.host
            answer = browser.get(path, **FORWARDED)
            assert "evil.example" not in answer.text + str(answer.fields), f"{path} names evil"
    spoofed = stage.site.browser(host=f"127.0.0.1:{stage.site.port}", source="127.0.0.3")
    count = len(stage.sign_in_tokens("carla@example.org"))
    spoofed.post("/sign-in", FORWARDED, address="carla@example.org")
    until(lambda: len(stage.sign_in_tokens("carla@example.org")) > count, "the mail with a link")
    texts = [mail.as_string() for mail in stage.mails()]
    strange = [url for text in texts for url in re.findall(r"https?://[^\s\"<>]+", text)
               if not url.startswith((stage.site.root, "https://www.openstreetmap.org/"))]
    expect(strange, ([],), "links in mails to other places")


# ---- Paths

STEPS = ["..", "%2e%2e", "%2E%2e", ".%2e", "..%2f..", "%2e%2e%2f%2e%2e", "..%5c..", "..\\..",
         "%c0%ae%c0%ae", "%c0%af..", "%e0%80%ae", "%252e%252e", "%00", "x%00.css", "..;", "%uff0e"]


def paths_do_not_climb(stage):
    """No spelling of a path leads to a file, or past the sign-in."""
    port = stage.site.port
    for front in ["/a/", "/g/", "/u/", "/cal/", "/m/", "/", "/new/", "/me/"]:
        for step in STEPS:
            for end in ["/letsmeet.sqlite", "/letsmeet.key", "/etc/passwd", "/me", "/healthz", ""]:
                head = f"GET {front}{step}{end} HTTP/1.1\r\nHost: localhost:{port}\r\n"
                answer = exchange(port, (head + "Connection: close\r\n\r\n").encode())
                expect(set(statuses(answer)) <= {400, 404, 303}, True,
                       f"GET {front}{step}{end} got {statuses(answer)}")
                for secret in [b"SQLite format", b"root:", b'"status":"ok"', b"Sign out"]:
                    assert secret not in answer, f"GET {front}{step}{end} shows {secret}"


def odd_paths_of_members_lead_nowhere(stage):
    """Odd ids and paths of somebody who is signed in are not found, and never an error."""
    odd = ["%ff%fe", "%0d%0aX-Evil:1", "'", "%27%20OR%201=1--", "%", "%2", "x" * 5000]
    for step in STEPS + odd:
        for path in [f"/m/{step}", f"/m/{step}/edit", f"/a/{step}", f"/{step}", f"//{step}",
                     f"/m/{step}/links", f"/places?city={step}", f"/?day={step}",
                     f"/people?q={step}", f"/m/{stage.of_anna['id']}?date={step}",
                     f"/new/people?q={step}"]:
            answer = stage.anna.ask("GET", path)
            assert answer.status < 500, f"GET {path[:60]} got {answer.status}"
            if "?" not in path:
                expect(answer.status, (404, 400), f"GET {path[:60]}")


# ---- The protocol

def shapes(port):
    """Requests that two servers in a row may read differently: name, bytes, and the status."""
    own = f"Host: localhost:{port}\r\n"
    post, get = f"POST /sign-in HTTP/1.1\r\n{own}", f"GET /sign-in HTTP/1.1\r\n{own}"
    hidden = f"GET /manifest.webmanifest HTTP/1.1\r\n{own}\r\n"
    chunked = post + "Transfer-Encoding: chunked\r\n"
    return [
        ("a length and chunks", chunked + "Content-Length: 5\r\n\r\n0\r\n\r\n" + hidden),
        ("two lengths", post + "Content-Length: 0\r\n"
         f"Content-Length: {len(hidden)}\r\n\r\n" + hidden),
        ("a list of lengths", post + "Content-Length: 3, 3\r\n\r\na=b" + hidden),
        ("a length with a sign", post + "Content-Length: +3\r\n\r\na=b" + hidden),
        ("a negative length", post + "Content-Length: -1\r\n\r\n" + hidden),
        ("a length with 0x", post + "Content-Length: 0x3\r\n\r\na=b" + hidden),
        ("a length that is too large", post + f"Content-Length: {'9' * 30}\r\n\r\n" + hidden),
        ("a negative chunk", chunked + "\r\n-1\r\na\r\n0\r\n\r\n" + hidden),
        ("a chunk with 0x", chunked + "\r\n0x1\r\na\r\n0\r\n\r\n" + hidden),
        ("an endless chunk", chunked + f"\r\n{'F' * 17}\r\na\r\n0\r\n\r\n" + hidden),
        ("a chunk size with a blank", chunked + "\r\n1 \r\na\r\n0\r\n\r\n" + hidden),
        ("a chunk without CR", chunked + "\r\n3\na=b\n0\n\n" + hidden),
        ("a chunk that is longer than its size", chunked + "\r\n1\r\nabc\r\n0\r\n\r\n" + hidden),
        ("LF in a chunk extension", chunked + "\r\n3;a\nb\r\na=b\r\n0\r\n\r\n" + hidden),
        ("an unknown coding", post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + hidden),
        ("two codings", post + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n" + hidden),
        ("a coding twice", chunked + "Transfer-Encoding: identity\r\n\r\n0\r\n\r\n" + hidden),
        ("a blank before a colon", post + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + hidden),
        ("a tab in a name", post + "Transfer-\tEncoding: chunked\r\n\r\n0\r\n\r\n" + hidden),
        ("a vertical tab", post + "Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n" + hidden),
        ("a folded field", get + "X-A: a\r\n b\r\n\r\n" + hidden),
        ("a folded coding", post + "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n" + hidden),
        ("a first line with a blank before", " " + get + "\r\n" + hidden),
        ("LF alone", get.replace("\r\n", "\n") + "\n" + hidden),
        ("CR in a value", get + "X-A: a\rX-B: b\r\n\r\n" + hidden),
        ("NUL in a value", get + "X-A: a\0b\r\n\r\n" + hidden),
        ("a name without a value", get + "X-A\r\n\r\n" + hidden),
        ("an empty name", get + ": a\r\n\r\n" + hidden),
        ("an unknown version", get.replace("1.1", "1.2") + "\r\n" + hidden),
        ("HTTP/0.9", "GET /sign-in\r\n\r\n" + hidden),
        ("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + hidden),
        ("chunks in HTTP/1.0", chunked.replace("1.1", "1.0") + "\r\n0\r\n\r\n" + hidden),
        ("a body of a GET", get + f"Content-Length: {len(hidden)}\r\n\r\n" + hidden),
    ]


def requests_cannot_be_smuggled(stage):
    """A request with an ambiguous end gets one refusal, and nothing after it is answered."""
    wanted = {"chunks in HTTP/1.0": [[400], [403]], "a body of a GET": [[413]],
              "HTTP/0.9": [[400], [], [505]], "HTTP/2": [[400], [505]],
              "an unknown version": [[400], [505]],
              "an unknown coding": [[400], [501]], "two codings": [[400], [501]]}
    for name, text in shapes(stage.site.port):
        seen = statuses(exchange(stage.site.port, text.encode("latin-1")))
        expect(seen, wanted.get(name, [[400]]), f"the answers to {name}")


# ---- Sizes

def heads_are_limited(stage):
    """A head above 16 KiB or 100 fields gets 431, or 414 for the target."""
    port = stage.site.port
    own = f"GET /sign-in HTTP/1.1\r\nHost: localhost:{port}\r\n"
    below = own + "X-A: " + "a" * 15_000 + "\r\n\r\n"
    expect(statuses(exchange(port, below.encode())), ([200],), "a head of 15,000 bytes")
    fields = "".join(f"X-{number}: a\r\n" for number in range(200))
    faults = []
    for name, text in [
        ("a field of 17,000 bytes", own + "X-A: " + "a" * 17_000 + "\r\n\r\n"),
        ("a megabyte", own + "X-A: " + "a" * 1_000_000 + "\r\n\r\n"),
        ("200 fields", own + fields + "\r\n"),
        ("many long fields", own + ("X-A: " + "a" * 1000 + "\r\n") * 30 + "\r\n"),
        ("a target of 17,000 bytes", own.replace("/sign-in", "/" + "a" * 17_000) + "\r\n"),
    ]:
        seen = statuses(exchange(port, text.encode()))
        faults += [f"{name}: {seen}"] * (seen not in ([431], [414]))
    expect(faults, ([],), "answers to large heads that are not 431")


def forms_are_limited(stage):
    """A form above 64 KiB gets 413, declared or not; one with 30,000 fields is read."""
    port, wide = stage.site.port, "Sec-Fetch-Site: same-origin\r\n"
    head = f"POST /sign-in HTTP/1.1\r\nHost: localhost:{port}\r\n{wide}"
    size = 64 * 1024
    pieces = f"{size:x}\r\n{'a' * size}\r\n" + "1\r\na\r\n"
    for name, text, wanted in [
        ("a form of 64 KiB", f"Content-Length: {size}\r\n\r\n" + "a" * size, [303]),
        ("a form of 30,000 fields", f"Content-Length: 60000\r\n\r\n" + "a&" * 30_000, [303]),
        ("a form above 64 KiB", f"Content-Length: {size + 1}\r\n\r\n" + "a" * (size + 1), [413]),
        ("100,000 fields", "Content-Length: 600000\r\n\r\n" + "a=bcd&" * 100_000, [413]),
        ("chunks above 64 KiB", "Transfer-Encoding: chunked\r\n\r\n" + pieces + "0\r\n\r\n", [413]),
    ]:
        seen = statuses(exchange(port, (head + text).encode()))
        expect(seen, (wanted,), f"the answer to {name}")


def uploads_are_limited(stage):
    """An upload above 25 MiB gets 413, and odd ones an answer; no file stays behind."""
    browser, limit = stage.ben, 25 * 1024 * 1024
    bodies = [
        ("1,000 parts", upload(*[part("a", "b")] * 1000), (400,)),
        ("100,000 parts", upload(*[part("a", "b")] * 100_000), (400,)),
        ("parts within parts", b"".join(
            f"--{BOUNDARY}\r\nContent-Type: multipart/mixed; boundary=b{depth}\r\n\r\n"
            f"--b{depth}\r\n".encode() for depth in range(2000)), (400,)),
        ("a long part header", upload(part("a" * 10_000, "b")), (400,)),
        ("an end that is missing", part("file", CARD, "a.vcf").encode(), (400,)),
        ("a field of 100 KiB", upload(part("a", "b" * 100_000)), (413,)),
        ("a name with a path", upload(part("file", CARD, "../../../../tmp/judge.vcf")), (303,)),
        ("26 MiB", upload(part("file", "a" * (limit + 1024), "a.vcf")), (413,)),
    ]
    for name, body, wanted in bodies:
        try:
            answer = browser.ask("POST", "/people/import", None, {
                "Content-Type": MULTIPART, **WIDE}, body)
        except ConnectionError:
            # The server refused and closed before everything was sent.
            answer = None
        if answer or name != "26 MiB":
            expect(answer.status, wanted, f"the answer to an upload with {name}")
        browser.close()
    uploads = pathlib.Path(stage.site.home) / "uploads"
    # The tasks that read the good ones remove them.
    until(lambda: not list(uploads.glob("*")), "an empty folder of uploads")


def uploads_of_strangers_are_not_stored(stage):
    """Whoever is not signed in cannot fill the disk: the body is not written to a file."""
    uploads = pathlib.Path(stage.site.home) / "uploads"
    head = (f"POST /people/import HTTP/1.1\r\nHost: localhost:{stage.site.port}\r\n"
            f"Content-Type: {MULTIPART}\r\nContent-Length: 20000000\r\n\r\n")
    body = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.vcf"\r\n\r\n'
    with connect(stage.site.port) as link:
        link.sendall((head + body + "a" * 1_000_000).encode())
        link.settimeout(2)
        try:
            answer = link.recv(4096)
        except TimeoutError:
            answer = b""
        stored = sum(path.stat().st_size for path in uploads.glob("*"))
    expect(stored, 0, f"bytes stored for a stranger, who got {statuses(answer)}")


def costly_uploads_keep_nobody_waiting(stage):
    """An upload full of near boundaries does not stop the other pages."""
    boundary = "a" * 70
    body = (f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.vcf"'
            "\r\n\r\n" + ("\r\n--" + "a" * 69 + "b") * 300_000 + f"\r\n--{boundary}--\r\n").encode()
    sender, start = stage.signed_in("ben"), time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        sent = pool.submit(sender.ask, "POST", "/people/import", None, {
            "Content-Type": f"multipart/form-data; boundary={boundary}", **WIDE}, body)
        longest, browser = 0, stage.site.browser(source="127.0.0.2")
        while not sent.done():
            begin = time.monotonic()
            expect(browser.get("/sign-in").status, 200, "a page during the upload")
            longest = max(longest, time.monotonic() - begin)
        assert sent.result().status < 500, f"the upload got {sent.result().status}"
    print(f"seen: a page waits at most {longest * 1000:.0f} ms during a costly upload")
    # A server that reads the whole upload at once keeps the page waiting for as long as it takes.
    most = max(1, (time.monotonic() - start) / 2)
    assert longest < most, f"a page waited {longest:.1f} s; expected less than {most:.1f} s"


# ---- Slow clients

def closing_time(port, begin, trickle=None, most=40):
    """The seconds until the server closes a connection whose client sends too slowly."""
    with connect(port, "127.0.0.8") as link:
        link.sendall(begin)
        link.settimeout(0.5)
        start = time.monotonic()
        while time.monotonic() - start < most:
            try:
                if trickle:
                    link.sendall(trickle)
                if not link.recv(4096):
                    return time.monotonic() - start
            except TimeoutError:
                continue
            except ConnectionError:
                return time.monotonic() - start
    return most


def begin_to_be_slow(stage):
    """Seven slow clients begin; the others go on meanwhile."""
    port = stage.site.port
    own = f"Host: localhost:{port}\r\n"
    body = f"POST /sign-in HTTP/1.1\r\n{own}Content-Length: 60000\r\n\r\n"
    file = (f"POST /people/import HTTP/1.1\r\n{own}Content-Type: {MULTIPART}\r\n"
            f"Cookie: letsmeet={stage.olga.session}\r\nSec-Fetch-Site: same-origin\r\n"
            f"Content-Length: 20000000\r\n\r\n")
    slow = [
        ("nothing at all", "", None, 5), ("half a head", "GET / HT", None, 5),
        ("a head in drops", f"GET / HTTP/1.1\r\n{own}", b"X-A: b\r\n", 5),
        ("no body", body, None, 15), ("a body in drops", body, b"a", 15),
        ("a file in drops", file, b"a", 15),
        ("nothing after an answer", f"GET /healthz HTTP/1.1\r\n{own}\r\n", None, 15),
    ]
    pool = concurrent.futures.ThreadPoolExecutor(len(slow))
    stage.slow = [(name, most, pool.submit(closing_time, port, begin.encode(), trickle))
                  for name, begin, trickle, most in slow]


def slow_clients_are_cut_off(stage):
    """A head takes at most 5 seconds, the rest 15, however often a byte arrives."""
    for name, most, closed in stage.slow:
        seconds = closed.result()
        assert most - 1 <= seconds <= most + 5, (
            f"{name}: expected to be closed after {most} s, seen {seconds:.1f} s")


def hold(port, count, begin, sources=("127.0.0.9",)):
    """Opens connections that begin a request. Those that wait for a body are busy for sure."""
    links = []
    for number in range(count):
        links.append(connect(port, sources[number % len(sources)]))
        with contextlib.suppress(OSError):
            links[-1].settimeout(5)
            links[-1].sendall(begin.encode())
            if "100-continue" in begin:
                # The server says to go on, that it is busy, or closes the connection.
                links[-1].recv(4096)
    return links


@contextlib.contextmanager
def held(*arguments):
    links = hold(*arguments)
    try:
        yield links
    finally:
        for link in links:
            link.close()


def begun_body(port):
    """A form whose body does not come."""
    return (f"POST /sign-in HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Length: 60000\r\n"
            "Expect: 100-continue\r\n\r\n")


def health(port):
    """The status of the health check on a new connection."""
    head = "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    return statuses(exchange(port, head.encode()))


def one_address_shuts_nobody_out(stage):
    """300 connections of one address leave room for the health check and for others."""
    port = stage.site.port
    for name, begin in [("half-open", "GET / HTTP/1.1\r\nX-A: "), ("silent", ""),
                        ("busy", begun_body(port))]:
        with held(port, 300, begin):
            start = time.monotonic()
            expect(health(port), ([200],), f"/healthz with 300 {name} connections of another")
            status = Browser(port, source="127.0.0.2").get("/sign-in").status
            expect(status, 200, f"/sign-in from 127.0.0.2 with 300 {name} connections of another")
            assert time.monotonic() - start < 2, f"both pages took too long, {name}"


def many_addresses_leave_the_health_check(stage):
    """If ten addresses hold every connection, the health check is still answered."""
    port = stage.site.port
    sources = [f"127.0.5.{number}" for number in range(1, 11)]
    with held(port, 280, begun_body(port), sources):
        for _ in range(3):
            expect(health(port), ([200],), "/healthz while all connections are busy")
        own = f"GET /sign-in HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n"
        expect(statuses(exchange(port, own.encode())), ([200], [503]), "/sign-in meanwhile")


def an_address_that_is_full_can_be_checked(stage):
    """The health check answers on this machine, even if this address holds all it may."""
    port = stage.site.port
    with held(port, 40, begun_body(port), ("127.0.0.1",)):
        expect(health(port), ([200],), "/healthz from an address with 32 busy connections")


# ---- Guessing

def codes_take_five_tries(stage):
    """After five wrong codes the right one is worthless, but the link in the mail still works."""
    asking = stage.site.browser(source="127.0.0.4")
    count = len(stage.sign_in_tokens("carla@example.org"))
    asking.post("/sign-in", address="carla@example.org")
    tokens = until(lambda: stage.sign_in_tokens("carla@example.org")[count:], "a link by mail")
    opening = stage.site.browser()
    page = opening.post("/enter", token=tokens[0])
    expect((page.status, opening.session), ((200, None),), "opening the link elsewhere")
    code = re.search(r'<p class="code">(\d{6})</p>', page.text).group(1)
    stage.secrets.add(code)
    stranger = stage.site.browser()
    expect(stranger.post("/sign-in/code", code=code).status, 400, "the code in another browser")
    for number in range(1, 6):
        wrong = f"{(int(code) + number) % 1_000_000:06}"
        expect(asking.post("/sign-in/code", code=wrong).status, 400, f"the wrong code {number}")
    expect(asking.post("/sign-in/code", code=code).status, 400, "the right code after five tries")
    answer = opening.post("/enter", token=tokens[0], here="1")
    expect(answer.status, 303, "the link itself after five wrong codes")
    stage.secrets.add(opening.session)


def codes_sign_in_the_asking_browser(stage):
    """The right code works once, in the browser that asked."""
    asking = stage.site.browser(source="127.0.0.5")
    count = len(stage.sign_in_tokens("carla@example.org"))
    asking.post("/sign-in", address="carla@example.org")
    tokens = until(lambda: stage.sign_in_tokens("carla@example.org")[count:], "a link by mail")
    page = stage.site.browser().post("/enter", token=tokens[0])
    code = re.search(r'<p class="code">(\d{6})</p>', page.text).group(1)
    stage.secrets.add(code)
    expect(asking.post("/sign-in/code", code=code).status, 303, "the right code")
    stage.secrets.add(asking.session)
    expect(asking.get("/me").status, 200, "/me after the code")
    expect(asking.twin().post("/sign-in/code", code=code).status, 400, "the code once more")
    expect(stage.site.browser().post("/enter", token=tokens[0], here="1").status, 400,
           "the link after the code")


def links_are_not_mailed_without_end(stage):
    """Three links in a row for a larger network at an address, ten for an address, twenty for a
    client at addresses of strangers; others still get theirs."""
    site = stage.site
    site.add_account("Dora Dahl", "dora@example.org")
    until(lambda: stage.sign_in_tokens("dora@example.org"), "the link of the invitation")
    for number in range(19):
        site.browser(source=f"127.1.{number}.1").post("/sign-in", address="DORA@example.org")
    flood = site.browser(source="127.0.1.200")
    for number in range(40):
        flood.post("/sign-in", address=f"nobody{number}@example.net")
    flood.post("/sign-in", address="ben@example.org")
    before = len(stage.sign_in_tokens("anna@example.org"))
    site.browser(source="127.0.1.201").post("/sign-in", address="anna@example.org")
    until(lambda: len(stage.sign_in_tokens("anna@example.org")) > before, "the link of another")
    tokens = stage.sign_in_tokens("dora@example.org")
    expect(len(tokens), (11, 12), "mails for one address: the invitation and ten more")
    expect(len(stage.sign_in_tokens("ben@example.org")) > 1, True,
           "a link for a known address after 40 requests for others")
    browser = site.browser()
    expect(browser.post("/enter", token=tokens[-1], here="1").status, 303, "the last link")
    stage.secrets.add(browser.session)


def begin_to_use_up_answers(stage):
    """A guest who changes an answer 20 times has to wait, and is told how long."""
    guest = stage.guests["olga", "Carla Cruz"]
    browser = stage.site.browser()
    seen = [browser.post(f"/g/{guest}", answer=["yes", "no"][number % 2], plus="0")
            for number in range(24)]
    codes = [answer.status for answer in seen]
    assert codes[:20] == [303] * 20 and codes[-1] == 429, f"24 answers in a row: {codes}"
    stage.used_up = time.monotonic()
    other = stage.guests["anna", "Carla Cruz"]
    expect(browser.post(f"/g/{other}", answer="yes", plus="0").status, 303, "another link")
    expect((seen[-1].field("retry-after") or "").isdigit(), True,
           "a number in the field Retry-After of the answer 429")


def waiting_helps_the_guest(stage):
    """After half a minute the guest can answer again."""
    guest = stage.guests["olga", "Carla Cruz"]
    until(lambda: stage.site.browser().post(f"/g/{guest}", answer="yes", plus="0").status == 303,
          "the answer to be accepted again", 45 - min(40, time.monotonic() - stage.used_up))


def tokens_cannot_be_guessed(stage):
    """Tokens are long, different, and all of their letters vary."""
    tokens = [stage.token("ben") for _ in range(12)] + list(stage.guests.values())
    tokens += [stage.feed[5:-4], stage.ben.session, stage.olga.session, stage.stop.split("/")[2]]
    expect({len(token) for token in tokens}, ({32},), "the lengths of tokens")
    assert len(set(tokens)) == len(tokens), "two tokens are equal"
    for place in range(32):
        assert len({token[place] for token in tokens}) >= 5, f"letter {place} hardly varies"
    expect(set("".join(tokens)) <= set("abcdefghijklmnopqrstuvwxyz234567"), True, "their letters")


# ---- Enumeration

def without_secrets(answer):
    """An answer without what differs in every answer."""
    fields = [(name, re.sub(r"letsmeet-browser=\w+", "letsmeet-browser=…", value))
              for name, value in answer.fields if name.lower() != "date"]
    return answer.status, fields, answer.body


def addresses_are_not_revealed_by_answers(stage):
    """Known, unknown, disabled and invalid addresses get the same answer, letter by letter."""
    stage.site.add_account("Egon Ek", "egon@example.org")
    stage.site.run("letsmeet", "account", "disable", "egon@example.org", "--json")
    for path in ["/sign-in", "/g/links"]:
        seen = {}
        for number, address in enumerate([
            "anna@example.org", "nobody@example.net", "egon@example.org", "quirin@example.net",
            "olga@example.org", "x@example.org" + "x" * 100,
        ]):
            browser = stage.site.browser(source=f"127.0.2.{number}")
            asked = browser.post(path, address=address)
            page = browser.get("/sign-in?sent=1" if path == "/sign-in" else "/g/?asked=1")
            seen[address] = without_secrets(asked), without_secrets(page)
        first = seen["nobody@example.net"]
        for address, answers in seen.items():
            expect(answers == first, True, f"POST {path}: {address} is answered as an unknown one")


def timed(browser, path, address):
    """The seconds of a request for a link, and of a page after it."""
    start = time.perf_counter()
    browser.post(path, address=address)
    middle = time.perf_counter()
    browser.get("/sign-in")
    return middle - start, time.perf_counter() - middle


def addresses_are_not_revealed_by_time(stage):
    """Known addresses take as long as unknown ones."""
    known = [f"known{number}@example.org" for number in range(6)]
    for address in known:
        stage.site.add_account(address.split("@")[0].title(), address)
    stage.quiet()
    chance = random.Random(7)
    # Five requests for an address count.
    cases = [(address, True) for address in known * 5]
    cases += [(f"nobody{number}@example.net", False) for number in range(6)] * 5
    chance.shuffle(cases)
    times = {True: [], False: []}
    for number, (address, is_known) in enumerate(cases):
        # Twenty requests of a client count, and three of its network for an address; each client
        # is warm before.
        if number % 10 == 0:
            browser = stage.site.browser(source=f"127.3.{number}.1")
            browser.get("/sign-in")
        before = len(stage.box.mails)
        times[is_known].append(timed(browser, "/sign-in", address))
        # What a request causes is done before the next one, so that it delays no other.
        if is_known:
            until(lambda: len(stage.box.mails) > before, f"the link for {address}")
            stage.rest()
    for place, name in enumerate(["the request for a link", "the page after it"]):
        pair = [[1000 * both[place] for both in times[is_known]] for is_known in (True, False)]
        known_ms, unknown_ms = map(statistics.median, pair)
        low, _, high = statistics.quantiles(pair[1], n=4)
        allowed = 2 + 3 * (high - low)
        print(f"seen: {name} takes {known_ms:.2f} ms for known, {unknown_ms:.2f} ms for unknown "
              f"addresses (quartiles {low:.2f} and {high:.2f})")
        assert abs(known_ms - unknown_ms) <= allowed, (
            f"{name}: medians of {known_ms:.2f} and {unknown_ms:.2f} ms; expected a difference of "
            f"at most {allowed:.2f} ms")


LOOKALIKES = [
    "änna@example.org", "Ánna@example.org", "anna@exämple.org", "anna@example.örg",
    "anna@example\u3002org", "\uff41nna@example.org", "anna@\uff45xample.org",
    "a\u0301nna@example.org", "anna\u200b@example.org", "anna@example.org.", "anna+x@example.org",
    "anna@example.org@evil.example", "anna@example.org,m@evil.example",
    "anna@example.org;m@evil.example", "m@evil.example, anna@example.org",
    "Anna <anna@example.org>", "<anna@example.org>m@evil.example",
    "anna@example.org\r\nBcc: m@evil.example", "anna@example.org%0aBcc: m@evil.example",
    "anna@example.org\0.evil.example", '"anna"@example.org', "anna@[127.0.0.1]",
    "\u1d43nna@example.org", "anna@e\u0445ample.org", "(c)anna@example.org",
    "\u212aai@kielo.example", "kai@\u212aielo.example", "kai@k\u0131elo.example",
    "kai@K\u0130ELO.example",
]


def lookalikes_get_no_link(stage):
    """A link goes only to the address of the account, not to one that is like it."""
    site = stage.site
    site.add_account("Kai Kielo", "kai@kielo.example")
    stage.quiet()
    begin = len(stage.box.mails)
    for number, address in enumerate(LOOKALIKES):
        site.browser(source=f"127.0.4.{number}").post("/sign-in", address=address)
        site.browser(source=f"127.0.4.{number}").post("/g/links", address=address)
    site.browser(source="127.0.4.200").post("/sign-in", address="olga@example.org")
    until(lambda: any("olga@example.org" in envelope.rcpt_tos
                      for envelope, _ in stage.box.mails[begin:]), "the link of the owner")
    stage.quiet()
    receivers = {receiver for envelope, _ in stage.box.mails[begin:]
                 for receiver in envelope.rcpt_tos}
    known = {"anna@example.org", "kai@kielo.example", "olga@example.org"}
    expect(sorted(map(ascii, receivers - known)), ([],), "receivers that are no address of theirs")


def import_card(browser, name, *addresses):
    """Imports a card of a person into the address book of a browser's account, and returns the id
    of the task, which has ended."""
    mails = "".join(f"EMAIL:{address}\r\n" for address in addresses)
    card = (f"BEGIN:VCARD\r\nVERSION:3.0\r\nUID:card-of-{addresses[-1]}\r\nFN:{name}\r\n{mails}"
            "END:VCARD\r\n")
    answer = browser.ask("POST", "/people/import", None, {
        "Content-Type": MULTIPART, **WIDE}, upload(part("file", card, "people.vcf")))
    expect(answer.status, 303, "importing a card")
    place = answer.field("location")
    until(lambda: "To the result" in browser.get(place).text, "the end of the import")
    return place.rsplit("/", 1)[1]


def is_mailed_to(box, address, begin=0):
    return any(address in envelope.rcpt_tos for envelope, _ in box.mails[begin:])


def guests_of_members_cannot_be_robbed(stage):
    """A member who once invited somebody cannot get the link to that person's account."""
    site, ben = stage.site, stage.signed_in("ben")
    made = ben.post("/new", **{"with": "zoe@example.org"}, title="With Zoe", date="2027-07-01",
                    time="12:00", duration="1h", do="create", key="with-zoe")
    expect(made.status, 303, "planning a meeting with a new guest")
    site.run("letsmeet", "account", "invite", "zoe@example.org", "--json")
    until(lambda: stage.sign_in_tokens("zoe@example.org"), "the link for Zoe")
    import_card(ben, "Zoe", "zoe@example.org")
    import_card(ben, "Zoe", "mallory@evil.example", "zoe@example.org")
    site.browser(source="127.0.6.1").post("/sign-in", address="mallory@evil.example")
    begin = len(stage.box.mails)
    site.browser(source="127.0.6.2").post("/sign-in", address="zoe@example.org")
    until(lambda: is_mailed_to(stage.box, "zoe@example.org", begin), "the link for Zoe again")
    expect(is_mailed_to(stage.box, "mallory@evil.example"), False,
           "a link to Zoe's account in a mail to an address that another member wrote on her card")


def typed_addresses_get_the_mail(stage):
    """An invitation goes to the address that its organizer typed, whatever a member's card says."""
    ben = stage.signed_in("ben")
    import_card(ben, "Yves", "mallory2@evil.example", "yves@example.org")
    planned = [stage.site.plan("With Yves", who="yves@example.org"), stage.carla.post(
        "/new", **{"with": "yves@example.org"}, title="With Yves too", date="2027-07-02",
        time="12:00", duration="1h", do="create", key="with-yves")]
    expect(planned[1].status, 303, "planning a meeting by another member")
    until(lambda: len([mail for mail in stage.mails() if "With Yves" in str(mail["Subject"])]) > 1,
          "both invitations")
    expect(is_mailed_to(stage.box, "mallory2@evil.example"), False,
           "an invitation of others in a mail to the address on Ben's card")
    expect(is_mailed_to(stage.box, "yves@example.org"), True, "the invitation to the typed address")


def cards_of_members_block_nobody(stage):
    """A member cannot make an address ambiguous for others."""
    import_card(stage.signed_in("ben"), "Anna Aalto", "anna@example.org")
    page = stage.carla.post("/new", do="find", who="anna@example.org", title=OTHER)
    chosen = re.findall(r'name="with" value="([^"]*)"', page.text)
    faults = re.findall(r'id="who-fault">([^<]*)', page.text)
    stage.carla.post("/new/discard")
    expect((len(chosen), faults), ((1, []),), "guests that anna@example.org means for Carla")


COSTLY = [
    {"repeat": "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30"}, {"repeat": "FREQ=DAILY;COUNT=999999999"},
    {"repeat": "FREQ=MONTHLY;BYDAY=5MO;BYMONTH=2;INTERVAL=997"}, {"repeat": "x" * 50_000},
    {"repeat": "FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=1,2,3,4;BYSETPOS=-1"},
    {"with": [f"g{number}@example.org" for number in range(500)]},
    {"who": ",".join(f"name{number}" for number in range(2500)), "do": "find"},
    {"with": [f"g{number}@example.org" for number in range(500)], "do": "times"},
    {"duration": "99999999999999999999h"}, {"date": "9999-12-31", "repeat": "daily"},
    {"near": "1e308,nan", "interest": "coffee", "do": "search"}, {"title": "a\u0301" * 9000},
    {"reminders": " ".join(f"{number}h" for number in range(5000))},
]


def costly_forms_are_answered_soon(stage):
    """No form of a member keeps the server busy for long, or is an error."""
    form = {"title": "Costly", "date": "2027-05-05", "time": "12:00", "duration": "1h",
            "do": "preview"}
    longest = 0
    for costly in COSTLY:
        begin = time.monotonic()
        answer = stage.ben.post("/new", **{**form, **costly})
        seconds = time.monotonic() - begin
        assert answer.status < 500 and seconds < 5, (
            f"{str(costly)[:60]}: status {answer.status} after {seconds:.1f} s")
        longest = max(longest, seconds)
    stage.ben.post("/new/discard")
    print(f"seen: the most costly form takes {longest:.2f} s")


# ---- Objects of others

def plain(answer, *words):
    """The text of a page without words that its reader typed, and the number of the request."""
    text = re.sub(r"(?i)request\s+(number\s+)?\w+", "", answer.text)
    for word in words:
        text = text.replace(word, "…")
    return text


def meetings_of_others_do_not_exist(stage):
    """To a stranger with an account, a meeting of others looks like none: 404, the same page."""
    id, none = stage.of_anna["id"], "a" * 16
    before, ben = stage.quiet(), stage.ben
    for route in sorted(route for route in routes("get") if route.startswith("/m/:id")):
        query = f"?guest={stage.contact}"
        seen = [ben.get(route.replace(":id", each) + query) for each in (id, none)]
        expect([answer.status for answer in seen], ([404, 404],), f"GET {route} by a stranger")
        assert plain(seen[0], id) == plain(seen[1], none), f"GET {route} differs from no meeting"
    for route, form in forms(stage)[0].items():
        if route.startswith("/m/:id"):
            seen = [send_form(ben, route, each, WIDE, form) for each in (id, none)]
            expect([answer.status for answer in seen], ([404, 404],), f"POST {route} by a stranger")
            assert plain(seen[0], id) == plain(seen[1], none), f"POST {route} differs"
    for path in ["/", "/meetings", "/meetings?q=Anna", "/?day=2027-03-13"]:
        assert "Anna plans" not in ben.get(path).text, f"{path} shows the meeting of others"
    table = changed(before, stage.quiet())
    # A new link to sign in is made for the table of forms.
    expect(set(table) <= {"sign_in_ticket"}, True, f"tables changed by a stranger: {table}")


def guests_cannot_act_as_organizers(stage):
    """A guest with an account sees the meeting, but no address, and changes nothing of others."""
    id, carla = stage.of_anna["id"], stage.carla
    for path in ["", "/why", "/meeting.ics"]:
        text = carla.get(f"/m/{id}{path}").text
        for secret in ["quirin@example.net", "anna@example.org"]:
            assert secret not in text, f"GET /m/ID{path} shows a guest the address {secret}"
    before = stage.quiet()
    table = forms(stage)[0]
    for route in sorted(set(table) - {"/m/:id/answer", "/m/:id/join", "/m/:id/leave"}):
        if route.startswith("/m/:id"):
            expect(send_form(carla, route, id, WIDE, table[route]).status, (403, 404),
                   f"POST {route} by a guest")
            query = f"?guest={stage.contact}"
            expect(carla.get(route.replace(":id", id) + query).status, (403, 404),
                   f"GET {route} by a guest")
    table = changed(before, stage.quiet())
    expect(set(table) <= {"sign_in_ticket"}, True, f"tables changed by a guest: {table}")


def members_cannot_act_as_owners(stage):
    """A member changes no settings, and ends no session of others."""
    table = forms(stage)[0]
    before = stage.quiet()
    for route in ["/welcome", "/me/mail", "/me/mail/test", "/me/backup", "/me/backup/cancel"]:
        expect(send_form(stage.ben, route, "", WIDE, table[route]).status, (403, 404),
               f"POST {route} by a member")
    for page in ["/me/mail", "/me/backup"]:
        expect(stage.ben.get(page).status, (403, 404), f"GET {page} by a member")
    ids = [id for (id,) in stage.site.rows_of("SELECT id FROM session")]
    (own,) = stage.site.rows_of("SELECT id FROM session WHERE hash = ?", hashlib.sha256(
        stage.ben.session.encode()).hexdigest())[0]
    mine = stage.site.rows_of(
        "SELECT s.id FROM session s JOIN session o ON o.person_id = s.person_id WHERE o.id = ?",
        own)
    for id in set(ids) - {id for (id,) in mine}:
        stage.ben.post("/me/sessions", session=id)
    expect(changed(before, stage.quiet()), ([],), "tables changed by a member")


def contacts_of_others_are_private(stage):
    """An account finds only its own people: nobody learns who is in other address books."""
    name, ben = "Quirin Quassel", stage.ben
    leaks = []
    for who in ["Quirin Quassel", "quirin", "quirin@example.net", f"person:{name}", stage.contact,
                stage.contact[:5], stage.contact[:3], f"person:{stage.contact}",
                "Q <quirin@example.net>"]:
        pages = [ben.post("/new", do="find", who=who, title=OTHER),
                 ben.get("/new/people?" + urlencoded(q=who)),
                 ben.get("/people?" + urlencoded(q=who)),
                 ben.get("/new?" + urlencoded(**{"with": who}))]
        for number, page in enumerate(pages):
            text = page.text.replace(who, "…").replace(html.escape(who), "…")
            found = "Quassel" in text or "quirin@" in text and "quirin@" not in who
            leaks += [f"{who} on page {number}"] * found
    ben.post("/new/discard")
    expect(leaks, ([],), "what a stranger typed, and was shown a contact of Anna")


def contacts_of_the_owner_are_private(stage):
    """The owner's address book is not open to accounts of others."""
    stage.site.run("letsmeet", "people", "add", "Wanda Wirth", "--email", "wanda@example.net",
                   "--json")
    stage.site.run("letsmeet", "circle", "new", "Chess club", "wanda@example.net", "--json")
    leaks = []
    for who in ["wan", "Wanda", "wanda@example.net", "Chess", "circle:Chess club"]:
        for page in [stage.ben.get("/new/people?" + urlencoded(q=who)),
                     stage.ben.get("/people?" + urlencoded(q=who)),
                     stage.ben.post("/new", do="find", who=who, title=OTHER)]:
            text = page.text.replace(who, "…")
            leaks += [f"{who}: {word}" for word in ["Wirth", "wanda@", "Chess club", "1 person"]
                      if word in text]
    stage.ben.post("/new/discard")
    expect(leaks, ([],), "what a member typed, and was shown of the owner's address book")


def circles_of_others_do_not_exist(stage):
    """To other accounts, a circle looks like none, and no form changes it."""
    before, none = stage.quiet(), "No%20circle"
    for route in sorted(route for route in routes("get") if route.startswith("/circles/:circle")):
        seen = [stage.ben.get(route.replace(":circle", each)) for each in ("Kept%20circle", none)]
        expect([answer.status for answer in seen], ([404, 404],), f"GET {route} by a member")
    for route, form in forms(stage)[0].items():
        if route.startswith("/circles/:circle"):
            answer = send_form(stage.ben, route, "", WIDE, {**form, "circle": "Kept%20circle"})
            expect(answer.status, 404, f"POST {route} by a member")
    assert "Kept circle" not in stage.ben.get("/circles").text, "/circles shows those of others"
    table = changed(before, stage.quiet())
    expect(set(table) <= {"sign_in_ticket"}, True, f"tables changed by a member: {table}")


def keys_of_others_make_no_meeting_visible(stage):
    """The idempotency key of another account leads to no meeting of theirs."""
    form = {"title": "Keyed", "date": "2027-06-01", "time": "12:00", "do": "create",
            "duration": "1h", "key": "a-key-of-anna"}
    first = stage.anna.post("/new", **form)
    again = stage.anna.post("/new", **form)
    expect(again.field("location"), first.field("location"), "the meeting of the same key")
    other = stage.ben.post("/new", **form)
    assert other.field("location") != first.field("location"), "Ben is led to Anna's meeting"
    expect(stage.ben.get(first.field("location")).status, 404, "Anna's meeting for Ben")


SCRIPTS = ["javascript:alert(1)", "JavaScript:alert(1)", " javascript:alert(1)",
           "java\tscript:alert(1)", "data:text/html,x", "vbscript:x", "file:///etc/passwd",
           "//evil.example/x", "\x01javascript:x"]


def links_of_meetings_are_no_scripts(stage):
    """The link of a meeting is one to a page or a call, and nothing that a browser runs."""
    form = {"title": "Linked", "date": "2027-06-02", "time": "12:00", "do": "create",
            "duration": "1h"}
    for number, link in enumerate(SCRIPTS):
        made = stage.ben.post("/new", **form, link=link, key=f"script-{number}")
        if made.status == 303:
            text = stage.ben.get(made.field("location")).text
            places = [html.unescape(place) for place in re.findall(r'href="([^"]*)"', text)]
            bad = [place for place in places if not re.match(r"/(?!/)|#|https?://|mailto:", place)]
            expect(bad, ([],), f"links on the page of a meeting with the link {link!r}")


def guest_links_show_one_meeting(stage):
    """A guest's link shows its meeting and no other, and no mail address of others."""
    guest, browser = stage.guests["anna", "Carla Cruz"], stage.site.browser()
    text = browser.get(f"/g/{guest}").text
    expect(("Anna plans" in text, "Olga plans" in text), ((True, False),), "meetings on the page")
    for path in [f"/g/{guest}/../{stage.guests['olga', 'Carla Cruz']}", f"/g/{guest}/x",
                 f"/g/{guest}/", f"/g/{guest[:-1]}", f"/g/{guest}a", f"/g/{guest.upper()}",
                 f"/g/{guest}%00", f"/m/{stage.of_anna['id']}"]:
        expect(browser.get(path).status, (404, 303), f"GET {path[:8]}…")
    for file in ["", "/meeting.ics"]:
        text = browser.get(f"/g/{guest}{file}").text
        # Carla is called as Anna typed her.
        for address in ["quirin@example.net", "anna@example.org"]:
            assert address not in text, f"the guest's page{file} shows {address}"
    expect(browser.cookies, ({},), "cookies of guest pages")


# ---- Pages

def pages_have_security_fields(stage):
    """Every page tells browsers what it may do, and that no other site may show it."""
    unsigned = {"/enter", "/sign-in", "/g/*", "/u/*"}
    faults = []
    for route, paths in pages(stage).items():
        browser = stage.site.browser() if route in unsigned else stage.olga
        for path in paths + [path + "x" for path in paths if "?" not in path]:
            answer = browser.get(path)
            faults += [f"{route} ({answer.status}): {fault}" for fault in field_faults(answer)]
    unknown = [("Host: evil.example", "/"), ("", "/nothing")]
    for field, path in unknown:
        browser = Browser(stage.site.port, field[6:] or None)
        faults += [f"{path} {field}: {fault}" for fault in field_faults(browser.get(path))]
    expect(sorted(set(faults)), ([],), "faults of header fields")


def field_faults(answer):
    """The security fields that an answer lacks."""
    policy = answer.field("content-security-policy") or ""
    wanted = [
        ("nosniff", answer.field("x-content-type-options") == "nosniff"),
        ("CSP default-src 'none'", "default-src 'none'" in policy),
        ("CSP frame-ancestors 'none'", "frame-ancestors 'none'" in policy),
        ("no unsafe CSP", "unsafe" not in policy and "*" not in policy),
        ("no HSTS over http", answer.field("strict-transport-security") is None),
        ("no name of the server", answer.field("server") is None),
    ]
    if (answer.field("content-type") or "").startswith("text/html"):
        wanted += [
            ("Referrer-Policy", answer.field("referrer-policy") in ("same-origin", "no-referrer")),
            ("Permissions-Policy", "camera=()" in (answer.field("permissions-policy") or "")),
            ("CSP base-uri 'none'", "base-uri 'none'" in policy),
            ("CSP form-action 'self'", "form-action 'self'" in policy),
            ("nothing inline", not re.search(r"<script(?![^>]*src=)|<style|\son\w+=|style=\"",
                                             answer.text)),
        ]
    return [name for name, is_met in wanted if not is_met]


def reading_changes_nothing(stage):
    """GET, HEAD and prefetches of all pages leave the database as it is."""
    before, count = stage.quiet(), 0
    for browser in [stage.anna, stage.olga, stage.site.browser()]:
        for paths in pages(stage).values():
            for path in paths:
                for method, fields in [("HEAD", {}), ("GET", {}),
                                       ("GET", {"Sec-Purpose": "prefetch"})]:
                    answer = browser.get(path, method, **fields)
                    assert answer.status < 500, f"{method} {path[:20]} got {answer.status}"
                    assert method == "GET" or not answer.body, f"HEAD {path[:20]} has a body"
                    count += 1
    expect(changed(before, stage.quiet()), ([],), "tables changed by reading")
    print(f"seen: {count} reading requests change nothing")


def other_methods_are_refused(stage):
    """PUT, DELETE, PATCH, TRACE and CONNECT do nothing, and PURGE and OPTIONS neither."""
    before = stage.quiet()
    for method in ["PUT", "DELETE", "PATCH", "TRACE", "OPTIONS", "PURGE", "PROPFIND"]:
        for path in ["/me", f"/m/{stage.of_anna['id']}", "/sign-out"]:
            answer = stage.anna.ask(method, path, None, WIDE)
            expect(answer.status, (405, 400, 501), f"{method} {path}")
            assert "letsmeet=" not in answer.text, f"{method} {path} echoes the cookie"
            stage.anna.close()
    expect(changed(before, stage.quiet()), ([],), "tables changed by other methods")


def the_log_holds_no_secret(stage):
    """No token, code or whole mail address stands in the log, at the level debug."""
    lines = [line for line in stage.site.logged().decode(errors="replace").split("\n")
             # This line is for the first visit; see docs/pages.md.
             if not line.startswith("Open http")]
    text = "\n".join(lines)
    found = [secret for secret in stage.secrets if secret and re.search(rf"\b{secret}\b", text)]
    expect(len(found), 0, f"number of {len(stage.secrets)} secrets in the log")
    expect(re.findall(r"[\w.]{2,}@example\.\w+", text)[:5], ([],), "mail addresses in the log")
    errors = [line for line in lines if "level=error" in line]
    expect(errors, ([],), "errors in the log")
    print(f"seen: none of {len(stage.secrets)} secrets in {len(lines)} lines of the log")


# ---- An installation behind https

def cookies_of_https_are_secure(site):
    """With an https address, cookies are only for encrypted connections of this host."""
    browser = site.browser(host="meet.example.org")
    asked = browser.post("/sign-in", address="olga@example.org")
    entered = browser.post("/enter", token=site.token_for("olga"), here="1")
    expect(entered.status, 303, "signing in")
    themed = browser.post("/me/theme", theme="dark")
    faults = []
    for answer in [asked, entered, themed, browser.twin().post("/sign-out")]:
        for name, rest in answer.cookies().items():
            flags = {flag.strip().split("=")[0].lower(): flag for flag in rest.split(";")[1:]}
            faults += [f"{name}: {wanted}" for wanted in ["secure", "httponly", "path", "samesite"]
                       if wanted not in flags]
            faults += [f"{name}: __Host-" for _ in "x" if not name.startswith("__Host-")]
            faults += [f"{name}: domain"] * ("domain" in flags)
            faults += [f"{name}: SameSite"] * ("lax" not in flags.get("samesite", "").lower())
        expect((answer.field("strict-transport-security") or "")[:8], "max-age=", "HSTS")
    expect(sorted(set(faults)), ([],), "faults of cookies of an https installation")


def origins_without_encryption_are_refused(site):
    """A page that came without encryption cannot post to the encrypted site."""
    browser = site.browser(host="meet.example.org")
    browser.post("/enter", token=site.token_for("olga"), here="1")
    for origin, wanted in [("https://meet.example.org", 303), ("http://meet.example.org", 403),
                           ("https://meet.example.org:8443", 403), ("http://localhost", 403)]:
        answer = browser.ask("POST", "/me", {"language": "en"}, {"Origin": origin})
        expect(answer.status, wanted, f"POST /me with the origin {origin}")


def mailed(site, box, count, what):
    """The number of links that were mailed, after at least this many."""
    return until(lambda: len(box.mails) if len(box.mails) >= count else None, what)


def asked_by(site, forwarded, address):
    """Asks for a link as a client behind the proxy."""
    browser = site.browser(host="meet.example.org")
    browser.post("/sign-in", {"X-Forwarded-For": forwarded}, address=address)


def proxies_name_the_client(site, box):
    """Behind a trusted proxy the forwarded address has the limit, whatever stands before it."""
    begin = len(box.mails)
    for number in range(30):
        asked_by(site, f"9.9.9.{number}, 203.0.113.5", f"a{number}@example.org")
    asked_by(site, "203.0.113.6", "last@example.org")
    mailed(site, box, begin + 21, "twenty links of one client, and one of another")
    expect(len(box.mails) - begin, 21, "links for 30 requests of one client and 1 of another")


def accounts_cannot_be_robbed_by_cards(site, box):
    """A card in the address book of another account opens nobody's account."""
    site.add_account("Ben Berg", "ben@example.org")
    asked_by(site, "203.0.113.20", "newcomer@example.org")
    until(lambda: is_mailed_to(box, "newcomer@example.org"), "the link for a newcomer")
    ben = site.browser(host="meet.example.org")
    ben.post("/enter", token=site.token_for("ben"), here="1")
    import_card(ben, "Newcomer", "newcomer@example.org")
    import_card(ben, "Newcomer", "mallory@evil.example", "newcomer@example.org")
    asked_by(site, "203.0.113.21", "mallory@evil.example")
    asked_by(site, "203.0.113.22", "another@example.org")
    until(lambda: is_mailed_to(box, "another@example.org"), "the link for another newcomer")
    mails = [envelope.content.decode() for envelope, _ in box.mails
             if "mallory@evil.example" in envelope.rcpt_tos]
    # Registration is open: a link to an account of its own would be right.
    owners = {person for (person,) in site.rows_of(
        "SELECT person_id FROM person_address WHERE folded = 'newcomer@example.org'")}
    hashes = [hashlib.sha256(token.encode()).hexdigest() for text in mails
              for token in re.findall(r"#(\w{32})", text)]
    robbed = [person for digest in hashes for (person,) in site.rows_of(
        "SELECT person_id FROM sign_in_ticket WHERE hash = ?", digest) if person in owners]
    expect(len(robbed), 0, "links to the newcomer's account in mails to mallory@evil.example")


def contacts_may_register(site, box):
    """With open registration, everybody may register: also somebody in an address book."""
    site.run("letsmeet", "people", "add", "Kora Kern", "--email", "kora@example.org", "--json")
    asked_by(site, "203.0.113.30", "kora@example.org")
    asked_by(site, "203.0.113.31", "after@example.org")
    until(lambda: is_mailed_to(box, "after@example.org"), "the link of another newcomer")
    expect(is_mailed_to(box, "kora@example.org"), True, "a link for a contact who registers")


def networks_share_a_limit(site, box):
    """Addresses of one IPv6 network of 64 bits are one client."""
    begin = len(box.mails)
    for number in range(30):
        asked_by(site, f"2001:db8::{number:x}", f"b{number}@example.org")
    asked_by(site, "203.0.113.7", "later@example.org")
    until(lambda: any("later@example.org" in envelope.rcpt_tos for envelope, _ in box.mails),
          "the link of another client")
    expect(len(box.mails) - begin, 21, "links for 30 requests of one network and 1 of another")


def odd_hops_are_not_passed_over(site, box):
    """A hop that is not an address does not let the client choose its own."""
    begin = len(box.mails)
    for number in range(30):
        asked_by(site, f"8.8.8.{number}, 203.0.113.9:4711", f"c{number}@example.org")
    asked_by(site, "203.0.113.8", "end@example.org")
    until(lambda: any("end@example.org" in envelope.rcpt_tos for envelope, _ in box.mails),
          "the link of another client")
    expect(len(box.mails) - begin, 21, "links for 30 requests of one client and 1 of another")


ATTACKS = [
    # The first ones use all connections, so that slow ones would be closed early.
    lists_of_routes_are_complete, one_address_shuts_nobody_out,
    many_addresses_leave_the_health_check, an_address_that_is_full_can_be_checked,
    begin_to_be_slow, pages_have_security_fields,
    reading_changes_nothing, forged_forms_are_refused,
    forged_forms_with_the_right_token_are_refused, origins_that_are_nearly_own_are_refused,
    a_session_cannot_be_chosen, idle_sessions_end, a_sign_in_renews_the_session,
    tokens_are_stored_as_hashes, signing_out_ends_the_session, links_sign_in_once,
    simultaneous_uses_of_a_link_sign_in_once, tokens_work_only_where_they_belong,
    disabling_an_account_ends_its_sessions, begin_to_use_up_answers, redirects_stay_here,
    header_fields_cannot_be_added, other_hosts_are_misdirected, absolute_targets_name_the_host,
    hosts_are_given_once, links_come_from_the_base_address, paths_do_not_climb,
    odd_paths_of_members_lead_nowhere, requests_cannot_be_smuggled, heads_are_limited,
    forms_are_limited, uploads_are_limited, uploads_of_strangers_are_not_stored,
    costly_uploads_keep_nobody_waiting, codes_take_five_tries, codes_sign_in_the_asking_browser, links_are_not_mailed_without_end,
    tokens_cannot_be_guessed, addresses_are_not_revealed_by_answers,
    addresses_are_not_revealed_by_time, lookalikes_get_no_link, guests_of_members_cannot_be_robbed,
    typed_addresses_get_the_mail, cards_of_members_block_nobody, costly_forms_are_answered_soon,
    meetings_of_others_do_not_exist, guests_cannot_act_as_organizers, members_cannot_act_as_owners,
    contacts_of_others_are_private, contacts_of_the_owner_are_private,
    circles_of_others_do_not_exist,
    keys_of_others_make_no_meeting_visible, links_of_meetings_are_no_scripts,
    guest_links_show_one_meeting, other_methods_are_refused, slow_clients_are_cut_off,
    waiting_helps_the_guest, own_forms_are_accepted, the_log_holds_no_secret,
]
ATTACKS_ON_HTTPS = [cookies_of_https_are_secure, origins_without_encryption_are_refused]
ATTACKS_BY_PROXY = [
    accounts_cannot_be_robbed_by_cards, contacts_may_register, proxies_name_the_client,
    networks_share_a_limit, odd_hops_are_not_passed_over,
]


def run(attack, *arguments):
    """Runs an attack, and prints its name with the result. Returns 1 if it got through."""
    begin = time.monotonic()
    try:
        attack(*arguments)
    except Exception as error:
        reason = str(error) if isinstance(error, AssertionError) and str(error) else (
            traceback.format_exc())
        print(f"FAILED  {attack.__name__}: {reason}", flush=True)
        return 1
    print(f"refused {attack.__name__} ({time.monotonic() - begin:.1f} s)", flush=True)
    return 0


def wanted(attacks):
    """The attacks that the command line names, or all."""
    return [attack for attack in attacks if not sys.argv[3:] or attack.__name__ in sys.argv[3:]]


def go(letsmeet, letsmeetd, *_):
    failures = 0
    with server() as (box, port), Site(
        letsmeet, letsmeetd, LETSMEET_SMTP_URL=f"smtp://127.0.0.1:{port}",
        # Nothing listens on the discard port, so that no form sends requests to the network.
        LETSMEET_OVERPASS_URL="http://127.0.0.1:9/",
    ) as site:
        stage = Stage(site, box)
        failures += sum(run(attack, stage) for attack in wanted(ATTACKS))
    with server() as (box, port), Site(
        letsmeet, letsmeetd, LETSMEET_SMTP_URL=f"smtp://127.0.0.1:{port}",
        LETSMEET_BASE_URL="https://meet.example.org", LETSMEET_TRUSTED_PROXY="127.0.0.1",
        LETSMEET_REGISTRATION="open",
    ) as site:
        failures += sum(run(attack, site) for attack in wanted(ATTACKS_ON_HTTPS))
        failures += sum(run(attack, site, box) for attack in wanted(ATTACKS_BY_PROXY))
    count = len(ATTACKS + ATTACKS_ON_HTTPS + ATTACKS_BY_PROXY)
    print(f"seen: {count} attacks, of which {failures} got through")
    return failures


if __name__ == "__main__":
    sys.exit(1 if go(*sys.argv[1:]) else 0)
