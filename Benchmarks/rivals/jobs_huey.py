"""Huey on SQLite, every write synchronous: tasks are scheduled one by one, and later moved to the
queue, taken from it and run, by the steps of its own consumer without its pauses.

A task that is scheduled goes to the queue first; the consumer moves it to the schedule when it
comes across it. That is a phase of its own.
"""
import datetime

from huey import SqliteHuey

import jobs


def run(folder, count):
    fired = []
    huey = SqliteHuey(filename=f"{folder}/jobs.sqlite", fsync=True)

    @huey.task()
    def deliver(number, text):
        fired.append(number)

    due = datetime.datetime.now() + datetime.timedelta(hours=1)
    # As its clock counts: UTC without a zone.
    later = datetime.datetime.utcnow() + datetime.timedelta(hours=2)

    def schedule():
        for number in range(count):
            deliver.schedule(args=(number, f"Invitation: Meeting {number}"), eta=due)

    def consume(clock=None):
        while (task := huey.dequeue()) is not None:
            huey.execute(task, clock)

    def fire():
        for task in huey.read_schedule(later):
            huey.enqueue(task)
        consume(later)

    phases = {"schedule": jobs.timed(schedule), "move": jobs.timed(consume)}
    scheduled = huey.scheduled_count()
    phases["fire"] = jobs.timed(fire)
    if scheduled != count or huey.scheduled_count() or huey.pending_count():
        raise SystemExit("wrong: tasks are missing from the schedule, or left in it")
    jobs.show("huey", count, phases, fired)


if __name__ == "__main__":
    total = jobs.count_from(__doc__, 2000)
    jobs.in_folder(lambda folder: run(folder, total))
