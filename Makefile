# The commands of this project, each one line; the work is in scripts/.
# Where `make` itself is missing, `scripts/demo.sh` and `.ci/run` do the same.

.PHONY: help demo quick test test-all test-web test-wine test-ears accept lab fuzz check-bare bench clean

help:            ## say what can be made (the default)
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1	\2/p' Makefile

demo:            ## install what is missing, build, run a 20 s trial in real time
	@scripts/demo.sh

quick:           ## what a slip breaks, and the crates that changed since BASE=origin/main
	@BASE=$(BASE) scripts/quick.sh

test:            ## install what is missing, run every test, close with a count
	@scripts/test.sh

test-all:        ## the same, and Python with its notebooks, R, browsers, the device lab
	@.ci/run

test-web:        ## test "Try it" on every page of the manual's site, in a browser
	@scripts/test-web.sh --site

test-wine:       ## run the program for Windows under wine, beside that for Linux
	@scripts/test-wine.sh

test-ears:       ## taps on an emulated Arduino with the firmware of the force sensor
	@scripts/test-ears.sh

accept:          ## write outputs, lists and tables anew that git keeps, show what differs
	@scripts/accept.sh

lab:             ## real drivers, stock and PREEMPT_RT kernels, in an emulated machine
	@lab/run.sh $(SCENARIOS)

BASE ?= origin/main
SECONDS ?= 30
fuzz:            ## feed mutated input to every parser for SECONDS=30 each
	@scripts/fuzz.sh $(SECONDS)

check-bare:      ## as root: do both commands suffice on a bare Debian root?
	@scripts/check-bare.sh

bench:           ## say which comparisons can be run, each on its own
	@cat benchmarks/README.md

clean:           ## remove what was built
	@. scripts/find-rust.sh && need_rust && cargo clean --quiet
