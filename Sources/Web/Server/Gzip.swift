import CZlib
import NIOCore

/// Compression with gzip (RFC 1952).
enum Gzip {
    /// The fastest level: for calendars it takes a fifth of the time of the best level, and its
    /// result is about a quarter larger.
    private static let level: CInt = 1

    /// The compressed bytes; `nil` if memory is short or the input is 4 GiB or larger.
    static func packed(_ octets: ByteBuffer) -> ByteBuffer? {
        guard let count = UInt32(exactly: octets.readableBytes) else { return nil }
        var stream = z_stream()
        guard letsmeet_gzip_start(&stream, level) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        let room = Int(deflateBound(&stream, UInt(count)))
        var output = ByteBuffer()
        output.writeWithUnsafeMutableBytes(minimumWritableBytes: room) { target in
            octets.withUnsafeReadableBytes { source in
                // The C declaration is not `const`, but zlib only reads its input.
                let bytes = UnsafeMutableRawBufferPointer(mutating: source)
                stream.next_in = bytes.bindMemory(to: UInt8.self).baseAddress
                stream.avail_in = count
                stream.next_out = target.bindMemory(to: UInt8.self).baseAddress
                stream.avail_out = UInt32(clamping: target.count)
                return deflate(&stream, Z_FINISH) == Z_STREAM_END ? Int(stream.total_out) : 0
            }
        }
        return output.readableBytes == 0 ? nil : output
    }
}
