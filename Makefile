# Bare `make` prints the targets below that have a `##` comment.
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo run test check build tests man deb lint format docs judge screens bench counts rivals bench-rivals fuzz mutants setup statements torture simulate

help:
	@echo "letsmeet plans meetings and sends notifications on time. The targets:"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | \
	    while IFS='|' read -r verb text; do printf '%-20s%s\n' "$$verb" "$$text"; done

demo: build ## install what is missing, build, and demonstrate the main features in half a minute
	.build/release/letsmeet demo

# The end-to-end tests run after the others, one at a time: they are timed, and a child process
# started by another test at the same moment would inherit their pipes. The SQL statements of the
# other tests are recorded for the judge.
test: tests ## install what is missing, build, and run all tests
	LETSMEET_TEST_STATEMENTS=$(CURDIR)/.build/statements.part $(TEST_WIDTH) \
	    $(RUN_TESTS) --skip EndToEndTests
	mv .build/statements.part .build/statements
	$(RUN_TESTS) --no-parallel --filter EndToEndTests

# Records the SQL statements of the tests that use the store, for a judge that runs before `make
# test`.
statements: tests
	env --unset=LETSMEET_HOME LETSMEET_TEST_STATEMENTS=$(CURDIR)/.build/statements.part $(TEST_WIDTH) \
	    $(RUN_TESTS) --filter 'StorageTests|PlanningTests|PropertyTests|CalendarsTests|InboxTests|OperationsTests|NotificationsTests|JobsTests'
	mv .build/statements.part .build/statements

# Programs and tests share the same compiled modules, so the tested code is the installed code. A
# plain `swift test` makes a separate debug build. `tests` links programs that need the Swift
# installation of this machine, and `build` links them again with a static Swift runtime. LLD, which
# comes with Swift, prints fewer warnings about functions that Foundation calls.
RELEASE := -c release --disable-local-rpath --explicit-target-dependency-import-check error \
    -Xswiftc -use-ld=lld -Xswiftc -enable-testing -Xswiftc -num-threads -Xswiftc 2
RUN_TESTS := swift test $(RELEASE) --disable-xctest --skip-build

build: setup ## build letsmeet, letsmeetd and letsmeet-bench into .build/release
	@[ -e .build/release ] || $(call announce,about 5 minutes,0.7 GB)
	LETSMEET_RUNTIME=static swift build $(RELEASE) --product letsmeet
	LETSMEET_RUNTIME=static swift build $(RELEASE) --product letsmeetd
	LETSMEET_RUNTIME=static swift build $(RELEASE) --product letsmeet-pictures
	LETSMEET_RUNTIME=static swift build $(RELEASE) --product letsmeet-bench

run: build ## run the daemon on your home folder (LETSMEET_HOME), until Ctrl-C
	.build/release/letsmeetd run

check: lint test ## lint, build and test, as CI does

lint: setup ## check the sources with .swift-format
	swift format lint --strict --parallel --recursive $(SWIFT_FILES)

format: ## format the sources with .swift-format
	swift format --in-place --parallel --recursive $(SWIFT_FILES)

docs: build ## redraw the picture at the top of README from a run of the demo
	python3 docs/draw-demo.py .build/release/letsmeet docs/demo.svg

man: build ## write the manual pages of both programs into .build/man
	@sh .ci/setup.sh python3
	@mkdir -p .build/man
	for program in letsmeet letsmeetd; do \
	    python3 Sources/letsmeetd/System/manual/manual.py .build/release/$$program \
	        Sources/letsmeetd/System/manual/$$program.mdoc >.build/man/$$program.1 || exit; \
	done

deb: build ## build a Debian package of both programs, which needs no Swift, in .build
	@sh .ci/setup.sh binutils dpkg-dev python3
	bash Sources/letsmeetd/System/debian/build.sh .build/release .build

judge: build man deb ## check letsmeet together with other programs
	sh .ci/setup.sh sqlite3 python3-venv postgresql prometheus cron faketime systemd \
	    mandoc mmdebstrap systemd-container postfix openssl swaks dovecot-imapd postgrey \
	    khal vdirsyncer khard python3-gi gir1.2-ical-3.0 chromium chromium-driver \
	    firefox-esr default-jre-headless nginx-light wrk
	bash .ci/judge.sh

screens: build ## make pictures of all pages in .build/screens: phone and desktop, light and dark
	sh .ci/setup.sh python3-venv chromium chromium-driver
	[ -x .build/screens-python/bin/python ] || { python3 -m venv .build/screens-python && \
	    .build/screens-python/bin/python -m pip install --quiet 'selenium==4.51.0'; }
	.build/screens-python/bin/python .ci/screens.py .build/release/letsmeet \
	    .build/release/letsmeetd .build/screens

bench: build ## measure wheel, ledger, cron, recurrence, free times, feeds, and a busy daemon
	.build/release/letsmeet-bench wheel
	.build/release/letsmeet-bench wheel --span mixed
	.build/release/letsmeet-bench wheel --span rush
	.build/release/letsmeet-bench wheel --mode tick
	.build/release/letsmeet-bench wheel --n 10000000
	.build/release/letsmeet-bench ledger
	.build/release/letsmeet-bench ledger --guests 1 --reminders
	.build/release/letsmeet-bench cron
	.build/release/letsmeet-bench recurrence
	.build/release/letsmeet-bench free
	@sh .ci/setup.sh python3
	python3 Benchmarks/daemon/measure.py start
	python3 Benchmarks/daemon/measure.py lateness
	python3 Benchmarks/daemon/measure.py idle
	python3 Benchmarks/daemon/feeds.py

counts: build ## count the instructions of fixed operations; more than 5 % above the table fails
	@sh .ci/setup.sh python3 valgrind binutils
	python3 Benchmarks/counts/counts.py

# BENCH holds options of the wheel benchmark: make bench-rivals BENCH='--span mixed'. LEDGER holds
# options of the ledger benchmark: make bench-rivals LEDGER='--n 100000 --rounds 3'. CRON holds
# those for cron lines: make bench-rivals CRON='--rounds 9'. RECURRENCE holds those for recurrence
# rules, and SINKS those for mail and webhooks: make bench-rivals SINKS='--connections 4'
bench-rivals: build rivals ## measure wheel, ledger, cron, recurrence, sinks next to rivals
	python3 Benchmarks/rivals/compare.py $(BENCH) .build/release/letsmeet-bench \
	    .build/rivals/heap .build/rivals/libevent
	python3 Benchmarks/rivals/ledger.py $(LEDGER)
	.build/rivals/python/bin/python Benchmarks/rivals/cron.py $(CRON)
	.build/rivals/python/bin/python Benchmarks/rivals/recurrence.py $(RECURRENCE)
	python3 Benchmarks/rivals/sinks.py $(SINKS)

# FUZZ holds the number of seconds for each format, and folders of files to start from:
# make fuzz FUZZ='600 my/calendars'
fuzz: build ## compare the timer wheel with a sorted array, and fuzz the parsers
	.build/release/letsmeet-bench wheel-fuzz --seconds 30
	sh Tests/Fuzz/run.sh $(FUZZ)

# MUTANTS holds options: make mutants MUTANTS='--only web-csrf-missing'. After an interruption,
# make mutants MUTANTS=--continue goes on.
mutants: setup ## change single lines of a copy of the sources, and check that tests notice it
	@sh .ci/setup.sh python3
	python3 Tests/Mutants/mutants.py $(MUTANTS)

# Each failing seed is printed. LETSMEET_SEED=7 make simulate repeats the year of seed 7.
SEEDS := 1000

simulate: tests ## simulate 1,000 years of meetings, and let each store call fail once
	LETSMEET_SEEDS=$(SEEDS) LETSMEET_EVERY=1 $(RUN_TESTS) --filter SimulationTests

# TORTURE holds options for a smaller or different selection, without the simulation: make torture
# TORTURE=--small, or TORTURE='kill --seed 7'
torture: build ## test the programs under crashes, full disks and wrong clocks, then simulate
	@sh .ci/setup.sh python3 faketime
	python3 Tests/Torture/torture.py $(TORTURE)
	@[ -n "$(TORTURE)" ] || $(MAKE) --no-print-directory simulate

rivals:
	@sh .ci/setup.sh g++ make python3 python3-venv libevent-dev libical-dev postfix nginx-light
	@$(MAKE) --no-print-directory -C Benchmarks/rivals

# Installs the Debian packages and checks the Swift version.
setup:
	@sh .ci/setup.sh

# Without this limit, all parallel tests would start at once, and each would take as long as all of
# them together, so that their time limits would mean nothing.
TEST_WIDTH := SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8

# Builds everything, including the tests.
tests: setup
	@[ -e .build/release ] || $(call announce,about 10 minutes,1 GB)
	swift build $(RELEASE) --build-tests --disable-xctest

SWIFT_FILES := Sources Tests Package.swift

# Printed once before a long build: $(1) is the duration, $(2) the disk space.
announce = echo "A first build takes $(1) on two cores and $(2) of disk in .build."
