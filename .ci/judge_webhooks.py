"""Checks the webhooks of letsmeet with an independent verifier.

python judge_webhooks.py LETSMEET LETSMEETD: PyPI's standardwebhooks verifies the requests that
Python's http.server receives: for meetings with hostile titles, while secrets are rotated, and
while the receiver fails, redirects, asks for a delay, and refuses further requests."""

import datetime
import http.server
import json
import sys
import threading

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from judge_mail import HOSTILE, World

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
TYPES = {
    "invitation": "invitation.sent", "change": "meeting.changed",
    "cancellation": "meeting.cancelled", "answer": "answer.received", "message": "message.sent",
}


class Receiver:
    """A receiver that records requests and answers as configured."""

    def __init__(self):
        self.requests = []
        self.answer = (200, {})
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.requests.append((self.path, dict(self.headers.items()), body))
                status, headers = outer.answer
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def take(self):
        taken, self.requests = self.requests, []
        return taken


def verified(request, secret=SECRET):
    """The content of a request, after the library has verified its signature and time."""
    _, headers, body = request
    names = [name for name in headers if name.lower().startswith("webhook-")]
    assert len(names) == 3, names
    return Webhook(secret).verify(body.decode(), {n.lower(): headers[n] for n in names})


def is_true(request, secret):
    try:
        verified(request, secret)
        return True
    except WebhookVerificationError:
        return False


def check_hostile(world, receiver):
    for number, text in enumerate(HOSTILE):
        # Text that a title may not contain goes into the note.
        is_line = not any(mark in text for mark in "\n\t\u2028")
        meeting = world.plan(
            text if is_line else f"Lunch {number}", "--remind", "none", "--note", text)
        world.run("letsmeet", "rsvp", meeting["id"], "yes", "--who", "anna@example.org", "--json")
        world.run(
            "letsmeet", "meeting", "move", meeting["id"], "2027-03-14 12:00", "--yes", "--json")
        world.run("letsmeetd", "once")
        said = [verified(request) for request in receiver.take()]
        kinds = sorted(event["data"]["kind"] for event in said)
        assert kinds == ["answer", "invitation"], (text, kinds)
        world.run("letsmeet", "meeting", "cancel", meeting["id"], "--yes", "--json")
        world.run("letsmeetd", "once")
        said += [verified(request) for request in receiver.take()]
        for event in said:
            data = event["data"]
            assert event["type"] == TYPES[data["kind"]], event
            assert data["title"] == meeting["title"] and data["meeting"] == meeting["id"], event
            assert data["audience"] == "installation" and "to" not in data, event
            assert "anna@" not in json.dumps(event), event
    rows = [row for row in world.run("letsmeet", "ledger", "list", "--json")["deliveries"]]
    keys = [(row["meeting"], row["kind"], row["mark"]) for row in rows]
    assert len(keys) == len(set(keys)), "two deliveries of one notification"
    return len(HOSTILE)


def check_rotation(world, receiver):
    added = world.run(
        "letsmeet", "sink", "add", "webhook", "--url", receiver.url + "/own", "--json")
    name, old = added["channel"]["name"], added["secret"]
    new = world.run("letsmeet", "sink", "rotate", name, "--json")["secret"]
    world.plan("Rotation", "--remind", "none")
    world.run("letsmeetd", "once")
    own = [request for request in receiver.take() if request[0] == "/own"]
    assert len(own) == 1 and is_true(own[0], old) and is_true(own[0], new)
    assert not is_true(own[0], SECRET)
    shown = world.run("letsmeet", "sink", "list", "--json")
    assert old not in json.dumps(shown) and new not in json.dumps(shown)
    world.run("letsmeet", "sink", "remove", name, "--json")


def check_trouble(world, receiver):
    receiver.answer = (302, {"Location": receiver.url + "/elsewhere"})
    world.plan("Trouble", "--remind", "none")
    world.run("letsmeetd", "once", status=3)
    first = receiver.take()
    assert [path for path, _, _ in first] == ["/hook"], first
    receiver.answer = (503, {"Retry-After": "100"})
    row = next(r for r in world.rows() if r["state"] == "planned")
    world.run("letsmeet", "ledger", "show", row["key"])
    later = at(row["due"]) + datetime.timedelta(seconds=1)
    world.run("letsmeetd", "once", "--now", stamp(later), status=3)
    second = receiver.take()
    wait = (at(next(r for r in world.rows() if r["state"] == "planned")["due"]) - later)
    assert 100 <= wait.total_seconds() <= 200, wait
    ids = {headers["webhook-id"] for _, headers, _ in first + second}
    assert len(ids) == 1, ids
    receiver.answer = (410, {})
    world.run("letsmeetd", "once", "--now", stamp(later + datetime.timedelta(hours=1)), status=3)
    assert len(receiver.take()) == 1
    (hook,) = [s for s in world.run("letsmeet", "sink", "list", "--json")["sinks"]]
    assert hook["closed"], hook
    world.plan("After the end", "--remind", "none")
    world.run("letsmeetd", "once", status=3)
    assert receiver.take() == [], "a request was sent to a closed receiver"
    receiver.answer = (200, {})
    assert world.run("letsmeet", "sink", "test", "webhook", "--json")["outcome"] == "accepted"
    assert verified(receiver.take()[0])["type"] == "message.sent"


def at(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def stamp(moment):
    return moment.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def main(letsmeet, letsmeetd):
    receiver = Receiver()
    with World(
            letsmeet, letsmeetd, LETSMEET_WEBHOOK_URL=receiver.url + "/hook",
            LETSMEET_WEBHOOK_SECRET=SECRET, LETSMEET_WEBHOOK_ALLOW="127.0.0.0/8") as world:
        count = check_hostile(world, receiver)
        check_rotation(world, receiver)
        check_trouble(world, receiver)
        world.run("letsmeet", "ledger", "verify")
    print(f"{count} hostile texts, a rotation and a failing receiver verified")


main(*sys.argv[1:])
