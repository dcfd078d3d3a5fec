import CZlib

/// Compression (RFC 1950) of bytes in memory. The packed bytes start with the size of the original,
/// 4 bytes with the lowest first.
public enum Zlib {
    /// The reason why bytes could not be packed or unpacked.
    public enum Failure: Error, Equatable {
        /// The input is larger than ``bytesMax``, or memory is short.
        case tooLarge
        /// The bytes are not packed ones.
        case damaged
    }

    /// The most bytes to pack, and the most that packed bytes may become.
    public static let bytesMax = 32 << 20

    private static let sizeBytes = 4

    static func packed(_ octets: some Collection<UInt8>) throws(Failure) -> [UInt8] {
        let source = Array(octets)
        guard source.count <= bytesMax else { throw .tooLarge }
        var size = compressBound(UInt(source.count))
        var output = [UInt8](repeating: 0, count: Int(size))
        guard compress(&output, &size, source, UInt(source.count)) == Z_OK else { throw .tooLarge }
        let head = (0..<sizeBytes).map { UInt8(truncatingIfNeeded: source.count >> (8 * $0)) }
        return head + output.prefix(Int(size))
    }

    static func unpacked(_ octets: [UInt8]) throws(Failure) -> [UInt8] {
        guard octets.count > sizeBytes else { throw .damaged }
        let wanted = octets.prefix(sizeBytes).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard wanted <= bytesMax else { throw .damaged }
        var size = UInt(wanted)
        var output = [UInt8](repeating: 0, count: max(wanted, 1))
        let body = Array(octets.dropFirst(sizeBytes))
        guard uncompress(&output, &size, body, UInt(body.count)) == Z_OK, size == wanted else {
            throw .damaged
        }
        return Array(output.prefix(wanted))
    }
}
