"""Checks letsmeet's mail with servers in a realistic setup: Postfix behind postgrey, with TLS and a
login, and Dovecot, which checks logins and stores the mail.

python judge_postfix.py LETSMEET LETSMEETD: an invitation is greylisted and sent again; another goes
through the submission port, with a login; Dovecot's folder shows what a person would receive; the
answer made by icalendar goes through Postfix to the organizer's folder, and letsmeet reads it
there. Only root can start Postfix."""

import contextlib
import datetime
import email
import email.policy
import imaplib
import os
import pathlib
import shutil
import smtplib
import ssl
import subprocess
import sys
import tempfile
import time

from judge_answers import answered, guest, mailed
from judge_folders import dovecot, PASSWORD
from judge_mail import World, authority, calendar_of, free_port

MAIN = """
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
mail_owner = postfix
setgid_group = postdrop
maillog_file = {folder}/postfix.log
maillog_file_prefixes = {folder}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mail.example.org
mydestination =
mynetworks =
smtputf8_enable = yes
recipient_delimiter = +
alias_maps =
local_recipient_maps =
virtual_mailbox_domains = example.org
virtual_mailbox_base = {mail}
virtual_mailbox_maps = inline:{{ {{ anna@example.org = anna/ }}, {{ olga@example.org = olga/ }} }}
virtual_minimum_uid = 1
virtual_uid_maps = static:{uid}
virtual_gid_maps = static:{gid}
smtpd_tls_cert_file = {folder}/certificate.pem
smtpd_tls_key_file = {folder}/key.pem
smtpd_tls_security_level = may
smtpd_sasl_type = dovecot
smtpd_sasl_path = {auth}
"""
MASTER = """
127.0.0.1:{plain} inet n - n - - smtpd
  -o smtpd_relay_restrictions=reject_unauth_destination
  -o smtpd_recipient_restrictions=check_policy_service,inet:127.0.0.1:{grey}
127.0.0.1:{submission} inet n - n - - smtpd
  -o smtpd_tls_security_level=encrypt
  -o smtpd_sasl_auth_enable=yes
  -o smtpd_tls_auth_only=yes
  -o smtpd_relay_restrictions=permit_sasl_authenticated,reject
  -o smtpd_recipient_restrictions=permit_sasl_authenticated,reject
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
local unix - n n - - local
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
tlsmgr unix - - n 1000? 1 tlsmgr
postlog unix-dgram n - n - 1 postlogd
"""
GREY_SECONDS = 3


@contextlib.contextmanager
def postgrey():
    port = free_port()
    folder = tempfile.mkdtemp(prefix="letsmeet-postgrey-")
    shutil.chown(folder, "postgrey")
    program = shutil.which("postgrey") or "/usr/sbin/postgrey"
    process = subprocess.Popen(
        [program, f"--inet=127.0.0.1:{port}", f"--dbdir={folder}", f"--delay={GREY_SECONDS}",
         "--user=postgrey"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(port)
        yield port
    finally:
        process.terminate()
        process.wait(20)
        shutil.rmtree(folder, ignore_errors=True)


def wait_for(port):
    import socket
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError(f"no program listens on port {port}")


@contextlib.contextmanager
def postfix(mail, auth, grey):
    """Postfix, its public port, its submission port, and its certificate authority."""
    folder = tempfile.mkdtemp(prefix="letsmeet-postfix-")
    os.chmod(folder, 0o755)
    _, ca = authority(folder)
    owner = os.stat(mail)
    ports = free_port(), free_port()
    configuration = os.path.join(folder, "etc")
    for name in ("etc", "queue", "data"):
        os.mkdir(os.path.join(folder, name))
    shutil.chown(os.path.join(folder, "data"), "postfix")
    pathlib.Path(configuration, "main.cf").write_text(
        MAIN.format(folder=folder, mail=mail, auth=auth, uid=owner.st_uid, gid=owner.st_gid),
        encoding="utf-8")
    pathlib.Path(configuration, "master.cf").write_text(
        MASTER.format(plain=ports[0], submission=ports[1], grey=grey), encoding="utf-8")
    log = pathlib.Path(folder, "postfix.log")
    run = lambda verb: subprocess.run(
        ["/usr/sbin/postfix", "-c", configuration, verb], capture_output=True, text=True,
        check=False, timeout=120)
    started = run("start")
    try:
        assert started.returncode == 0, (started.stderr, log.exists() and log.read_text())
        for port in ports:
            wait_for(port)
        yield ports, ca, log
    finally:
        run("stop")
        shutil.rmtree(folder, ignore_errors=True)


def inbox(port, user):
    """The mails of a person, as returned by Dovecot."""
    box = imaplib.IMAP4("127.0.0.1", port)
    box.login(user, PASSWORD)
    box.select("INBOX", readonly=True)
    _, (numbers,) = box.search(None, "ALL")
    mails = [box.fetch(number, "(BODY.PEEK[])")[1][0][1] for number in numbers.split()]
    box.logout()
    return [email.message_from_bytes(octets, policy=email.policy.default) for octets in mails]


def arrived(port, user, count):
    for _ in range(200):
        mails = inbox(port, user)
        if len(mails) >= count:
            return mails
        time.sleep(0.1)
    raise AssertionError(f"{user} has {len(mails)} mails, not {count}")


def just_after(row):
    """A time one second after the next attempt, which the ledger names."""
    due = datetime.datetime.fromisoformat(row["due"].replace("Z", "+00:00"))
    return (due + datetime.timedelta(seconds=1)).isoformat()


def check_greylist(world, imap):
    meeting = world.plan("Grüße aus der Küche", "--remind", "none")["id"]
    world.run("letsmeetd", "once", status=3)
    (row,) = world.rows()
    assert (row["state"], row["attempts"][-1]["outcome"]) == ("planned", "retry"), row
    assert row["attempts"][-1]["code"].startswith("4"), row
    assert "reylist" in row["attempts"][-1]["reply"], row
    time.sleep(GREY_SECONDS + 1)
    world.run("letsmeetd", "once", "--now", just_after(row))
    (row,) = world.rows()
    assert row["state"] == "accepted" and len(row["attempts"]) == 2, row
    (mail,) = arrived(imap, "anna", 1)
    assert mail["Subject"] == "Invitation: Grüße aus der Küche", mail["Subject"]
    assert mail["Message-ID"][1:-1] == row["identity"], mail["Message-ID"]
    return meeting, calendar_of(mail)


def check_submission(world, imap, port, ca):
    world.environment["LETSMEET_SMTP_URL"] = f"smtp://olga@localhost:{port}?tls=starttls&ca={ca}"
    world.environment["LETSMEET_SMTP_PASSWORD"] = "wrong"
    meeting = world.plan("Tea", "--remind", "none", start="2027-03-14T12:00")["id"]
    world.run("letsmeetd", "once", status=3)
    row = [row for row in world.rows() if row["meeting"] == meeting][0]
    assert row["attempts"][-1]["outcome"] == "misconfigured", row
    world.environment["LETSMEET_SMTP_PASSWORD"] = PASSWORD
    world.run("letsmeetd", "once", "--now", just_after(row))
    assert arrived(imap, "anna", 2)[-1]["Subject"] == "Invitation: Tea"


def check_answer(world, meeting, invitation, imap, port, ca):
    """Sends an answer of Anna's program through Postfix to Olga's folder, where letsmeet reads
    it."""
    octets = mailed(answered(invitation, "ACCEPTED", 1), "Anna <anna@example.org>", "quoted")
    with smtplib.SMTP("localhost", port) as client:
        client.starttls(context=ssl.create_default_context(cafile=ca))
        client.login("anna", PASSWORD)
        client.sendmail("anna@example.org", ["olga@example.org"], octets)
    arrived(imap, "olga", 1)
    world.environment["LETSMEET_IMAP_URL"] = f"imap://olga@127.0.0.1:{imap}/INBOX"
    world.environment["LETSMEET_IMAP_PASSWORD"] = PASSWORD
    round_ = world.run("letsmeet", "mail", "fetch", "--json")
    assert [taken["answer"] for taken in round_["taken"]] == ["going"], round_
    assert guest(world, meeting)["answer"] == "going"


def check_signed(world, imap, port, ca):
    """Checks that each guest has their own reply address, and that answers to other addresses are
    ignored."""
    world.environment["LETSMEET_MAIL_REPLIES"] = "olga+*@example.org"
    meeting = world.plan("Supper", "--remind", "none", start="2027-03-15T12:00")["id"]
    world.run("letsmeetd", "once")
    invitation = calendar_of(
        [mail for mail in arrived(imap, "anna", 3) if "Supper" in mail["Subject"]][0])
    (event,) = invitation.walk("VEVENT")
    address = str(event["ORGANIZER"]).removeprefix("mailto:")
    assert address.startswith("olga+") and address.endswith("@example.org"), address
    with smtplib.SMTP("localhost", port) as client:
        client.starttls(context=ssl.create_default_context(cafile=ca))
        client.login("anna", PASSWORD)
        for word, to in (("DECLINED", "olga@example.org"), ("ACCEPTED", address)):
            octets = mailed(
                answered(invitation, word, 1), "Anna <phone@example.org>", "quoted", to=to)
            client.sendmail("anna@example.org", [to], octets)
    arrived(imap, "olga", 3)
    round_ = world.run("letsmeet", "mail", "fetch", "--json")
    assert [taken["answer"] for taken in round_["taken"]] == ["going"], round_
    person = guest(world, meeting)
    assert (person["answer"], person["unsigned"]) == ("going", False), person


def main(letsmeet, letsmeetd):
    with postgrey() as grey, dovecot() as ((imap, _), _), \
            postfix(dovecot.mail, dovecot.auth, grey) as (ports, ca, log), World(
                letsmeet, letsmeetd,
                LETSMEET_SMTP_URL=f"smtp://127.0.0.1:{ports[0]}") as world:
        try:
            world.run(
                "letsmeet", "people", "add", "Anna", "--email", "anna@example.org", "--json")
            meeting, invitation = check_greylist(world, imap)
            check_submission(world, imap, ports[1], ca)
            check_answer(world, meeting, invitation, imap, ports[1], ca)
            check_signed(world, imap, ports[1], ca)
            world.run("letsmeet", "ledger", "verify")
        except BaseException:
            print(log.read_text(encoding="utf-8") if log.exists() else "no log", file=sys.stderr)
            raise
    print("seen: Postfix behind postgrey, TLS and a login; a Dovecot folder; answers")


main(*sys.argv[1:])
