"""The reader of letsmeetd's standard output."""
import fcntl
import os
import threading


class Reader(threading.Thread):
    """A small pipe that outlives its writers, and a thread that copies it into the sink's file: at
    full speed, slowly, or not at all."""

    PIPE_BYTES = 4096

    def __init__(self, home, bytes_each_second=None):
        super().__init__(daemon=True)
        self.out, self.writer = os.pipe()
        fcntl.fcntl(self.writer, fcntl.F_SETPIPE_SZ, self.PIPE_BYTES)
        self.log = open(home.sink, "ab", buffering=0)
        self.pace = bytes_each_second
        self.changed = threading.Event()
        self.start()

    def read_at(self, bytes_each_second):
        """Changes the reading speed: `None` for full speed, 0 for not at all."""
        self.pace = bytes_each_second
        self.changed.set()

    def run(self):
        while True:
            pace = self.pace
            if pace == 0:
                self.changed.wait()
                self.changed.clear()
                continue
            chunk = os.read(self.out, self.PIPE_BYTES if pace is None else max(1, pace // 50))
            if not chunk:
                return
            self.log.write(chunk)
            if pace:
                self.changed.wait(0.02)

    def end(self):
        """Reads everything that is left. No other process may still have the writing end open."""
        self.read_at(None)
        os.close(self.writer)
        self.join()
        self.close()

    def close(self):
        os.close(self.out)
        self.log.close()
