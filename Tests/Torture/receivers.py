"""A receiver of webhooks that answers as badly as real programs can."""
import json
import random
import socket
import threading
import time

from editor import HOUR, wall
from home import Home
from judgement import Judgement, check_file, settle, unsettled
from kills import end_well

WELL = b"HTTP/1.1 204 No Content\r\n\r\n"
# The answers to a request that was read completely, and whether the receiver acted on it.
MOODS = {
    "well": (WELL, True),
    "slow": (WELL, True),
    "busy": (b"HTTP/1.1 503 Busy\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n", False),
    "elsewhere": (b"HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n", False),
    "garbage": (b"\x00\xff no answer at all\r\n\r\n", True),
    "half": (b"HTTP/1.1 200 OK\r\nContent-Le", True),
    "lying": (b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nten octets", True),
    "mute": (b"", True),
}
# After these answers, the connection is unusable.
BROKEN = {"garbage", "half", "lying", "mute"}


class Receiver:
    """Listens on its own port, keeps connections open, and writes each request it acts on to the
    sink's file."""

    def __init__(self, home, seed):
        self.home = home
        self.random = random.Random(seed)
        self.lock = threading.Lock()
        self.moods = list(MOODS)
        self.counts = dict.fromkeys(MOODS, 0)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}/hook"
        threading.Thread(target=self.listen, daemon=True).start()

    def behave(self):
        """Answers correctly from now on."""
        self.moods = ["well"]

    def listen(self):
        while True:
            connection, _ = self.listener.accept()
            threading.Thread(target=self.serve, args=[connection], daemon=True).start()

    def serve(self, connection):
        try:
            with connection, connection.makefile("rb") as stream:
                while self.answer(connection, stream):
                    pass
        except OSError:
            # The daemon was killed.
            pass

    def answer(self, connection, stream):
        """Answers the next request; returns whether another one may follow."""
        length = None
        while line := stream.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        if length is None:
            return False
        body = stream.read(length)
        if len(body) < length:
            return False
        mood = self.take(body)
        if mood == "slow":
            time.sleep(0.3)
        connection.sendall(MOODS[mood][0])
        return mood not in BROKEN

    def take(self, body):
        """Chooses the answer to a request, and records the request if the receiver acts on it."""
        facts = json.loads(body)["data"]
        line = json.dumps({"due": facts.pop("due"), **facts}, separators=(",", ":"))
        with self.lock:
            mood = self.random.choice(self.moods)
            self.counts[mood] += 1
            if MOODS[mood][1]:
                with open(self.home.sink, "a") as sink:
                    sink.write(line + "\n")
        return mood


def garbage(options, folder, seed, say):
    """Webhooks to a receiver that answers with garbage, incompletely, late, or not at all, while
    the daemon is killed: requests it acted on are in the ledger, and repeated ones are marked
    there."""
    chance = random.Random(seed)
    home = Home(options.build, folder)
    receiver = Receiver(home, seed)
    home.environment |= {
        "LETSMEET_SINKS": "webhook", "LETSMEET_WEBHOOK_URL": receiver.url,
        "LETSMEET_WEBHOOK_ALLOW": "127.0.0.1"}
    guests = home.add_people(3)
    for number in range(options.hangs):
        for each in range(20):
            home.ask("meeting", "new", f"Lunch {number} {each}", "--with", *guests,
                     "--start", wall(2 * HOUR), "--remind", "none")
        daemon = home.daemon()
        daemon.wait_until_it_works()
        time.sleep(0.2 + chance.random())
        if number % 3 == 2:
            end_well(daemon)
        else:
            daemon.kill()
        check_file(home)
    receiver.behave()
    say(f"{unsettled(home)} due and open, answers {receiver.counts}")
    daemon = home.daemon()
    # Deliveries that failed several times are retried later than this test waits.
    settle(home, ahead=options.patience, seconds=2 * options.patience + 60)
    end_well(daemon)
    check_file(home)
    judgement = Judgement(home)
    judgement.check()
    return f"answers {receiver.counts}; {judgement.summary}"
