# Bare `make` prints the verbs: the lines below that carry a `##` comment.
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo run test check build tests man deb lint format docs judge bench rivals bench-rivals fuzz setup statements torture simulate

help:
	@echo "letsmeet plans meetings and tells everybody in time. The verbs:"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | \
	    while IFS='|' read -r verb text; do printf '%-20s%s\n' "$$verb" "$$text"; done

demo: build ## install what is missing, build, and show the main job in half a minute
	.build/release/letsmeet demo

# The built programs are tested after the rest, one test at a time: they are timed, and a child
# that another test starts at the same moment would inherit their pipes. What the store is asked is
# written down meanwhile, for the judge.
test: tests ## install what is missing, build, and run all tests
	LETSMEET_TEST_STATEMENTS=$(CURDIR)/.build/statements.part $(TEST_WIDTH) \
	    $(RUN_TESTS) --skip EndToEndTests
	mv .build/statements.part .build/statements
	$(RUN_TESTS) --no-parallel --filter EndToEndTests

# What the store is asked in the tests that use it, for a judge that comes before `make test`.
statements: tests
	env --unset=LETSMEET_HOME LETSMEET_TEST_STATEMENTS=$(CURDIR)/.build/statements.part $(TEST_WIDTH) \
	    $(RUN_TESTS) --filter 'StorageTests|PlanningTests|HomeTests|NotificationsTests|JobsTests'
	mv .build/statements.part .build/statements

# Programs and tests share what is compiled: what is tested is what is installed. `swift test` alone
# builds for debugging, beside all this. `tests` links programs that need the Swift of this machine,
# and `build` links them again with a Swift runtime of their own.
# LLD, which comes with Swift, is no louder than it has to be about what Foundation calls.
RELEASE := -c release --disable-local-rpath -Xswiftc -use-ld=lld -Xswiftc -enable-testing
RUN_TESTS := swift test $(RELEASE) --disable-xctest --skip-build

build: setup ## build letsmeet, letsmeetd and letsmeet-bench into .build/release
	@[ -e .build/release ] || $(call announce,about 5 minutes,0.7 GB)
	LETSMEET_RUNTIME=static swift build $(RELEASE) --product letsmeet
	LETSMEET_RUNTIME=static swift build $(RELEASE) --product letsmeetd
	LETSMEET_RUNTIME=static swift build $(RELEASE) --product letsmeet-bench

run: build ## run the daemon on your home folder (LETSMEET_HOME), until Ctrl-C
	.build/release/letsmeetd run

check: lint test ## lint, build and test, as CI does

lint: setup ## hold the sources against .swift-format
	swift format lint --strict --parallel --recursive $(SWIFT_FILES)

format: ## write the sources anew as .swift-format wants them
	swift format --in-place --parallel --recursive $(SWIFT_FILES)

docs: build ## draw the picture at the top of README anew from a run of the demo
	python3 docs/draw-demo.py .build/release/letsmeet docs/demo.svg

man: build ## write the manual pages of both programs into .build/man
	@sh .ci/setup.sh python3
	@mkdir -p .build/man
	for program in letsmeet letsmeetd; do \
	    python3 Sources/letsmeetd/System/manual/manual.py .build/release/$$program \
	        Sources/letsmeetd/System/manual/$$program.mdoc >.build/man/$$program.1 || exit; \
	done

deb: build ## make a Debian package of both programs in .build, which needs no Swift
	@sh .ci/setup.sh binutils dpkg-dev python3
	bash Sources/letsmeetd/System/debian/build.sh .build/release .build

judge: build man deb ## hold the program against programs of others
	sh .ci/setup.sh sqlite3 python3-venv postgresql prometheus cron faketime systemd \
	    mandoc mmdebstrap systemd-container postfix openssl swaks dovecot-imapd postgrey \
	    khal vdirsyncer khard python3-gi gir1.2-ical-3.0 chromium chromium-driver
	bash .ci/judge.sh

bench: build ## measure wheel, ledger, cron lines, recurrence, free times, feeds, and the daemon with a million waiting
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

# BENCH holds options for another case of the wheel: make bench-rivals BENCH='--span mixed', and
# LEDGER for one of the ledger: make bench-rivals LEDGER='--n 100000 --rounds 3', and CRON for one
# of cron lines: make bench-rivals CRON='--rounds 9', RECURRENCE for one of rules, and SINKS for
# one of mail and webhooks: make bench-rivals SINKS='--connections 4'
bench-rivals: build rivals ## measure wheel, ledger, cron lines, recurrence and sinks beside others in turn
	python3 Benchmarks/rivals/compare.py $(BENCH) .build/release/letsmeet-bench \
	    .build/rivals/heap .build/rivals/libevent
	python3 Benchmarks/rivals/ledger.py $(LEDGER)
	.build/rivals/python/bin/python Benchmarks/rivals/cron.py $(CRON)
	.build/rivals/python/bin/python Benchmarks/rivals/recurrence.py $(RECURRENCE)
	python3 Benchmarks/rivals/sinks.py $(SINKS)

# FUZZ holds for how many seconds each format is read, and folders of files to begin with:
# make fuzz FUZZ='600 my/calendars'
fuzz: build ## hold the timer wheel against a sorted array, and the readers of formats to their promises
	.build/release/letsmeet-bench wheel-fuzz --seconds 30
	sh Tests/Fuzz/run.sh $(FUZZ)

# Each seed that fails is printed. LETSMEET_SEED=7 make simulate shows the year of seed 7 again.
SEEDS := 1000

simulate: tests ## let 1,000 years of meetings go by, and let each call of the store fail once
	LETSMEET_SEEDS=$(SEEDS) LETSMEET_EVERY=1 $(RUN_TESTS) --filter SimulationTests

# TORTURE holds options for less or for other, without the simulation: make torture
# TORTURE=--small, or TORTURE='kill --seed 7'
torture: build ## kill, starve and mislead the built programs, then simulate 1,000 years
	@sh .ci/setup.sh python3 faketime
	python3 Tests/Torture/torture.py $(TORTURE)
	@[ -n "$(TORTURE)" ] || $(MAKE) --no-print-directory simulate

rivals:
	@sh .ci/setup.sh g++ make python3 python3-venv libevent-dev libical-dev postfix nginx-light
	@$(MAKE) --no-print-directory -C Benchmarks/rivals

# Debian's packages and the version of Swift.
setup:
	@sh .ci/setup.sh

# All tests that may run at the same time would begin at once, and each would take as long as all of
# them together: a limit of minutes would say nothing of any.
TEST_WIDTH := SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8

# Everything, tests included.
tests: setup
	@[ -e .build/release ] || $(call announce,about 10 minutes,1 GB)
	swift build $(RELEASE) --build-tests --disable-xctest

SWIFT_FILES := Sources Tests Package.swift

# Said once, before the wait: $(1) is how long, $(2) how much disk.
announce = echo "A first build takes $(1) on two cores and $(2) of disk in .build."
