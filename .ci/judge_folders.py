"""Checks with Dovecot and Python's own readers how letsmeet reads mail folders.

python judge_folders.py LETSMEET LETSMEETD: Dovecot provides the folder, with TLS and a password,
and in plain text. Python's imaplib puts answers there, among unrelated mail, and checks what was
changed. The daemon reads the answers, and those of a Maildir, which Python's mailbox reads
afterwards."""

import contextlib
import email
import email.policy
import imaplib
import mailbox
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from judge_answers import answered, guest, mailed
from judge_mail import World, authority, calendar_of, free_port, server

CONFIGURATION = """
protocols = imap
base_dir = {folder}/run
state_dir = {folder}/run
log_path = {folder}/log
ssl = yes
ssl_cert = <{folder}/certificate.pem
ssl_key = <{folder}/key.pem
disable_plaintext_auth = no
auth_mechanisms = {mechanisms}
mail_location = maildir:{folder}/mail/%u
first_valid_uid = 1
default_login_user = {low}
default_internal_user = {low}
default_internal_group = {group}
passdb {{
  driver = static
  args = password=s3cret!word
}}
userdb {{
  driver = static
  args = uid={user} gid={user_group} home={folder}/mail/%u
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    address = 127.0.0.1
    port = {plain}
  }}
  inet_listener imaps {{
    address = 127.0.0.1
    port = {secure}
  }}
}}
service anvil {{
  chroot =
}}
service auth {{
  unix_listener {folder}/auth {{
    mode = 0666
  }}
}}
"""
PASSWORD = 's3cret!word'


@contextlib.contextmanager
def dovecot(mechanisms="plain login"):
    """Dovecot, the ports on which it listens, and the file of its certificate authority."""
    folder = tempfile.mkdtemp(prefix="letsmeet-dovecot-")
    is_root = os.geteuid() == 0
    me = pwd.getpwuid(os.geteuid()).pw_name
    for name in ("run", "mail"):
        os.mkdir(os.path.join(folder, name))
    os.chmod(folder, 0o755)
    if is_root:
        shutil.chown(os.path.join(folder, "mail"), "mail", "mail")
    _, ca = authority(folder)
    ports = free_port(), free_port()
    path = os.path.join(folder, "dovecot.conf")
    with open(path, "w", encoding="utf-8") as file:
        file.write(CONFIGURATION.format(
            folder=folder, plain=ports[0], secure=ports[1], mechanisms=mechanisms,
            low="nobody" if is_root else me, group="nogroup" if is_root else me,
            user="mail" if is_root else me, user_group="mail" if is_root else me))
    program = shutil.which("dovecot") or "/usr/sbin/dovecot"
    process = subprocess.Popen([program, "-F", "-c", path])
    try:
        for _ in range(200):
            with contextlib.suppress(OSError):
                imaplib.IMAP4("127.0.0.1", ports[0]).logout()
                break
            time.sleep(0.05)
        else:
            raise AssertionError(pathlib.Path(folder, "log").read_text(encoding="utf-8"))
        # For programs that deliver mail there, and for those that check logins.
        dovecot.mail, dovecot.auth = os.path.join(folder, "mail"), os.path.join(folder, "auth")
        yield ports, ca
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(20)
        shutil.rmtree(folder, ignore_errors=True)


class Box:
    """The folder as another program sees it."""

    def __init__(self, port, user="olga"):
        self.imap = imaplib.IMAP4("127.0.0.1", port)
        self.imap.login(user, PASSWORD)
        self.imap.select("INBOX")

    def put(self, octets):
        status, answer = self.imap.append("INBOX", None, None, octets)
        assert status == "OK", answer
        return int(answer[0].split()[2].rstrip(b"]"))

    def flags(self):
        self.imap.noop()
        _, rows = self.imap.uid("FETCH", "1:*", "(UID FLAGS)")
        return {
            int(row.split(b"UID ")[1].split()[0].rstrip(b")")): set(imaplib.ParseFlags(row))
            for row in rows if row and b"UID " in row
        }

    def read(self, number):
        _, rows = self.imap.uid("FETCH", str(number), "(BODY.PEEK[])")
        return rows[0][1]


def fetch(world, status=0):
    return world.run("letsmeet", "mail", "fetch", "--json", status=status)


def check_folder(world, box, invitation, meeting):
    others = [
        b"From: a@example.org\r\nSubject: Hello\r\n\r\nNothing of yours.\r\n",
        b"Subject: \r\n\r\n", b"x" * 5000 + b"\r\n",
        b"From: a@example.org\r\nContent-Type: text/calendar\r\n\r\nBEGIN:VCALENDAR\r\n",
    ]
    numbers = [box.put(octets) for octets in others]
    contents = [box.read(number) for number in numbers]
    answer = box.put(
        mailed(answered(invitation, "ACCEPTED", 1), "Anna <anna@example.org>", "quoted"))
    round_ = fetch(world)
    assert round_["looked"] == 5 and len(round_["taken"]) == 1, round_
    assert guest(world, meeting)["answer"] == "going"
    flags = box.flags()
    assert b"\\Seen" in flags[answer], flags
    assert all(b"\\Seen" not in flags[number] for number in numbers), flags
    assert [box.read(number) for number in numbers] == contents
    assert fetch(world)["looked"] == 0, "a mail was looked at twice"
    # Mail that was there before is not counted again, even if it is marked as unread.
    box.imap.uid("STORE", str(answer), "-FLAGS", "(\\Seen)")
    assert fetch(world)["looked"] == 0
    many = [box.put(others[0]) for _ in range(40)]
    last = box.put(
        mailed(answered(invitation, "DECLINED", 2), "Anna <anna@example.org>", "attached"))
    huge = box.put(b"Subject: large\r\n\r\n" + b"y" * (11 << 20))
    round_ = fetch(world)
    assert round_["looked"] == len(many) + 2 and len(round_["taken"]) == 1, round_
    assert guest(world, meeting)["answer"] == "declined"
    flags = box.flags()
    assert b"\\Seen" in flags[last] and b"\\Seen" not in flags[huge], flags


def check_daemon(world, box, invitation, meeting, maildir):
    """Checks that the daemon reads the server and the files without being asked."""
    daemon = subprocess.Popen(
        [world.programs["letsmeetd"], "run"], env=world.environment, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    try:
        for word, answer, put in [
                ("ACCEPTED", "going", box.put),
                ("TENTATIVE", "maybe", lambda octets: maildir.add(octets))]:
            minute = 10 + len(word)
            put(mailed(answered(invitation, word, minute), "Anna <anna@example.org>", "8bit"))
            for _ in range(700):
                if guest(world, meeting)["answer"] == answer:
                    break
                time.sleep(0.1)
            assert guest(world, meeting)["answer"] == answer, (word, guest(world, meeting))
    finally:
        daemon.terminate()
        daemon.wait(30)
    assert [mail.get_flags() for mail in maildir if mail.get_subdir() == "cur"] == ["S"]


def check_refusals(world, ports, ca):
    for url in (
            f"imap://olga@127.0.0.1:{ports[0]}/Nowhere", f"imap://127.0.0.1:{ports[0]}/INBOX",
            f"imaps://olga@localhost:{ports[1]}/INBOX", f"imap://olga@127.0.0.1:{free_port()}"):
        world.environment["LETSMEET_IMAP_URL"] = url
        message = " ".join(fetch(world, status=3)["problems"])
        assert PASSWORD not in message, message
    world.environment["LETSMEET_IMAP_URL"] = f"imap://olga@localhost:{ports[0]}/?tls=starttls&ca={ca}"
    round_ = fetch(world)
    assert round_["looked"] > 0 and round_["taken"] == [], "an old mail is counted again"


def main(letsmeet, letsmeetd):
    with server() as (inbox, port), dovecot() as (ports, ca), World(
            letsmeet, letsmeetd, LETSMEET_SMTP_URL=f"smtp://127.0.0.1:{port}",
            LETSMEET_IMAP_URL=f"imaps://olga@localhost:{ports[1]}/INBOX?ca={ca}",
            LETSMEET_IMAP_PASSWORD=PASSWORD, LETSMEET_LISTEN="none") as world:
        box = Box(ports[0])
        world.run(
            "letsmeet", "people", "add", "Anna", "--email", "anna@example.org", "--json")
        meeting = world.plan("Lunch", "--remind", "none")["id"]
        world.run("letsmeetd", "once")
        invitation = calendar_of(
            email.message_from_bytes(inbox.mails[0][0].content, policy=email.policy.default))
        check_folder(world, box, invitation, meeting)
        files = os.path.join(world.environment["LETSMEET_HOME"], "Maildir")
        maildir = mailbox.Maildir(files, create=True)
        maildir.add(b"From: a@example.org\r\nSubject: Hello\r\n\r\nNothing of yours.\r\n")
        world.environment["LETSMEET_MAILDIR"] = files
        check_daemon(world, box, invitation, meeting, maildir)
        del world.environment["LETSMEET_MAILDIR"]
        check_refusals(world, ports, ca)
        world.run("letsmeet", "ledger", "verify")
    print("seen: a Dovecot folder and a Maildir, each read once; 5 that cannot be read")


if __name__ == "__main__":
    main(*sys.argv[1:])
