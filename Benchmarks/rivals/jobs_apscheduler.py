"""APScheduler with its SQLAlchemy store on SQLite, set up as in its user guide: jobs are added one
by one, each durable when add_job returns; then all due jobs are run and leave the store."""
import datetime
import threading

from apscheduler.jobstores.sqlalchemy import SQLAlchemyJobStore
from apscheduler.schedulers.background import BackgroundScheduler

import jobs

fired = []
all_fired = threading.Event()
count = 0


def deliver(number, text):
    """Accepts at once; the list may be used by all threads of the pool."""
    fired.append(number)
    if len(fired) >= count:
        all_fired.set()


def run(folder):
    scheduler = BackgroundScheduler(
        jobstores={"default": SQLAlchemyJobStore(url=f"sqlite:///{folder}/jobs.sqlite")},
        timezone="UTC")
    scheduler.start(paused=True)
    due = datetime.datetime.now(datetime.timezone.utc)

    def schedule():
        for number in range(count):
            scheduler.add_job(
                deliver, "date", run_date=due, args=[number, f"Invitation: Meeting {number}"],
                misfire_grace_time=None)

    def fire():
        scheduler.resume()
        all_fired.wait()
        scheduler.pause()

    phases = {"schedule": jobs.timed(schedule), "fire": jobs.timed(fire)}
    left = len(scheduler.get_jobs())
    scheduler.shutdown()
    if left:
        raise SystemExit(f"wrong: {left} jobs are left over in the store")
    jobs.show("apscheduler", count, phases, fired)


if __name__ == "__main__":
    count = jobs.count_from(__doc__, 400)
    jobs.in_folder(run)
