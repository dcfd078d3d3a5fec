"""Watches the event streams of open pages, directly, through nginx, and in two browsers.

python judge_live.py LETSMEET LETSMEETD: a change by the command line comes within 300 ms, and
within a second through nginx, which buffers answers by default. Streams resume, and those that are
too many get a clear answer. In Chromium, a page shows what another browser changed, and keeps the
focus and the typed text."""

import contextlib
import re
import socket
import sys
import threading
import time

from browsers import Chromium, browser
from judge_proxy import NAME, front, lines_of_guide
from site_client import Site, expect, until

STREAMS_MAX, STREAMS_EACH_MAX = 256, 4
# For a change on loopback, and through a proxy.
SECONDS_MAX, SECONDS_MAX_PROXY = 0.3, 1.0


class Stream:
    """An event stream, which a thread reads."""

    all = []

    def __init__(self, client, path="/events", last=None):
        Stream.all.append(self)
        self.text, self.times, self.is_open = "", [], True
        self.link = socket.create_connection(("127.0.0.1", client.port), timeout=60)
        cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        resumed = f"Last-Event-ID: {last}\r\n" if last else ""
        self.link.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {client.host}\r\nAccept: text/event-stream\r\n"
            f"Cookie: {cookies}\r\n{resumed}\r\n".encode())
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        with contextlib.suppress(OSError):
            while chunk := self.link.recv(65536):
                now = time.monotonic()
                self.text += chunk.decode()
                self.times += [now] * chunk.count(b"data: ")
        self.is_open = False

    @property
    def events(self):
        """The events so far: kind, and data."""
        return re.findall(r"event: (\w+)\r?\n(?:\w+\r?\n)?data: (.*?)\r?\n", self.text)

    @property
    def mark(self):
        """The last id that came."""
        return re.findall(r"(?m)^id: (\S+)", self.text)[-1]

    def ready(self):
        """Waits for the first event."""
        until(lambda: self.events or not self.is_open, "the first event of a stream")
        return self

    def close(self):
        with contextlib.suppress(OSError):
            self.link.shutdown(socket.SHUT_RDWR)
        self.link.close()


def heard(stream, act, *topics):
    """The seconds from the end of a command to the event that names one of the topics."""
    count = len(stream.events)
    act()
    done = time.monotonic()

    def found():
        for place, (kind, data) in list(enumerate(stream.events))[count:]:
            if kind == "change" and set(data.split()) & {*topics, "*"}:
                return [stream.times[place] - done]
        return None

    return max(0.0, until(found, f"an event about {topics}, in {stream.text!r}", 10)[0])


# ---- The time until an event

def changes_come_at_once(site):
    """What the command line changes is told within 300 ms, each kind of change."""
    stream = Stream(site.browser("olga")).ready()
    meeting = site.plan("Games", start="2027-03-14T12:00")["id"]
    waits = {}
    for name, topic, arguments in [
        ("a meeting", f"m/{meeting}", ["meeting", "edit", meeting, "--title", "Chess"]),
        ("an answer", f"m/{meeting}",
         ["rsvp", meeting, "yes", "--who", "anna@example.org"]),
        ("a person", "people", ["people", "add", "Cleo Cedar", "--email", "cleo@example.org"]),
        ("a circle", "circles", ["circle", "new", "Choir", "cleo@example.org"]),
        ("a place", "places", ["place", "add", "My kitchen", "--near", "60.17,24.94"]),
        ("a feed", "feeds", ["calendar", "feed", "new"]),
    ]:
        # Streams look at the database at most every 50 ms.
        time.sleep(0.1)
        waits[name] = heard(stream, lambda: site.run("letsmeet", *arguments, "--json"), topic)
    late = {name: wait for name, wait in waits.items() if wait > SECONDS_MAX}
    expect(late, ({},), "changes that were told late, in seconds")
    print("seen: " + ", ".join(f"{name} after {wait * 1000:.0f} ms"
                               for name, wait in waits.items()))


def nobody_hears_of_others(site):
    """A change that an account may not see wakes none of its streams."""
    site.add_account("Ben Birch", "ben@example.org")
    ben, olga = [Stream(site.browser(who)).ready() for who in ("ben@example.org", "olga")]
    meeting = site.plan("Secret", start="2027-03-15T12:00")["id"]
    until(lambda: f"m/{meeting}" in olga.text, "the event for the organizer")
    heard(olga, lambda: site.run("letsmeet", "circle", "new", "Band", "cleo@example.org", "--json"),
          "circles")
    time.sleep(0.3)
    told = [data for kind, data in ben.events if kind == "change"]
    expect([data for data in told if data != "me"], ([],), "what somebody else heard")


def streams_resume(site):
    """A browser that was away hears of what it missed, and of nothing else."""
    client = site.browser("olga")
    first = Stream(client).ready()
    mark = first.mark
    first.close()
    meeting = site.plan("Missed", start="2027-03-16T12:00")["id"]
    again = Stream(client, last=mark).ready()
    expect(again.events[0][0], "change", "the first event after a change")
    assert {f"m/{meeting}", "*"} & set(again.events[0][1].split()), again.text
    again.close()
    marks = [again.mark]

    def hears_nothing():
        stream = Stream(client, last=marks[-1]).ready()
        stream.close()
        marks.append(stream.mark)
        return stream.events[0][0] == "ready"

    # The deliveries of earlier checks may still be changing.
    until(hears_nothing, "a stream that begins without a change")


def too_many_are_refused(site):
    """The fifth stream of an account ends its first; the 257th gets 204, and pages go on."""
    client = site.browser("olga")
    own = [Stream(client).ready() for _ in range(STREAMS_EACH_MAX + 1)]
    until(lambda: ("bye", "-") in own[0].events and not own[0].is_open, "the end of the first")
    assert all(stream.is_open for stream in own[1:]), "another stream has ended, too"
    others = []
    for number in range((STREAMS_MAX - STREAMS_EACH_MAX) // STREAMS_EACH_MAX):
        address = f"guest{number}@example.org"
        site.add_account(f"Guest {number}", address)
        guest = site.browser(address)
        others += [Stream(guest).ready() for _ in range(STREAMS_EACH_MAX)]
    last = site.add_account("Last", "last@example.org") and site.browser("last@example.org")
    expect(last.get("/events").status, 204, "the 257th stream")
    expect(last.get("/").status, 200, "a page beside 256 streams")
    assert all(stream.is_open for stream in own[1:] + others), "a stream has ended"
    own[1].close()
    until(lambda: "event: ready" in Stream(last).ready().text, "a stream in place of another")


def sessions_end(site):
    """A session that the command line ends loses its stream."""
    stream = Stream(site.browser("olga")).ready()
    site.run("letsmeet", "account", "sign-out", "olga", "--json")
    until(lambda: not stream.is_open, "the end of the stream of a session that has ended")


# ---- Through nginx

def proxies_pass_events_on(programs):
    """nginx with the lines of the guide, which buffers by default, hands each event on."""
    with front(programs, "/meet", lines_of_guide()) as world:
        client, _ = world.signed_in()
        stream = Stream(client, "/meet/events").ready()
        assert "200 OK" in stream.text, stream.text
        meeting = world.site.plan("Games")["id"]
        wait = heard(stream, lambda: world.site.run(
            "letsmeet", "meeting", "edit", meeting, "--title", "Chess", "--json"), f"m/{meeting}")
        assert wait < SECONDS_MAX_PROXY, f"through nginx, the event came after {wait:.3f} s"
        # Longer than the pause between two signs of life.
        time.sleep(45)
        assert stream.is_open and "\n:\n" in stream.text.replace("\r", ""), stream.text
        print(f"seen: {wait * 1000:.0f} ms through nginx at {NAME}")


# ---- In browsers

class Page:
    """A browser in which Olga is signed in."""

    def __init__(self, opened, site):
        self.driver, self.site = opened.driver, site
        link = site.run("letsmeet", "open", "--for", "olga", "--json")["url"]
        self.driver.get(link)
        self.driver.execute_script("document.querySelector('form button').click()")
        until(lambda: "/enter" not in self.driver.current_url, "the sign-in")

    def open(self, path):
        self.driver.get(self.site.root + path)
        # A mark that a reload would remove.
        self.script("window.judged = true")

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    @property
    def text(self):
        return self.script("return document.getElementById('main').innerText")


def pages_follow_each_other(site):
    """A change in one browser shows in another one, without a reload."""
    meeting = site.plan("Breakfast", start="2027-03-17T12:00")["id"]
    with browser(Chromium) as first, browser(Chromium) as second:
        here, there = Page(first, site), Page(second, site)
        here.open("/meetings")
        until(lambda: "Breakfast" in here.text, "the list")
        type_into_search(here)
        there.open(f"/m/{meeting}/edit")
        there.script("document.querySelector('[name=title]').value = 'Brunch'")
        for step in ("preview", "save"):
            until(lambda: there.script(
                "const b = document.querySelector('button[value=' + arguments[0] + ']');"
                "b?.click(); return !!b", step), f"the button {step}")
        until(lambda: "Brunch" in site.rows_of(
            "SELECT title FROM meeting WHERE id = ?", meeting)[0][0], "the change")
        began = time.monotonic()
        until(lambda: "Brunch" in here.text, "the change in the other browser", 10)
        print(f"seen: {(time.monotonic() - began) * 1000:.0f} ms to another browser")
        kept = here.script("return [window.judged, document.activeElement.id,"
                           " document.activeElement.value]")
        expect(kept, ([True, "q", "ru"],), "reload, focus and typed text of the page")
        assert not first.complaints(site.root), "the console complains"


def type_into_search(page):
    """Leaves a text in the search field, without its list following."""
    page.script("const f = document.getElementById('q'); f.focus(); f.value = 'ru';")


def announcements_are_folded(site):
    """Ten changes in a row are announced at most twice within ten seconds."""
    with browser(Chromium) as opened:
        page = Page(opened, site)
        page.open("/meetings")
        page.script("""window.said = [];
            new MutationObserver(() => {
              const text = document.getElementById('say').textContent;
              if (text) window.said.push(text);
            }).observe(document.getElementById('say'), { childList: true });""")
        for number in range(10):
            site.plan(f"Round {number}", start=f"2027-04-{number + 10}T12:00")
        until(lambda: "Round 9" in page.text, "the last meeting", 10)
        said = page.script("return window.said")
        assert 1 <= len(said) <= 2, f"announced: {said}"
        expect(page.script("return document.querySelectorAll('[role=status][id=say]').length"), 1,
               "live regions for news")


def go(*programs):
    failures = []

    def check(act, *arguments):
        try:
            act(*arguments)
        except AssertionError as error:
            failures.append(f"{act.__name__}: {error}")
        finally:
            while Stream.all:
                Stream.all.pop().close()

    with Site(*programs) as site:
        for act in [changes_come_at_once, nobody_hears_of_others, streams_resume, sessions_end,
                    pages_follow_each_other, announcements_are_folded, too_many_are_refused]:
            check(act, site)
    check(proxies_pass_events_on, programs)
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(go(*sys.argv[1:]))
