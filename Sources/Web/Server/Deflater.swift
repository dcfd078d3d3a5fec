import CZlib
import NIOCore

/// A compression with DEFLATE (RFC 1951) of bytes that come in parts.
final class Deflater {
    /// The usual compromise between time and size.
    private static let level: CInt = 6
    /// The memory that zlib uses by default.
    private static let memoryLevel: CInt = 8
    /// The room for the output of one step.
    private static let roomBytes = 64 * 1024

    /// The state of zlib, which must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private let isReady: Bool
    /// The CRC-32 of the bytes (RFC 1952, 8).
    private(set) var checksum: UInt32 = 0
    /// The number of bytes.
    private(set) var count = 0

    /// Begins a compression. If memory is short, nothing can be packed.
    init() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // A negative size of the window means data without header and checksum.
        isReady =
            deflateInit2_(
                stream, Self.level, Z_DEFLATED, -MAX_WBITS, Self.memoryLevel, Z_DEFAULT_STRATEGY,
                ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) == Z_OK
    }

    deinit {
        if isReady { deflateEnd(stream) }
        stream.deallocate()
    }

    /// Compresses bytes.
    ///
    /// - Parameters:
    ///   - bytes: the bytes, fewer than 4 GiB.
    ///   - isLast: true to end the compressed data.
    ///   - output: receives the compressed bytes that are ready.
    /// - Returns: false if memory is short.
    func pack(_ bytes: [UInt8], isLast: Bool, into output: inout ByteBuffer) -> Bool {
        guard isReady else { return false }
        count += bytes.count
        return bytes.withUnsafeBufferPointer { source in
            checksum = UInt32(
                truncatingIfNeeded: crc32(UInt(checksum), source.baseAddress, UInt32(source.count)))
            // The C declaration is not `const`, but zlib only reads its input.
            stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
            stream.pointee.avail_in = UInt32(source.count)
            var status = Z_OK
            repeat {
                status = step(isLast ? Z_FINISH : Z_NO_FLUSH, into: &output)
            } while status == Z_OK && (isLast || stream.pointee.avail_out == 0)
            return isLast ? status == Z_STREAM_END : status == Z_OK || status == Z_BUF_ERROR
        }
    }

    private func step(_ flush: CInt, into output: inout ByteBuffer) -> CInt {
        var status = Z_OK
        output.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.roomBytes) { target in
            let room = UInt32(clamping: target.count)
            stream.pointee.next_out = target.bindMemory(to: UInt8.self).baseAddress
            stream.pointee.avail_out = room
            status = deflate(stream, flush)
            return Int(room - stream.pointee.avail_out)
        }
        return status
    }
}
