"""An installation of letsmeet for the judges: a home folder, its daemon, and a signed-in client.

No setting of the person who runs the judge reaches the programs."""

import contextlib
import glob
import html.parser
import http.cookiejar
import json
import os
import pathlib
import re
import subprocess
import threading
import urllib.error
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Home:
    """A home folder, and the programs that use it."""

    def __init__(self, folder, letsmeet, letsmeetd, clock=None):
        """The clock of the programs starts at the given time in Helsinki, if there is one."""
        self.letsmeet, self.letsmeetd = letsmeet, letsmeetd
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith("LETSMEET_")}
        self.environment |= {
            "LETSMEET_HOME": str(folder), "LETSMEET_LISTEN": "127.0.0.1:0",
            "TZ": "Europe/Helsinki"}
        if clock:
            (library,) = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")
            self.environment |= {
                "LD_PRELOAD": library, "FAKETIME": f"@{clock}", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}

    def attempt(self, *arguments):
        return subprocess.run(
            [self.letsmeet, *arguments, "--json"], env=self.environment, capture_output=True,
            text=True, timeout=60)

    def run(self, *arguments):
        done = self.attempt(*arguments)
        assert done.returncode == 0, (arguments, done.stdout, done.stderr)
        return json.loads(done.stdout)

    def meet(self, title, start, *arguments):
        """Plans a meeting, and returns its id."""
        made = self.run("meeting", "new", "--title", title, "--start", start, "--yes", *arguments)
        return made["meeting"]["id"]


@contextlib.contextmanager
def daemon(home):
    """Runs letsmeetd, and hands over the link that it prints. It must log no error."""
    process = subprocess.Popen(
        [home.letsmeetd, "run"], env=home.environment, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True)
    errors = []
    try:
        link = first_link(process)
        threading.Thread(target=lambda: errors.extend(
            line for line in process.stderr if "level=error" in line), daemon=True).start()
        yield link
    finally:
        process.terminate()
        process.wait(timeout=30)
    assert not errors, f"letsmeetd logged errors: {errors}"


def first_link(process):
    lines = []
    for line in process.stderr:
        lines.append(line)
        if found := re.search(r"^Open (\S+) to sign in", line):
            return found.group(1)
    raise AssertionError(f"letsmeetd printed no link to sign in, but: {lines}")


class Answer:
    """An answer over HTTP."""

    def __init__(self, response):
        self.status, self.url, self.type = (
            response.status, response.url, response.headers.get_content_type())
        self.octets = response.read()

    @property
    def text(self):
        return self.octets.decode()


class Client:
    """A browser without scripts: it keeps cookies, follows redirects and fills forms in."""

    def __init__(self, root):
        self.root = root
        self.opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def get(self, path, language="en"):
        return self.open(urllib.request.Request(
            urllib.parse.urljoin(self.root, path),
            headers={"Accept": "text/html", "Accept-Language": language}))

    def post(self, path, fields, language="en", site="same-origin"):
        return self.open(urllib.request.Request(
            urllib.parse.urljoin(self.root, path), urllib.parse.urlencode(fields, True).encode(),
            headers={"Accept": "text/html", "Accept-Language": language, "Origin": self.root,
                     "Sec-Fetch-Site": site}))

    def open(self, request):
        try:
            with self.opener.open(request, timeout=30) as response:
                return Answer(response)
        except urllib.error.HTTPError as error:
            with error:
                return Answer(error)

    def enter(self, link):
        """Signs in with a link that the daemon or `letsmeet open` printed."""
        answer = self.post("/enter", {"token": link.split("#")[1]})
        assert answer.status == 200, (answer.status, answer.text)

    def submit(self, path, fields, language="en", action=None):
        """Opens a page, changes some fields of its form, and sends it. The action is the path to
        which the form is sent, if it differs from the path of the page."""
        page = self.get(path)
        wanted = urllib.parse.urljoin(page.url, action or path).split("?")[0]
        for form in Forms(page.text).found:
            target = urllib.parse.urljoin(page.url, form["action"])
            if target.split("?")[0] == wanted:
                return self.post(target, form["fields"] | fields, language)
        raise AssertionError(f"{page.url} has no form that is sent to {wanted}")


class Forms(html.parser.HTMLParser):
    """The forms of a page, with the values that a browser would send."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.area = self.choice = None
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag == "form":
            self.found.append({"action": values.get("action", ""), "fields": {}})
        elif not self.found:
            return
        elif tag == "option":
            if "selected" in values or self.choice not in self.fields:
                self.fields[self.choice] = values.get("value", "")
        elif "name" in values:
            self.start_field(tag, values["name"], values)

    def start_field(self, tag, name, values):
        is_pressed = values.get("type") not in ("radio", "checkbox") or "checked" in values
        if tag == "input" and is_pressed:
            self.fields[name] = values.get("value") or ""
        elif tag == "textarea":
            self.area, self.fields[name] = name, ""
        elif tag == "select":
            self.choice = name

    def handle_data(self, data):
        if self.area:
            self.fields[self.area] += data

    def handle_endtag(self, tag):
        if tag == "textarea":
            self.area = None

    @property
    def fields(self):
        return self.found[-1]["fields"]


def root_of(link):
    return re.match(r"https?://[^/]+", link).group(0)
