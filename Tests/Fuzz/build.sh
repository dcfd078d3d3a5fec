#!/bin/sh
# Builds the fuzz target for the formats that strangers send: sh Tests/Fuzz/build.sh FOLDER
#
# It is compiled with libFuzzer and the address sanitizer. It is not part of the package, because
# there these options would apply to all targets or none. The result is FOLDER/formats.
set -eu
cd "$(dirname "$0")/../.."
folder=$1
mkdir -p "$folder"

# Compiles a module: NAME FILES...
module() {
    name=$1
    shift
    swiftc -O -wmo -parse-as-library -swift-version 6 -package-name letsmeet \
        -sanitize=fuzzer,address \
        -enable-upcoming-feature InternalImportsByDefault -I "$folder" \
        -Xcc -fmodule-map-file=Sources/CClock/module.modulemap \
        -module-name "$name" -emit-module -emit-module-path "$folder/$name.swiftmodule" \
        -c "$@" -o "$folder/$name.o"
}

# shellcheck disable=SC2046 # None of our file names contains a space.
{
    module StreamSafe $(find Sources/StreamSafe -name '*.swift')
    module Timekeeping $(find Sources/Timekeeping -name '*.swift')
    module Interchange $(find Sources/Interchange -name '*.swift')
    module Formats Tests/Fuzz/*.swift
}
swiftc -parse-as-library -use-ld=lld -sanitize=fuzzer,address "$folder/Formats.o" "$folder/Interchange.o" \
    "$folder/StreamSafe.o" "$folder/Timekeeping.o" -o "$folder/formats"
