#!/bin/sh
# Fuzzes the readers of calendars, cards and mails: sh Tests/Fuzz/run.sh [SECONDS] [FOLDER...]
#
# Each format is tested for SECONDS (default: 30). The corpus is kept in .build/fuzz, and the next
# run continues with it; FOLDERs hold more files to begin with. A file that breaks a promise ends
# the run and is kept as .build/fuzz/FORMAT-crash-…. To test this file alone:
# LETSMEET_FUZZ=FORMAT .build/fuzz/formats FILE
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-30}
[ $# -eq 0 ] || shift
sh Tests/Fuzz/build.sh .build/fuzz
# The search for leaks takes the memory of every regular expression for lost, because Swift stores
# flags in the pointers to it.
export ASAN_OPTIONS="detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
for format in calendars cards mails; do
    learned=.build/fuzz/$format
    mkdir -p "$learned"
    echo "$format: $seconds seconds"
    LETSMEET_FUZZ=$format .build/fuzz/formats -max_total_time="$seconds" -timeout=5 \
        -max_len=4096 -detect_leaks=0 -dict=Tests/Fuzz/formats.dict -verbosity=0 \
        -artifact_prefix=".build/fuzz/$format-" "$learned" "$@"
    echo "    $(find "$learned" -type f | wc -l) files cover all code reached so far"
done
