"""Puts nginx in front of the pages, with the lines of docs/operating.md.

python judge_proxy.py LETSMEET LETSMEETD: Debian's nginx passes a path on, removes it, encrypts,
and hands on the guest pages alone. Through it, people sign in, set up, plan, answer, and read
feeds. Only names of files and addresses in the lines are replaced."""

import contextlib
import gzip
import json
import os
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import urllib.parse

from judge_mail import free_port, server
from site_client import Browser, Site, expect, until

NGINX = "/usr/sbin/nginx"
GUIDE = pathlib.Path(__file__).parent.parent / "docs/operating.md"
NAME = "meet.example.org"
PLAIN = {"Accept": "text/html"}


def lines_of_guide():
    """The lines of the guide for the http block, for guests alone, and for everybody."""
    blocks = re.findall(r"(?ms)^```\n(# In .*?)^```", GUIDE.read_text(encoding="utf-8"))
    found = [
        [block for block in blocks if block.startswith("# In the http block")],
        [block for block in blocks if "for guests alone" in block.split("\n")[0]],
        [block for block in blocks if "for people who sign in" in block.split("\n")[0]],
    ]
    expect([len(each) for each in found], ([1, 1, 1],), "blocks for nginx in docs/operating.md")
    return [each[0] for each in found]


def configuration(folder, port, backend, http, locations, tls):
    """A whole configuration around these lines, for a user who is not root."""
    lines = (http + "server {\n" + f"listen 127.0.0.1:{port}{' ssl' if tls else ''};\n"
             + (f"ssl_certificate {folder}/cert.pem;\nssl_certificate_key {folder}/key.pem;\n"
                if tls else "") + f"server_name {NAME};\n" + locations + "}\n")
    lines = lines.replace("127.0.0.1:8420", f"127.0.0.1:{backend}")
    lines = lines.replace("/var/log/nginx/letsmeet.log", f"{folder}/letsmeet.log")
    places = "".join(
        f"{name}_temp_path {folder}/{name};\n"
        for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
    return (f"daemon off;\nmaster_process off;\npid {folder}/pid;\n"
            f"events {{}}\nhttp {{\naccess_log {folder}/access.log;\n{places}{lines}}}\n")


@contextlib.contextmanager
def nginx(backend, port, http, locations, tls=False):
    """nginx on a port, in front of a daemon. Yields its folder."""
    with tempfile.TemporaryDirectory() as folder:
        if tls:
            subprocess.run(
                ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                 "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
                 "-keyout", f"{folder}/key.pem", "-out", f"{folder}/cert.pem"],
                check=True, capture_output=True)
        path = f"{folder}/nginx.conf"
        with open(path, "w", encoding="utf-8") as file:
            file.write(configuration(folder, port, backend, http, locations, tls))
        process = subprocess.Popen(
            [NGINX, "-p", folder, "-c", path, "-e", f"{folder}/error.log"],
            stderr=subprocess.PIPE, text=True)
        try:
            until(lambda: is_open(port) or process.poll() is not None, "nginx to listen")
            assert process.poll() is None, f"nginx ended: {process.stderr.read()}"
            yield folder
        finally:
            process.terminate()
            process.wait(timeout=30)


def is_open(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5):
        return True
    return False


class Front:
    """A daemon behind nginx, under a public address."""

    def __init__(self, site, box, port, scheme, path, folder, tls=None):
        self.site, self.box, self.port, self.path = site, box, port, path
        self.host, self.folder, self.tls = f"{NAME}:{port}", folder, tls
        self.root = f"{scheme}://{self.host}{path}"
        self.clients = 1
        self.secrets = []

    def browser(self):
        """A browser at an address of its own, because nginx limits the rate of each address."""
        self.clients += 1
        return Browser(self.port, self.host, f"127.0.0.{self.clients}", self.tls)

    def signed_in(self, who="olga"):
        browser = self.browser()
        link = self.site.run("letsmeet", "open", "--for", who, "--json")["url"]
        expect(link.split("#")[0], f"{self.root}/enter", "the address that letsmeet open prints")
        self.secrets.append(link.split("#")[1])
        answer = browser.post(self.path + "/enter", token=link.split("#")[1])
        expect(answer.status, 303, "the sign-in through the proxy")
        return browser, answer


@contextlib.contextmanager
def front(programs, path, blocks, scheme="http", change=lambda lines: lines, is_guests_only=False):
    """A daemon behind nginx with the lines of the guide, under this path."""
    http, guests, everybody = blocks
    port = free_port()
    with server() as (box, mail), Site(
        *programs, LETSMEET_SMTP_URL=f"smtp://127.0.0.1:{mail}",
        LETSMEET_BASE_URL=f"{scheme}://{NAME}:{port}{path}", LETSMEET_TRUSTED_PROXY="127.0.0.1",
    ) as site:
        lines = change(guests if is_guests_only else everybody.replace("/meet/", path + "/"))
        with nginx(site.port, port, http, lines, tls=scheme == "https") as folder:
            tls = ssl.create_default_context(cafile=f"{folder}/cert.pem") if (
                scheme == "https") else None
            yield Front(site, box, port, scheme, path, folder, tls)


# ---- The way of a person

def people_use_everything(front):
    """A person signs in, sets up, plans and reads the feed, all below the path."""
    browser, entered = front.signed_in()
    check_cookies(front, entered)
    expect(entered.field("location"), front.path + "/welcome", "the page after the first sign-in")
    answer = browser.post(
        front.path + "/welcome", name="Olga Owner", address="olga@example.org",
        zone="Europe/Helsinki", city="Helsinki")
    expect(answer.field("location"), front.path + "/new?saved=welcome", "after the set-up")
    planned = plan(front, browser)
    links_stay_below_the_path(front, browser, planned)
    files_come(front, browser)
    guest_answers(front, planned)
    feed_is_read(front)
    unknown_pages_are_pages(front, browser)
    uploads_pass(front)
    signed_out(front, browser)


def check_cookies(front, answer):
    """The cookies belong to the path, and to encrypted connections where there are such."""
    assert answer.cookies(), "no cookie is set"
    for name, rest in answer.cookies().items():
        assert f"Path={front.path}" in rest.split("; "), f"the cookie {name} has {rest[33:]}"
        is_secure = "Secure" in rest.split("; ")
        expect(is_secure, front.root.startswith("https"), f"Secure of the cookie {name}")


def plan(front, browser):
    """Plans a meeting, and returns the path of its page."""
    form = {"title": "Games", "with": "anna@example.org", "date": "2027-03-13", "time": "12:00",
            "duration": "1h", "do": "create", "key": "proxy-key"}
    answer = browser.post(front.path + "/new", **form)
    expect(answer.status, 303, "planning a meeting")
    place = answer.field("location")
    assert place.startswith(front.path + "/m/"), f"the meeting is at {place}"
    expect(browser.get(place).status, 200, "the page of the meeting")
    return place.split("?")[0]


def links_stay_below_the_path(front, browser, planned):
    """Every link, form and file of the pages is below the path, and reachable."""
    for page in ["/", "/meetings", "/new", "/people", "/places", "/me", planned[len(front.path):]]:
        text = browser.get(front.path + page).text
        places = re.findall(r'(?:href|src|action)="(/[^"]*)"', text)
        assert len(places) > 5, f"{page} has {len(places)} links"
        outside = [place for place in places if not place.startswith(front.path + "/")]
        expect(outside, ([],), f"links of {page} that leave the path")
        assert f'data-root="{front.path}/"' in text, f"{page} tells scripts another root"


def files_come(front, browser):
    """Static files come once, the page itself is confirmed by 304."""
    page = browser.get(front.path + "/people")
    tag = page.field("etag")
    assert tag, "the page has no ETag"
    again = browser.get(front.path + "/people", **{"If-None-Match": tag})
    expect((again.status, again.body), ((304, b""),), "the page with If-None-Match")
    files = set(re.findall(rf'"({front.path}/(?:a/[^"]+|manifest.webmanifest))"', page.text))
    assert len(files) >= 4, f"only {files} belong to the page"
    for file in files:
        answer = front.browser().ask("GET", file, None, {"Accept-Encoding": "gzip"})
        expect(answer.status, 200, file)
        if "/a/" in file:
            assert "immutable" in answer.field("cache-control"), f"{file} is not kept for long"
        if answer.field("content-encoding") == "gzip":
            gzip.decompress(answer.body)
        elif file.endswith("manifest"):
            expect(json.loads(answer.body)["start_url"], front.path + "/", "start_url")


def guest_answers(front, planned):
    """The link in the mail leads through the proxy to the guest's page, which takes the answer."""
    until(lambda: front.box.mails, "the invitation")
    text = front.box.mails[-1][0].content.decode()
    link = re.search(rf"{front.root}(/g/\w+)", text)
    assert link, f"the mail has no link below {front.root}"
    front.secrets.append(link.group(1)[3:])
    browser, place = front.browser(), front.path + link.group(1)
    page = browser.get(place)
    expect(page.status, 200, "the guest's page")
    style = re.search(r'<link rel="stylesheet" href="([^"]+)"', page.text).group(1)
    expect(browser.get(join(place, style)).status, 200, "the style sheet of the guest's page")
    answer = browser.post(place, answer="yes", plus="1", note="with cake")
    expect(answer.status, 303, "the guest's answer")
    saved = browser.get(join(place, answer.field("location")))
    assert "your answer is saved: <strong>Yes" in saved.text, saved.text[-1500:]
    expect(browser.get(place + "/meeting.ics").field("content-type")[:13], "text/calendar", "file")
    shown = front.site.run("letsmeet", "meeting", "show", planned.split("/")[-1], "--json")
    expect([guest["answer"] for guest in shown["participants"]], (["going", "going"],), "answers")
    lost = browser.get(f"{front.path}/g/{'a' * 32}")
    expect((lost.status, "<form" in lost.text), ((404, True),), "the page of a wrong link")


def join(place, relative):
    return urllib.parse.urljoin(place, relative)


def feed_is_read(front):
    """A feed comes packed, and is confirmed by 304."""
    url = front.site.run("letsmeet", "calendar", "feed", "new", "--json")["feed"]["url"]
    assert url.startswith(front.root + "/cal/"), f"the feed is at {url[:40]}"
    front.secrets.append(url.rsplit("/", 1)[1][:-4])
    place, browser = front.path + url[len(front.root):], front.browser()
    answer = browser.ask("GET", place, None, {"Accept-Encoding": "gzip"})
    expect(answer.status, 200, "the feed")
    text = gzip.decompress(answer.body) if answer.field("content-encoding") else answer.body
    assert b"SUMMARY:Games" in text, text
    again = browser.ask("GET", place, None, {"If-None-Match": answer.field("etag")})
    expect(again.status, 304, "the feed with If-None-Match")


def unknown_pages_are_pages(front, browser):
    """An unknown page is a page of letsmeet; the health check and the metrics are none at all."""
    page = browser.get(front.path + "/nothing")
    expect(page.status, 404, "an unknown page")
    assert f'href="{front.path}/' in page.text, "the page for an unknown path has no way back"
    for place in ["/healthz", "/metrics"]:
        for trick in [{}, {"Connection": "close, X-Forwarded-For"}, {"X-Forwarded-For": ""},
                      {"X-Forwarded-For": "127.0.0.1"}]:
            expect(front.browser().ask("GET", front.path + place, None, trick).status, 404,
                   f"{place} through the proxy with {trick}")
            expect(front.browser().ask("GET", place, None, trick).status, 404,
                   f"{place} without the path with {trick}")
    status = Browser(front.site.port).ask("GET", "/healthz").status
    expect(status, 200, "/healthz without the proxy")
    root = front.browser().ask("GET", front.path)
    expect((root.status, root.field("location")), ((301, front.root + "/"),), "the bare path")


def uploads_pass(front):
    """An address book of 3 MB passes; what is too large is refused."""
    browser, _ = front.signed_in()
    head = '--b\r\nContent-Disposition: form-data; name="file"; filename="p.vcf"\r\n\r\n'
    card = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Pia Pohl\r\nNOTE:" + "x" * 500 + "\r\nEND:VCARD\r\n"
    for count, wanted in [(5_000, 303), (50_000, 413)]:
        body = (head + card * count + "\r\n--b--\r\n").encode()
        answer = browser.ask("POST", front.path + "/people/import", None, {
            "Content-Type": "multipart/form-data; boundary=b", "Sec-Fetch-Site": "same-origin",
        }, body)
        expect(answer.status, wanted, f"an upload of {len(body)} bytes")
        browser.close()


def signed_out(front, browser):
    """Signing out removes the cookie of the path."""
    answer = browser.post(front.path + "/sign-out")
    expect(answer.field("location"), front.path + "/enter", "the page after signing out")
    expect(browser.session, None, "the session after signing out")
    answer = browser.get(front.path + "/me")
    expect(answer.field("location"), front.path + "/sign-in?next=%2Fme", "/me afterwards")


# ---- What the proxy adds

def clients_have_their_own_limits(front):
    """letsmeetd limits the client behind the proxy, nginx the rate of one client."""
    front.site.add_account("Ben Berg", "ben@example.org")
    until(lambda: any("ben@example.org" in mail.rcpt_tos for mail, _ in front.box.mails),
          "the link of the invitation")
    begin = len(front.box.mails)
    flood = front.browser()
    for number in range(12):
        # A client cannot choose the address that counts.
        flood.post(front.path + "/sign-in", {"X-Forwarded-For": f"9.9.{number}.1"},
                   address="ben@example.org")
    front.browser().post(front.path + "/sign-in", address="olga@example.org")
    until(lambda: any("olga@example.org" in mail.rcpt_tos for mail, _ in front.box.mails[begin:]),
          "the link of another client")
    late = [mail.rcpt_tos for mail, _ in front.box.mails[begin:]]
    expect(late.count(["ben@example.org"]), 3, "links for 12 requests of one client")
    seen = [flood.get(front.path + "/sign-in").status for _ in range(80)]
    assert set(seen) == {200, 503} and seen.count(503) > 10, f"80 requests at once: {seen}"
    expect(front.browser().get(front.path + "/sign-in").status, 200, "another client meanwhile")


def other_cookies_belong_to_the_path(front):
    """The cookies for colours and for the browser that asks for a link are like the session's."""
    browser, _ = front.signed_in()
    check_cookies(front, browser.post(front.path + "/sign-in", address="nobody@example.net"))
    check_cookies(front, browser.post(front.path + "/me/theme", theme="dark"))


def encryption_is_told(front):
    """Behind https, browsers are told to stay with it."""
    answer = front.browser().get(front.path + "/sign-in")
    expect((answer.field("strict-transport-security") or "")[:8], "max-age=", "HSTS")
    text = front.browser().get(front.path + "/sign-in").text
    expect("http://" in re.sub(r'xmlns="[^"]*"', "", text), False, "plain links on the page")


def logs_hold_no_secret(front):
    """No link of a guest, feed or sign-in is in a file of nginx."""
    for name in os.listdir(front.folder):
        path = os.path.join(front.folder, name)
        if os.path.isfile(path) and not name.endswith(".pem"):
            text = pathlib.Path(path).read_text(encoding="utf-8", errors="replace")
            found = [secret for secret in front.secrets if secret in text]
            expect(found, ([],), f"secrets in {name} of nginx")


def guests_reach_only_their_pages(front):
    """With the lines for guests alone, nobody reaches the sign-in or the health check."""
    made = front.site.plan("Games")
    links = front.site.run("letsmeet", "meeting", "link", made["id"], "--json")["links"]
    place = links[0]["url"][len(front.root):]
    front.secrets.append(place[3:])
    browser = front.browser()
    expect(browser.get(place).status, 200, "the guest's page")
    expect(browser.post(place, answer="yes", plus="0").status, 303, "the guest's answer")
    expect(browser.get("/g/style.css").status, 200, "the style sheet")
    for closed in ["/", "/sign-in", "/enter", "/me", "/healthz", "/metrics", "/g", "/m/x",
                   "/g/../sign-in", "/g/%2e%2e/sign-in", "/g/..%2fsign-in", "/cal/../healthz",
                   "/g//../../healthz", "//healthz", "/g/../../healthz"]:
        status = front.browser().ask("GET", closed, None, PLAIN).status
        expect(status, (404, 400), f"{closed} through the lines for guests")


# ---- Names of paths

RESERVED = ["g", "u", "cal", "a", "m", "me", "new", "people", "places", "meetings", "welcome",
            "enter", "sign-in", "sign-out", "healthz", "metrics", "manifest.webmanifest",
            "offline", "sw.js"]


def paths_named_like_pages_work(programs):
    """A path with the name of a page works, passed on or removed, or is refused in words."""
    faults, refused = [], []
    for name in RESERVED:
        port = free_port()
        site = Site(*programs, LETSMEET_BASE_URL=f"http://localhost:{port}/{name}")
        done = subprocess.run(
            [site.programs["letsmeet"], "config", "check"], env=site.environment,
            capture_output=True, text=True, timeout=60)
        if done.returncode != 0:
            said = done.stdout + done.stderr
            assert "LETSMEET_BASE_URL" in said, f"/{name} is refused without a reason: {said}"
            refused.append(name)
            shutil.rmtree(site.folder)
            continue
        with site:
            faults += [f"/{name} {fault}" for fault in faults_below(site, name, port)]
    print(f"seen: base paths that are refused: {', '.join(refused)}")
    expect(faults, ([],), "base paths that are accepted, and do not work")


def faults_below(site, name, port):
    """The pages that are not found below a path: passed on by the proxy, and removed by it."""
    host = f"localhost:{port}"
    browser = Browser(site.port, host=host)
    browser.post("/enter", token=site.token_for("olga"))
    page = browser.get(f"/{name}/me")
    file = (re.search(r"/a/style\.\w+\.css", page.text) or ["/a/missing"])[0]
    made = site.plan("Games")
    pages = ["/me", "/me/mail", "/new/people", f"/m/{made['id']}", file, "/sign-in", "/"]
    forms = ["/me/theme", "/sign-in/code", "/people/import", "/welcome/sample", "/new/discard"]
    faults = []
    for way, front in [("passed on", f"/{name}"), ("removed", "")]:
        for path in pages:
            answer = browser.ask("GET", front + path, None, PLAIN)
            wanted = (200, "application/json" if path == "/new/people" else None)
            seen = (answer.status, wanted[1] and answer.field("content-type"))
            shown = path.replace(made["id"], "ID")
            faults += [f"{way}: GET {shown} got {answer.status}"] * (seen != wanted)
        for path in forms:
            # Without a proof, a form that is found is refused as forged.
            status = browser.ask("POST", front + path, {}, PLAIN).status
            faults += [f"{way}: POST {path} got {status}, not 403"] * (status != 403)
    return faults


def without_path(lines):
    """The lines with which nginx removes the path."""
    expect(lines.count("proxy_pass http://letsmeet;"), 1, "places of proxy_pass in the lines")
    return (lines.replace("proxy_pass http://letsmeet;", "proxy_pass http://letsmeet/;")
            .replace("proxy_pass http://letsmeet_streams;",
                     "proxy_pass http://letsmeet_streams/events;"))


def go(*programs):
    blocks = lines_of_guide()
    failures = []

    def check(act, *arguments):
        try:
            act(*arguments)
        except AssertionError as error:
            failures.append(f"{act.__name__}: {error}")

    with front(programs, "/meet", blocks) as world:
        for act in [people_use_everything, other_cookies_belong_to_the_path,
                    clients_have_their_own_limits, logs_hold_no_secret]:
            check(act, world)
    with front(programs, "/meet", blocks, "https", without_path) as world:
        for act in [people_use_everything, other_cookies_belong_to_the_path, encryption_is_told,
                    logs_hold_no_secret]:
            check(act, world)
    with front(programs, "", blocks, is_guests_only=True) as world:
        for act in [guests_reach_only_their_pages, logs_hold_no_secret]:
            check(act, world)
    check(paths_named_like_pages_work, programs)
    version = subprocess.run([NGINX, "-v"], capture_output=True, text=True).stderr.strip()
    print(f"seen: {version.split('/')[-1]} is nginx's version; 3 ways to hand on, "
          f"{len(RESERVED)} names of paths")
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(go(*sys.argv[1:]))
