"""Checks the mails of letsmeet with independent mail servers and readers.

python judge_mail.py read LETSMEET LETSMEETD: aiosmtpd receives the mails of meetings in forty
zones, with hostile names and titles; Python's email package, icalendar and zoneinfo read them, and
find exactly what was planned.

python judge_mail.py secure LETSMEET LETSMEETD: aiosmtpd requires STARTTLS with its own certificate
authority, and a password.

python judge_mail.py sink LETSMEET LETSMEETD: Postfix's smtp-sink refuses, hangs up and is slow."""

import contextlib
import datetime
import email
import email.header
import email.policy
import email.utils
import html.parser
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import zoneinfo

HOSTILE = [
    "Bcc: evil@example.org", "a\nBcc: evil@example.org\n\nhello", "=?utf-8?q?spoof?=",
    "{{title}} {{> facts}}", "<script>alert(1)</script>", "\u202eright to left", "\u2028line",
    "x" * 180, "\U0001f3f3\ufe0f\u200d\U0001f308 " * 10, "\"quotes\" \\ and; commas, too",
    "tab\there", ".", "x\u0600;PARTSTAT=ACCEPTED", ":\ufe0fy", ";\u0301", "e" + "\u0301" * 90, "From the start", "ä" * 90, "^n ^' ^^",
]
ZONES = """Africa/Cairo Africa/Casablanca Africa/Lagos America/Anchorage America/Argentina/Buenos_Aires
America/Asuncion America/Caracas America/Chicago America/Halifax America/Havana America/Los_Angeles
America/Mexico_City America/New_York America/Nuuk America/Santiago America/Sao_Paulo America/St_Johns
Antarctica/Troll Asia/Beirut Asia/Gaza Asia/Jerusalem Asia/Kathmandu Asia/Kolkata Asia/Pyongyang
Asia/Tehran Asia/Tokyo Atlantic/Azores Australia/Adelaide Australia/Lord_Howe Australia/Sydney
Europe/Chisinau Europe/Dublin Europe/Helsinki Europe/Istanbul Europe/London Europe/Madrid
Pacific/Apia Pacific/Auckland Pacific/Chatham Pacific/Norfolk""".split()


class World:
    """A home, and the programs that use it."""

    def __init__(self, letsmeet, letsmeetd, **settings):
        self.programs = {"letsmeet": letsmeet, "letsmeetd": letsmeetd}
        self.folder = tempfile.mkdtemp()
        self.environment = {
            "PATH": "/usr/bin:/bin", "HOME": self.folder, "TZ": "Europe/Helsinki",
            "LETSMEET_HOME": self.folder + "/home", "LETSMEET_LISTEN": "none",
            "LETSMEET_MAIL_FROM": "olga@example.org", **settings,
        }

    def run(self, program, *arguments, status=0):
        done = subprocess.run(
            [self.programs[program], *arguments], env=self.environment, capture_output=True,
            text=True, timeout=300)
        assert done.returncode == status, (arguments, done.returncode, done.stdout, done.stderr)
        return json.loads(done.stdout) if done.stdout.startswith("{") else done.stderr

    def rows(self, kind="invitation"):
        rows = self.run("letsmeet", "ledger", "list", "--json")["deliveries"]
        return [row for row in rows if row["kind"] == kind]

    def plan(self, title, *arguments, who="anna@example.org", start="2027-03-13T12:00"):
        return self.run(
            "letsmeet", "meeting", "new", "--title", title, "--with", who, "--start", start,
            "--json", *arguments)["meeting"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder)


class Mailbox:
    """The mails that aiosmtpd received."""

    def __init__(self):
        self.mails = []

    async def handle_DATA(self, server, session, envelope):
        self.mails.append((envelope, session))
        return "250 2.0.0 Ok: queued as AB12"


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@contextlib.contextmanager
def server(**options):
    from aiosmtpd.controller import Controller

    box = Mailbox()
    port = free_port()
    controller = Controller(box, hostname="127.0.0.1", port=port, enable_SMTPUTF8=True, **options)
    controller.start()
    try:
        yield box, port
    finally:
        controller.stop()


def calendar_of(mail):
    """The calendar object of a mail, which must have the structure that mail programs expect."""
    import icalendar

    assert mail.get_content_type() == "multipart/mixed", mail.get_content_type()
    alternative, attachment = mail.iter_parts()
    kinds = [part.get_content_type() for part in alternative.iter_parts()]
    assert kinds == ["text/plain", "text/html", "text/calendar"], kinds
    part = list(alternative.iter_parts())[-1]
    assert part.get_content_disposition() is None
    assert attachment.get_content_type() == "application/ics"
    assert attachment.get_filename() == "invite.ics"
    octets = part.get_payload(decode=True)
    assert octets == attachment.get_payload(decode=True)
    calendar = icalendar.Calendar.from_ical(octets)
    assert part.get_param("method") == str(calendar["METHOD"])
    assert part.get_param("charset").lower() == "utf-8"
    return calendar


def display_name(octets):
    """The receiver's name. Python's newer parser inserts a blank between encoded words of a name
    (RFC 2047, 6.2 forbids that); the older one does not."""
    mail = email.message_from_bytes(octets, policy=email.policy.compat32)
    name, _ = email.utils.parseaddr(str(mail["To"]))
    return str(email.header.make_header(email.header.decode_header(name)))


def without_turning_marks(text):
    """A name as a header shows it: its marks must not turn the text behind it."""
    return re.sub("[\u202a-\u202e\u2066-\u2069]", "", text)


def check_lines(octets):
    """Checks that every line ends with CRLF and is within the length limits."""
    assert octets.count(b"\n") == octets.count(b"\r\n") == octets.count(b"\r")
    assert b"\0" not in octets
    head, _, body = octets.partition(b"\r\n\r\n")
    assert all(len(line) <= 78 for line in head.split(b"\r\n")), head
    assert all(len(line) <= 998 for line in body.split(b"\r\n"))


def read(letsmeet, letsmeetd):
    with server() as (box, port), World(
        letsmeet, letsmeetd, LETSMEET_SMTP_URL=f"smtp://127.0.0.1:{port}") as world:
        planned = {}
        for number, zone in enumerate(ZONES):
            month = number % 12 + 1
            meeting = world.plan(
                f"Meeting {number}", "--tz", zone, start=f"2027-{month:02}-13T12:30")
            planned[meeting["uid"]] = meeting
        for number, words in enumerate(HOSTILE):
            name = " ".join(words.split()) or "x"
            person = world.run(
                "letsmeet", "people", "add", name[:100], "--email", f"p{number}@example.org",
                "--json")["person"]
            title = " ".join(words.split())
            meeting = world.plan(title, "--note", words, who=person["id"])
            planned[meeting["uid"]] = dict(meeting, name=person["name"], note=words)
        world.run("letsmeetd", "once")
        assert len(box.mails) == len(planned), len(box.mails)
        identities = {row["identity"] for row in world.rows()}
        for envelope, _ in box.mails:
            check_lines(envelope.content)
            mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
            assert not mail.defects, mail.defects
            calendar = calendar_of(mail)
            assert [c.name for c in calendar.subcomponents][-1] == "VEVENT"
            (event,) = calendar.walk("VEVENT")
            meeting = planned.pop(str(event["UID"]))
            assert mail["Message-ID"][1:-1] in identities, mail["Message-ID"]
            assert mail["Bcc"] is None and mail["Cc"] is None
            assert [a.addr_spec for a in mail["From"].addresses] == ["olga@example.org"]
            (receiver,) = mail["To"].addresses
            assert envelope.rcpt_tos == [receiver.addr_spec]
            name = display_name(envelope.content)
            assert name == without_turning_marks(meeting.get("name", "")), name
            subject = without_isolates(mail["Subject"])
            assert subject == "Invitation: " + visible(meeting["title"]), subject
            assert str(event["SUMMARY"]) == meeting["title"]
            check_page(mail.get_body(("html",)).get_content(), meeting)
            if "note" in meeting:
                note = meeting["note"]
                assert str(event.get("DESCRIPTION", "")) == note, note
            zone = zoneinfo.ZoneInfo(meeting["tz"])
            start = datetime.datetime.fromisoformat(meeting["start"])
            assert event["DTSTART"].dt == start, (event["DTSTART"].dt, start)
            assert event["DTSTART"].dt.utcoffset() == start.astimezone(zone).utcoffset()
            check_zone(calendar, event, start, zone)
            attendee = event["ATTENDEE"]
            assert not isinstance(attendee, list)
            assert attendee.params["PARTSTAT"] == "NEEDS-ACTION", attendee.params
            assert attendee.params.get("CN", "") == meeting.get("name", ""), attendee.params
            assert attendee.lower() == "mailto:" + receiver.addr_spec
        assert not planned, planned
        print(f"seen: {len(box.mails)} mails, {len(ZONES)} zones, {len(HOSTILE)} hostile texts")


class Page(html.parser.HTMLParser):
    """The text and the tags of a page."""

    def __init__(self, page):
        super().__init__()
        self.text, self.tags = [], []
        self.feed(page)
        self.close()

    def handle_data(self, data):
        self.text.append(data)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))


def visible(text):
    """The text as mails show it: marks that turn the direction of text are written out."""
    marks = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067"
    return "".join(f"\\u{{{ord(sign):x}}}" if sign in marks else sign for sign in text)


def without_isolates(text):
    """The text without the marks that keep it from turning the text around it."""
    return text.replace("\u2068", "").replace("\u2069", "")


def check_page(page, meeting):
    """Checks that texts written by people appear as text, without adding tags."""
    page = Page(without_isolates(page.replace("\r\n", "\n")))
    title, note = visible(meeting["title"]), visible(meeting.get("note", "")).strip()
    assert title in page.text, (title, page.text)
    assert "note" not in meeting or any(note in part for part in page.text)
    tags = {tag for tag, _ in page.tags}
    known = "html head meta title body div h1 p table tr td strong br a blockquote s".split()
    assert tags <= set(known), tags
    assert all(set(attributes) <= {"style", "href", "role", "lang", "name", "content", "charset"}
               for _, attributes in page.tags), page.tags


def check_zone(calendar, event, start, zone):
    """Checks that the zone described in the file has the offset of the intended zone."""
    (described,) = calendar.walk("VTIMEZONE")
    assert str(described["TZID"]) == event["DTSTART"].params["TZID"] == zone.key
    wall = start.replace(tzinfo=None)
    assert described.to_tz(lookup_tzid=False).utcoffset(wall) == start.utcoffset(), zone


def authority(folder):
    """The key of a server on this machine, and the certificate that signs it."""
    key, certificate = f"{folder}/key.pem", f"{folder}/certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
         "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout",
         key, "-out", certificate], check=True, capture_output=True)
    return key, certificate


def secure(letsmeet, letsmeetd):
    from aiosmtpd.smtp import AuthResult

    with tempfile.TemporaryDirectory() as folder:
        key, certificate = authority(folder)
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(certificate, key)
        logins = []

        def login(server, session, envelope, mechanism, data):
            logins.append(mechanism)
            right = (data.login, data.password) == (b"olga@example.org", b"hush hush")
            return AuthResult(success=right, handled=right)

        with open(f"{folder}/password", "w") as file:
            file.write("hush hush\n")
        with open(f"{folder}/wrong", "w") as file:
            file.write("hush\n")
        with server(
            tls_context=context, require_starttls=True, authenticator=login, auth_required=True
        ) as (box, port):
            url = f"smtp://olga%40example.org@127.0.0.1:{port}?tls=required"
            password = {"LETSMEET_SMTP_PASSWORD_FILE": f"{folder}/password"}
            trusted = f"{url}&ca={certificate}"
            cases = [
                ("with all that it wants", trusted, password, True),
                ("without an authority that is trusted", url, password, False),
                ("with a wrong password", trusted, {"LETSMEET_SMTP_PASSWORD_FILE": f"{folder}/wrong"}, False),
                ("without encryption", url.replace("required", "none"), password, False),
            ]
            for name, address, settings, is_taken in cases:
                with World(
                    letsmeet, letsmeetd, LETSMEET_SMTP_URL=address, **settings) as world:
                    world.plan("Lunch")
                    before = len(box.mails)
                    world.run("letsmeetd", "once", status=0 if is_taken else 3)
                    (row,) = world.rows()
                    state = "accepted" if is_taken else "planned"
                    assert row["state"] == state, (name, row)
                    assert len(box.mails) == before + is_taken, name
                    assert is_taken or row["attempts"][-1]["outcome"] == "misconfigured", row
                    assert "hush" not in json.dumps(row)
            with World(letsmeet, letsmeetd, LETSMEET_SMTP_URL=trusted) as world:
                world.plan("Lunch")
                world.run("letsmeetd", "once", status=2)
                world.run("letsmeet", "config", "check", status=2)
            assert set(logins) <= {"PLAIN", "LOGIN"}, logins
        with server() as (box, port), World(
            letsmeet, letsmeetd,
            LETSMEET_SMTP_URL=f"smtp://127.0.0.1:{port}?tls=required") as world:
            world.plan("Lunch")
            world.run("letsmeetd", "once", status=3)
            assert world.rows()[0]["attempts"][-1]["outcome"] == "misconfigured"
            assert not box.mails
    print(f"seen: {len(cases) + 2} ways to log in, one of them correct")


@contextlib.contextmanager
def smtp_sink(*options):
    """Postfix's smtp-sink, and the port on which it listens."""
    port = free_port()
    user = ["-u", "nobody"] if os.geteuid() == 0 else []
    program = shutil.which("smtp-sink") or "/usr/sbin/smtp-sink"
    sink = subprocess.Popen([program, *user, *options, f"127.0.0.1:{port}", "100"])
    try:
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield port
    finally:
        sink.terminate()
        sink.wait(10)


def sink(letsmeet, letsmeetd):
    cases = [
        ("takes all", [], 0, "accepted", "accepted"),
        ("takes its time", ["-w", "2"], 0, "accepted", "accepted"),
        ("refuses a receiver softly", ["-r", "RCPT"], 3, "planned", "retry"),
        ("refuses a receiver", ["-f", "RCPT"], 3, "failed", "permanent"),
        ("refuses a sender", ["-f", "MAIL"], 3, "planned", "misconfigured"),
        ("refuses softly at DATA", ["-r", "DATA"], 3, "planned", "retry"),
        ("refuses a mail", ["-f", "."], 3, "failed", "permanent"),
        ("refuses a mail softly", ["-r", "."], 3, "planned", "retry"),
        ("hangs up at the greeting", ["-q", "CONNECT"], 3, "planned", "retry"),
        ("hangs up at a receiver", ["-q", "RCPT"], 3, "planned", "retry"),
        ("hangs up behind a mail", ["-q", "."], 3, "ambiguous", "ambiguous"),
        ("says 421 and hangs up", ["-Q", "RCPT"], 3, "planned", "retry"),
    ]
    for name, options, status, state, outcome in cases:
        with smtp_sink(*options) as port, World(
            letsmeet, letsmeetd, LETSMEET_SMTP_URL=f"smtp://127.0.0.1:{port}") as world:
            world.plan("Lunch")
            world.run("letsmeetd", "once", status=status)
            (row,) = world.rows()
            seen = (row["state"], row["attempts"][-1]["outcome"])
            assert seen == (state, outcome), (name, seen, row)
    print(f"seen: smtp-sink {len(cases)} ways")
    measure(os.path.join(os.path.dirname(letsmeet), "letsmeet-bench"))


def measure(bench):
    """Checks that the benchmark succeeds if all mails are accepted, and fails if one is refused."""
    command = [bench, "mail", "--json", "--n", "500", "--connections", "5", "--url"]
    with smtp_sink() as port:
        done = subprocess.run(
            command + [f"smtp://127.0.0.1:{port}"], stdout=subprocess.PIPE, check=True)
    answer = json.loads(done.stdout)
    assert answer["checks"]["fired"] == answer["n"] == 500, answer
    assert [phase["phase"] for phase in answer["phases"]] == ["client", "whole"], answer
    with smtp_sink("-f", ".") as port:
        done = subprocess.run(
            command + [f"smtp://127.0.0.1:{port}"], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, check=False)
    assert done.returncode == 1, (done.returncode, done.stdout)
    print("seen: letsmeet-bench mail, accepted and refused")


if __name__ == "__main__":
    {"read": read, "secure": secure, "sink": sink}[sys.argv[1]](*sys.argv[2:])
