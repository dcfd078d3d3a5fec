#!/usr/bin/env python3
"""Changes one line of the sources at a time, and checks that the nearest tests notice it. It works
on a copy of the repository, which it builds for debugging.

    mutants.py                   all changes of mutants.txt
    mutants.py --only NAME NAME  only these changes
    mutants.py --from NAME       this change and those after it
    mutants.py --continue        those that have no result yet
    mutants.py --check           build nothing, only check the list

A mutant is such a change. Each result is one line: killed, if a test failed; survived, if none did;
broken, if the change does not compile or has no tests. Exit status 0 means that at least nine of
ten were killed and none is broken.
"""
import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import namedtuple
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
KEYS = ("name", "file", "old", "new", "tests")
Mutant = namedtuple("Mutant", KEYS)
# The share of mutants that must be killed.
KILLED_MIN = 0.9


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", metavar="NAME", help="run only these mutants")
    parser.add_argument("--from", dest="first", metavar="NAME", help="begin with this mutant")
    parser.add_argument(
        "--continue", dest="goes_on", action="store_true",
        help="skip the mutants that an earlier run killed or found to survive")
    parser.add_argument("--check", action="store_true", help="only check the list")
    parser.add_argument(
        "--seconds", type=int, default=180, help="time limit for the tests of one mutant: 180")
    parser.add_argument(
        "--folder", type=Path, default=ROOT / ".build-mutants",
        help="folder of the copy and of results.txt: .build-mutants")
    return parser.parse_args()


def read_list():
    """The mutants of mutants.txt."""
    text = (HERE / "mutants.txt").read_text(encoding="utf-8")
    lines = [line for line in text.split("\n") if not line.startswith("#")]
    mutants = []
    for block in re.split(r"\n{2,}", "\n".join(lines).strip()):
        pairs = [line.partition(":") for line in block.split("\n")]
        if tuple(key for key, _, _ in pairs) != KEYS:
            sys.exit(f"A mutant needs the lines {', '.join(KEYS)}, in this order:\n{block}")
        mutants.append(Mutant(*(value.removeprefix(" ") for _, _, value in pairs)))
    return mutants


def faults(mutants):
    """The mistakes in the list, as sentences."""
    tests = "\n".join(
        path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("Tests/**/*.swift")))
    suites = set(re.findall(r"\b(?:struct|class) (\w+)", tests))
    seen = set()
    for mutant in mutants:
        if mutant.name in seen:
            yield f"{mutant.name}: another mutant has the same name."
        seen.add(mutant.name)
        path = ROOT / mutant.file
        count = path.read_text(encoding="utf-8").count(mutant.old) if path.is_file() else 0
        if not mutant.old or count != 1:
            yield f"{mutant.name}: the old text occurs {count} times in {mutant.file}, not once."
        if mutant.old == mutant.new:
            yield f"{mutant.name}: it changes nothing."
        for name in mutant.tests.split("|"):
            if name.split(".")[-1] not in suites:
                yield f"{mutant.name}: there is no test suite {name}."


def refresh(copy):
    """Makes the copy equal to the tracked files. Equal files keep their time, so that they are not
    compiled again."""
    listing = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-z"], check=True, capture_output=True, text=True).stdout
    names = {name for name in listing.split("\0") if (ROOT / name).is_file()}
    if (ROOT / "Package.resolved").is_file():
        names.add("Package.resolved")
    for folder, folders, files in os.walk(copy):
        folders[:] = [name for name in folders if name != ".build-debug"]
        for path in (Path(folder, name) for name in files):
            if str(path.relative_to(copy)) not in names | {"Package.resolved"}:
                path.unlink()
    for name in sorted(names):
        source, target = ROOT / name, copy / name
        if not target.is_file() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)


class Swift:
    """Builds and tests the copy."""

    def __init__(self, copy):
        self.copy = copy
        self.environment = {
            key: value for key, value in os.environ.items() if not key.startswith("LETSMEET_")}
        # Without this width, all tests start at once, and their time limits mean nothing.
        self.environment["SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH"] = "8"
        self.environment["SWIFT_BACKTRACE"] = "enable=no"

    def run(self, verb, *options, seconds=None):
        """Returns the exit status and the output; the status is None after a timeout."""
        command = [
            "swift", verb, "--disable-xctest", "--scratch-path", self.copy / ".build-debug",
            *options]
        process = subprocess.Popen(
            command, cwd=self.copy, env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
            start_new_session=True)
        try:
            output, _ = process.communicate(timeout=seconds)
            return process.returncode, output
        except BaseException as error:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            if not isinstance(error, subprocess.TimeoutExpired):
                raise
            return None, output

    def build(self):
        return self.run("build", "--build-tests")

    def test(self, pattern, seconds=None):
        # The end-to-end tests are timed, so they run one at a time.
        options = ["--no-parallel"] if "EndToEndTests" in pattern else []
        return self.run("test", "--skip-build", *options, "--filter", pattern, seconds=seconds)


def count_of_tests(output):
    found = re.search(r"Test run with (\d+) test", output)
    return int(found.group(1)) if found else None


def first_failure(output, status):
    """The test that failed first, in words."""
    found = re.search(r"^✘ Test (.+?) (?:recorded|failed)", output, re.MULTILINE)
    return found.group(1) if found else f"the tests ended with status {status}"


def verdict(mutant, swift, seconds):
    """The word for a mutant, and the reason."""
    path = swift.copy / mutant.file
    text = path.read_text(encoding="utf-8")
    try:
        path.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
        status, output = swift.build()
        if status != 0:
            error = re.search(r"error: .*", output)
            return "broken", error.group(0) if error else f"the build ended with status {status}"
        status, output = swift.test(mutant.tests, seconds)
    finally:
        path.write_text(text, encoding="utf-8")
    if status is None:
        return "killed", f"by a timeout after {seconds} seconds"
    if status != 0:
        return "killed", f"by {first_failure(output, status)}"
    if not count_of_tests(output):
        return "broken", f"no test is called {mutant.tests}"
    return "survived", mutant.tests


def check_without_mutants(mutants, swift):
    """Builds the copy, and runs the tests of these mutants, which must pass."""
    status, output = swift.build()
    if status != 0:
        sys.exit(f"{output}\nThe copy does not compile, even without a mutant.")
    patterns = sorted({name for mutant in mutants for name in mutant.tests.split("|")})
    ends = [name for name in patterns if name.startswith("EndToEndTests")]
    for chosen in [[name for name in patterns if name not in ends], ends]:
        if not chosen:
            continue
        status, output = swift.test("|".join(chosen))
        if status != 0 or not count_of_tests(output):
            sys.exit(f"{output}\nThe tests fail, even without a mutant.")
        print(f"{count_of_tests(output)} tests pass without a mutant.", flush=True)


def known_results(path):
    """The latest word for each mutant in the file of results."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    pairs = [line.split(maxsplit=2)[:2] for line in lines]
    return {name.rstrip(":"): word for word, name in (pair for pair in pairs if len(pair) == 2)}


def selection(options, mutants):
    names = [mutant.name for mutant in mutants]
    for name in (options.only or []) + ([options.first] if options.first else []):
        if name not in names:
            sys.exit(f"There is no mutant {name}.")
    if options.first:
        mutants = mutants[names.index(options.first):]
    return [mutant for mutant in mutants if not options.only or mutant.name in options.only]


def main():
    options = arguments()
    mutants = read_list()
    mistakes = list(faults(mutants))
    if mistakes:
        sys.exit("\n".join(mistakes))
    if options.check:
        print(f"{len(mutants)} mutants, and each old text occurs once.")
        return
    chosen = selection(options, mutants)
    copy, results = options.folder.resolve() / "copy", options.folder.resolve() / "results.txt"
    words = known_results(results) if options.goes_on else {}
    waiting = [mutant for mutant in chosen if words.get(mutant.name) not in ("killed", "survived")]
    if waiting:
        refresh(copy)
        swift = Swift(copy)
        check_without_mutants(waiting, swift)
    for mutant in waiting:
        begun = time.monotonic()
        word, reason = verdict(mutant, swift, options.seconds)
        words[mutant.name] = word
        line = f"{word:9} {mutant.name}: {reason} ({time.monotonic() - begun:.0f} s)"
        print(line, flush=True)
        with results.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
    counts = {
        word: [mutant.name for mutant in chosen if words[mutant.name] == word]
        for word in ("killed", "survived", "broken")}
    print("\n" + ", ".join(f"{len(names)} {word}" for word, names in counts.items()))
    for word in ("survived", "broken"):
        for name in counts[word]:
            print(f"    {word}: {name}")
    is_well = len(counts["killed"]) >= KILLED_MIN * len(chosen) and not counts["broken"]
    sys.exit(0 if is_well else 1)


if __name__ == "__main__":
    main()
