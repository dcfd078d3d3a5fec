"""Ways to run out of room: a disk of one's own that is filled, and a limit on the size of files."""
import errno
import os
import resource
import shutil
import subprocess


class Unavailable(Exception):
    """This machine does not let us, in words."""


class SmallDisk:
    """A disk in memory, and what fills it."""

    def __init__(self, path, bytes_in_all):
        self.path = path
        self.filler = os.path.join(path, "filler")
        os.makedirs(path, exist_ok=True)
        # As root only; in a container even that may be forbidden.
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={bytes_in_all},mode=700", "tmpfs", path],
            capture_output=True, text=True)
        if done.returncode != 0:
            raise Unavailable(f"no disk in memory can be mounted: {done.stderr.strip()}")

    def fill(self, leaving=0):
        """Takes all room but so many pages."""
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
    """What a child calls before it runs: no file of its grows beyond so many bytes."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_in_one, bytes_in_one))
