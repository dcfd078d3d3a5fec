"""Checks with mails from independent programs how letsmeet reads answers from its mailbox.

python judge_answers.py LETSMEET LETSMEETD: aiosmtpd receives the invitations. PyPI's icalendar
makes answers to them, and Python's email package builds mails as mail clients do. swaks sends mails
with typed answers, and bounces follow RFC 3464. `letsmeet mail receive` reads them all."""

import datetime
import email
import email.message
import email.policy
import email.utils
import json
import pathlib
import subprocess
import sys

import icalendar

from judge_mail import HOSTILE, World, calendar_of, server

NOW = datetime.datetime.now(datetime.timezone.utc)


def answered(invitation, word, minute, comment=None, attendee=None):
    """The answer of a calendar program to an invitation, as required by RFC 5546, 3.2.3."""
    (asked,) = invitation.walk("VEVENT")
    reply = icalendar.Calendar()
    reply.add("prodid", "-//Others//Calendar//EN")
    reply.add("version", "2.0")
    reply.add("method", "REPLY")
    event = icalendar.Event()
    for name in ("UID", "DTSTART", "DTEND", "ORGANIZER", "SUMMARY", "SEQUENCE"):
        if name in asked:
            event[name] = asked[name]
    event.add("dtstamp", NOW + datetime.timedelta(minutes=minute))
    person = icalendar.vCalAddress(attendee or str(asked["ATTENDEE"]))
    person.params["PARTSTAT"] = icalendar.vText(word)
    person.params["CN"] = icalendar.vText("Älä; \"quoted\", really")
    event.add("attendee", person, encode=0)
    if comment:
        event.add("comment", comment)
    reply.add_component(event)
    return reply.to_ical()


# The zone of half of Europe, as Outlook names and describes it.
OUTLOOK = b"""BEGIN:VTIMEZONE\r
TZID:W. Europe Standard Time\r
BEGIN:STANDARD\r
DTSTART:16010101T030000\r
TZOFFSETFROM:+0200\r
TZOFFSETTO:+0100\r
RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10\r
END:STANDARD\r
BEGIN:DAYLIGHT\r
DTSTART:16010101T020000\r
TZOFFSETFROM:+0100\r
TZOFFSETTO:+0200\r
RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3\r
END:DAYLIGHT\r
END:VTIMEZONE\r
"""


def proposed(invitation, minute, start):
    """A counter-proposal of a calendar program, one hour long (RFC 5546, 3.2.7)."""
    text = answered(invitation, "TENTATIVE", minute, "Rather then").replace(
        b"METHOD:REPLY", b"METHOD:COUNTER")
    lines = [
        line for line in text.split(b"\r\n") if not line.startswith((b"DTSTART", b"DTEND"))]
    place = lines.index(b"BEGIN:VEVENT")
    zone = OUTLOOK.split(b"\r\n")[:-1] if b"TZID=\"W. Europe" in start else []
    return b"\r\n".join(
        lines[:place] + zone + [lines[place], start, b"DURATION:PT1H"] + lines[place + 1:])


def mailed(reply, sender, form, to="olga@example.org", method="REPLY"):
    """A mail that contains an answer, as built by Gmail, Outlook and Apple Mail."""
    mail = email.message.EmailMessage(policy=email.policy.SMTP)
    mail["From"], mail["To"] = sender, to
    mail["Subject"] = "Accepted: Lunch"
    mail["Message-ID"] = "<x@client.example>"
    if form == "bare":
        mail.set_content(
            reply, maintype="text", subtype="calendar", cte="base64",
            params={"method": method, "charset": "utf-8"})
        return mail.as_bytes()
    mail.set_content("Anna has accepted.\n")
    mail.add_alternative("<p>Anna has accepted.</p>", subtype="html")
    mail.add_alternative(
        reply.decode(), subtype="calendar", cte="quoted-printable" if form == "quoted" else "8bit",
        params={"method": method})
    if form == "attached":
        mail.add_attachment(
            reply, maintype="application", subtype="ics", filename="invite.ics")
    return mail.as_bytes()


def take(world, octets):
    done = subprocess.run(
        [world.programs["letsmeet"], "mail", "receive", "--json"], input=octets,
        env=world.environment, capture_output=True, timeout=60)
    assert done.returncode == 0, (done.stdout, done.stderr)
    return json.loads(done.stdout)


def guest(world, meeting):
    shown = world.run("letsmeet", "meeting", "show", meeting, "--json")
    (person,) = [p for p in shown["participants"] if p["address"] == "anna@example.org"]
    return person


def check_replies(world, invitation, meeting):
    words = {"ACCEPTED": "going", "TENTATIVE": "maybe", "DECLINED": "declined"}
    minute = 0
    for form in ("bare", "quoted", "8bit", "attached"):
        for word, answer in words.items():
            minute += 1
            comment = HOSTILE[minute % len(HOSTILE)]
            octets = mailed(
                answered(invitation, word, minute, comment), "Anna <anna@example.org>", form)
            receipt = take(world, octets)
            assert receipt["outcome"] == "answered", (form, word, receipt)
            person = guest(world, meeting)
            assert (person["answer"], person["unsigned"]) == (answer, True), person
            plain = "".join(c for c in comment if c in "\n\t" or ord(c) >= 32 and ord(c) != 127)
            assert person["note"] == plain.strip(), (person["note"], comment)
            assert take(world, octets)["outcome"] == "ignored", "the same mail was counted twice"
    for sender in ("mallory@example.org", "anna@example.org.evil.example", "", "Anna"):
        minute += 1
        receipt = take(world, mailed(answered(invitation, "ACCEPTED", minute), sender, "bare"))
        assert receipt["outcome"] == "ignored", (sender, receipt)
    crasher = answered(invitation, "ACCEPTED", minute + 1, attendee="mailto:eve@example.org")
    assert take(world, mailed(crasher, "eve@example.org", "bare"))["outcome"] == "ignored"
    assert guest(world, meeting)["answer"] == "declined"
    return minute


def check_proposals(world, box, invitation, meeting, minute):
    """Checks proposals in different formats, one refused and one accepted; returns the last
    minute."""
    for start, expected in (
            (b"DTSTART:20270313T150000Z", "2027-03-13T17:00:00+02:00"),
            (b"DTSTART;TZID=Europe/Paris:20270702T150000", "2027-07-02T16:00:00+03:00"),
            (b'DTSTART;TZID="W. Europe Standard Time":20270313T150000',
             "2027-03-13T16:00:00+02:00"),
            (b'DTSTART;TZID="W. Europe Standard Time":20270702T150000',
             "2027-07-02T16:00:00+03:00")):
        minute += 1
        octets = mailed(
            proposed(invitation, minute, start), "anna@example.org", "quoted", method="COUNTER")
        receipt = take(world, octets)
        assert receipt["outcome"] == "proposed", receipt
        person = guest(world, meeting)
        assert person["proposed"]["start"] == expected, person
        assert (person["answer"], person["note"]) == ("maybe", "Rather then"), person
    before = len(box.mails)
    world.run("letsmeet", "meeting", "refuse", meeting, "--note", "No room", "--yes", "--json")
    world.run("letsmeetd", "once")
    (told,) = [
        mail for mail in (
            email.message_from_bytes(envelope.content, policy=email.policy.default)
            for envelope, _ in box.mails[before:])
        if "anna@example.org" in mail["To"]]
    calendar = calendar_of(told)
    (asked,), (event,) = invitation.walk("VEVENT"), calendar.walk("VEVENT")
    assert calendar["METHOD"] == "DECLINECOUNTER", calendar["METHOD"]
    for name in ("UID", "SEQUENCE", "ORGANIZER", "ATTENDEE"):
        assert event[name] == asked[name], (name, event[name])
    assert guest(world, meeting)["proposed"] is None
    minute += 1
    take(world, mailed(
        proposed(invitation, minute, b"DTSTART:20270313T150000Z"), "anna@example.org", "bare",
        method="COUNTER"))
    moved = world.run("letsmeet", "meeting", "accept", meeting, "--yes", "--json")["meeting"]
    assert (moved["start"], moved["sequence"]) == ("2027-03-13T17:00:00+02:00", 1), moved
    return minute


def check_words(world, meeting, minute):
    """Checks mails with typed answers, sent by swaks."""
    for word, answer in (("Yes", "going"), ("Maybe", "maybe"), ("No", "declined")):
        minute += 1
        date = email.utils.format_datetime(NOW + datetime.timedelta(minutes=minute))
        written = subprocess.run(
            ["swaks", "--dump", "DATA", "--from", "anna@example.org", "--to", "olga@example.org",
             "--header", f"Date: {date}", "--header", f"Subject: {word}: Lunch [{meeting}]",
             "--body", f"I say {word}"],
            capture_output=True, text=True, check=True).stdout
        # The dot ends the DATA of SMTP, and is not part of the mail.
        receipt = take(world, written.rstrip().removesuffix(".").encode())
        assert receipt["outcome"] == "answered", receipt
        person = guest(world, meeting)
        assert (person["answer"], person["note"]) == (answer, f"I say {word}"), person


def check_bounces(world, box):
    sent = email.message_from_bytes(box.mails[0][0].content, policy=email.policy.default)
    report = email.message.EmailMessage(policy=email.policy.SMTP)
    report["From"], report["To"] = "MAILER-DAEMON@mx.example", "olga@example.org"
    report["Subject"] = "Undelivered Mail Returned to Sender"
    report["Content-Type"] = 'multipart/report; report-type=delivery-status; boundary="=_B/x"'
    status = (
        "Reporting-MTA: dns; mx.example\r\n\r\nFinal-Recipient: rfc822; anna@example.org\r\n"
        "Action: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1 no such user\r\n")
    body = (
        "--=_B/x\r\nContent-Type: text/plain\r\n\r\nSorry.\r\n--=_B/x\r\n"
        f"Content-Type: message/delivery-status\r\n\r\n{status}\r\n--=_B/x\r\n"
        "Content-Type: message/rfc822\r\n\r\n").encode()
    head = report.as_bytes().split(b"\r\n\r\n")[0] + b"\r\n\r\n"
    octets = head + body + sent.as_bytes() + b"\r\n--=_B/x--\r\n"
    receipt = take(world, octets)
    assert receipt["outcome"] == "bounced", receipt
    listed = world.run("letsmeet", "ledger", "suppressions", "--json")["suppressions"]
    assert [entry["address"] for entry in listed] == ["anna@example.org"], listed


def check_odd_files(world, corpus):
    """Checks that unusual calendar files are not read as answers and do no harm."""
    files = sorted(corpus.glob("*.ics")) if corpus.is_dir() else []
    for file in files:
        for head in (b"Content-Type: text/calendar; method=REPLY\r\n\r\n", b""):
            assert take(world, head + file.read_bytes())["outcome"] == "ignored", file
    return len(files)


def main(letsmeet, letsmeetd):
    with server() as (box, port), World(
            letsmeet, letsmeetd, LETSMEET_SMTP_URL=f"smtp://127.0.0.1:{port}") as world:
        world.run(
            "letsmeet", "people", "add", "Anna", "--email", "anna@example.org", "--json")
        meeting = world.plan("Lunch", "--remind", "none")["id"]
        world.run("letsmeetd", "once")
        invitation = calendar_of(
            email.message_from_bytes(box.mails[0][0].content, policy=email.policy.default))
        minute = check_replies(world, invitation, meeting)
        check_words(world, meeting, minute)
        minute = check_proposals(world, box, invitation, meeting, minute + 3)
        stale = mailed(answered(invitation, "ACCEPTED", minute + 99), "anna@example.org", "bare")
        assert take(world, stale)["outcome"] == "ignored", "an outdated answer was counted"
        check_bounces(world, box)
        corpus = pathlib.Path(__file__).resolve().parents[1].parent / "shared/corpus/ics"
        count = check_odd_files(world, corpus)
        world.run("letsmeet", "ledger", "verify")
    print(f"seen: 12 answers in 4 forms, 3 in words, 5 proposals, a bounce, {count} unusual files")


if __name__ == "__main__":
    main(*sys.argv[1:])
