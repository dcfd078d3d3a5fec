import CZlib
import NIOCore

/// Octets as gzip packs them (RFC 1952).
enum Gzip {
    /// Of calendars the first level takes a fifth of the time of the last, and the result is about
    /// a quarter longer.
    private static let level: CInt = 1

    /// The octets packed; `nil` where there is no memory, or there are too many of them.
    static func packed(_ octets: ByteBuffer) -> ByteBuffer? {
        guard let count = UInt32(exactly: octets.readableBytes) else { return nil }
        var stream = z_stream()
        guard letsmeet_gzip_start(&stream, level) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        let room = Int(deflateBound(&stream, UInt(count)))
        var output = ByteBuffer()
        output.writeWithUnsafeMutableBytes(minimumWritableBytes: room) { target in
            octets.withUnsafeReadableBytes { source in
                // The library only reads there, though it does not say so.
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
