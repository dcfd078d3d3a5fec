"""Ways to run out of disk space: a private disk that is filled, and a limit on file sizes."""
import errno
import os
import resource
import shutil
import subprocess


class Unavailable(Exception):
    """This machine does not permit the test, for the reason given."""


class SmallDisk:
    """A small disk in memory, and a file that fills it."""

    def __init__(self, path, bytes_in_all):
        self.path = path
        self.filler = os.path.join(path, "filler")
        os.makedirs(path, exist_ok=True)
        # Only root may mount; in a container even root may not.
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={bytes_in_all},mode=700", "tmpfs", path],
            capture_output=True, text=True)
        if done.returncode != 0:
            raise Unavailable(f"cannot mount a disk in memory: {done.stderr.strip()}")

    def fill(self, leaving=0):
        """Fills the disk except for this many pages."""
        page = os.sysconf("SC_PAGESIZE")
        file = os.open(self.filler, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        try:
            while True:
                os.write(file, b"\0" * page)
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
        size = os.fstat(file).st_size
        os.ftruncate(file, max(0, size // page - leaving) * page)
        os.close(file)

    def free(self):
        if os.path.exists(self.filler):
            os.remove(self.filler)

    def empty(self):
        for name in os.listdir(self.path):
            path = os.path.join(self.path, name)
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)

    def unmount(self):
        subprocess.run(["umount", "--lazy", self.path], check=True)


def file_limit(bytes_in_one):
    """A function that a child process calls before it runs: limits the size of its files."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_in_one, bytes_in_one))
