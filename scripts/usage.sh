# Prints the head of a script and ends it, where its first word is --help or -h. To be sourced in the first line of
# a script, by: . "$(dirname "$0")/usage.sh"
#
# shellcheck shell=bash

case ${1-} in
-h | --help)
    while IFS= read -r line; do
        case $line in
        '#!'*) ;;
        '# '*) printf '%s\n' "${line#\# }" ;;
        '#') printf '\n' ;;
        *) break ;;
        esac
    done <"$0"
    exit 0
    ;;
esac
