#!/bin/sh
# Builds the fuzz target of the formats that strangers send: sh Tests/Fuzz/build.sh FOLDER
#
# The compiler's own fuzzer and address sanitizer watch it, so it stands beside the package: there
# they would have to watch all or nothing. Leaves FOLDER/formats.
set -eu
cd "$(dirname "$0")/../.."
folder=$1
mkdir -p "$folder"

# Compiles a module: NAME FILES...
module() {
    name=$1
    shift
    swiftc -O -wmo -parse-as-library -swift-version 6 -sanitize=fuzzer,address \
        -enable-upcoming-feature InternalImportsByDefault -I "$folder" \
        -Xcc -fmodule-map-file=Sources/CClock/module.modulemap \
        -module-name "$name" -emit-module -emit-module-path "$folder/$name.swiftmodule" \
        -c "$@" -o "$folder/$name.o"
}

# shellcheck disable=SC2046 # No file of ours has a space in its name.
{
    module Timekeeping $(find Sources/Timekeeping -name '*.swift')
    module Interchange $(find Sources/Interchange -name '*.swift')
    module Formats Tests/Fuzz/*.swift
}
swiftc -parse-as-library -use-ld=lld -sanitize=fuzzer,address "$folder/Formats.o" "$folder/Interchange.o" \
    "$folder/Timekeeping.o" -o "$folder/formats"
