# The commands of this project, each one line; the work is in scripts/.
# Where `make` itself is missing, `scripts/demo.sh` and `.ci/run` do the same.

.PHONY: help demo test clean

help:            ## say what can be made (the default)
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1	\2/p' Makefile

demo:            ## install what is missing, build, run a 20 s trial in real time
	@scripts/demo.sh

test:            ## install what is missing, run every test, close with a count
	@scripts/test.sh

clean:           ## remove what was built
	@cargo clean --quiet
