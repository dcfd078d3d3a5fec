import CZlib

/// Octets as gzip packs them (RFC 1952).
enum Gzip {
    /// Of calendars the first level takes a fifth of the time of the last, and the result is about
    /// a quarter longer.
    private static let level: CInt = 1

    /// The octets packed; `nil` where there is no memory, or there are too many of them.
    static func packed(_ octets: [UInt8]) -> [UInt8]? {
        guard let count = UInt32(exactly: octets.count) else { return nil }
        var stream = z_stream()
        guard letsmeet_gzip_start(&stream, level) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        let room = deflateBound(&stream, UInt(count))
        // The library reads what it is given and writes none of it.
        var input = octets
        return input.withUnsafeMutableBufferPointer { input in
            [UInt8](unsafeUninitializedCapacity: Int(room)) { output, written in
                stream.next_in = input.baseAddress
                stream.avail_in = count
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(clamping: output.count)
                written = deflate(&stream, Z_FINISH) == Z_STREAM_END ? Int(stream.total_out) : 0
            }
        }.nilIfEmpty
    }
}

extension [UInt8] {
    fileprivate var nilIfEmpty: Self? { isEmpty ? nil : self }
}
