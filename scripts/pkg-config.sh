#!/bin/sh
# pkg-config, but `jack` is always there and needs no flags: it is loaded at run
# time (see .cargo/config.toml). Every other question goes to pkg-config itself.
case " $* " in
*" --modversion jack "*) echo 0 ;;
*" jack "*) ;;
*) exec pkg-config "$@" ;;
esac
