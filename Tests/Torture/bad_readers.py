"""Bad readers of the stdout sink: one that hangs, one that is slow, one that goes away."""
import os
import time

from disks import wait_for_health
from editor import HOUR, wall
from home import Fault, Home
from judgement import Judgement, check_file, judged, settle, unsettled
from kills import end_well
from reader import Reader


def invite(home, guests, number):
    home.ask("meeting", "new", f"Lunch {number}", "--with", *guests,
             "--start", wall(2 * HOUR), "--remind", "none")


def hanging(options, folder, seed, say):
    """A reader that hangs: the daemon keeps running, handles edits, stops when told to, and is
    killed."""
    home = Home(options.build, folder)
    address = home.listen()
    guests = home.add_people(40)
    reader = Reader(home, bytes_each_second=0)
    endings = {"killed": 0, "ended": 0}
    for number in range(options.hangs):
        running = home.daemon(stdout=reader.writer)
        running.wait_until_it_works()
        invite(home, guests, number)
        time.sleep(0.5)
        if unsettled(home) == 0:
            raise Fault("nothing was read, but all deliveries were accepted")
        if number % 3 == 0:
            home.ask("meeting", "move", f"Lunch {number}", wall(3 * HOUR))
        wait_for_health(address, 200, 5)
        if number % 2:
            running.kill()
            endings["killed"] += 1
        else:
            end_well(running)
            endings["ended"] += 1
        check_file(home)
    reader.read_at(None)
    running = home.daemon(stdout=reader.writer)
    settle(home)
    end_well(running)
    reader.end()
    judgement = judged(home)
    return f"{endings['ended']} ended and {endings['killed']} killed; {judgement.summary}"


def slow(options, folder, seed, say):
    """A slow reader while meetings are moved: after the move, no notification has the old time."""
    home = Home(options.build, folder)
    guests = home.add_people(100)
    reader = Reader(home, bytes_each_second=10_000)
    running = home.daemon(stdout=reader.writer)
    for number in range(options.hangs):
        invite(home, guests, number)
        time.sleep(0.3)
        home.ask("meeting", "move", f"Lunch {number}", wall(3 * HOUR))
    reader.read_at(100_000)
    settle(home)
    end_well(running)
    reader.end()
    judgement = judged(home)
    if judgement.doubled or judgement.marked:
        raise Fault(f"a slow reader caused repeated messages: {judgement.summary}")
    return judgement.summary


def leaving(options, folder, seed, say):
    """A reader that goes away in the middle; the next one gets the rest."""
    home = Home(options.build, folder)
    guests = home.add_people(40)
    for number in range(options.hangs):
        out, writer = os.pipe()
        running = home.daemon(stdout=writer)
        os.close(writer)
        running.wait_until_it_works()
        os.close(out)
        invite(home, guests, number)
        running.wait_until_it_said("nobody reads the output")
        if not running.runs:
            raise Fault(f"letsmeetd stopped: {running.said()[-600:]!r}")
        end_well(running)
        answer = home.command("once", "--json", program="letsmeetd")
        with open(home.sink, "a") as sink:
            sink.writelines(line + "\n" for line in answer.output.splitlines()[:-1])
    running = home.daemon()
    # Postponed deliveries wait for a minute.
    settle(home, ahead=options.patience)
    end_well(running)
    check_file(home)
    judgement = Judgement(home)
    judgement.check()
    if judgement.doubled:
        raise Fault(f"nothing had arrived, but some messages came twice: {judgement.summary}")
    return judgement.summary
