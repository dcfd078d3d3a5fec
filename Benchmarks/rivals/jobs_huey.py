"""Huey on SQLite, with synchronous writes: tasks are scheduled one by one, later moved to the
queue, taken from it and run, with the steps of Huey's own consumer but without its pauses.

A scheduled task first goes to the queue; the consumer moves it to the schedule when it finds it.
That is a separate phase."""
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
    # As Huey's clock counts: UTC without a zone.
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
        raise SystemExit("wrong: tasks are missing from the schedule, or left over in it")
    jobs.show("huey", count, phases, fired)


if __name__ == "__main__":
    total = jobs.count_from(__doc__, 2000)
    jobs.in_folder(lambda folder: run(folder, total))
