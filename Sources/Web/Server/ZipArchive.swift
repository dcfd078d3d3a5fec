import Calendars
import NIOCore
import Planning
import Timekeeping

/// A ZIP archive in memory (PKWARE APPNOTE.TXT 6.3.10). Each file is compressed while it is
/// written, so that only the compressed bytes are kept.
final class ZipArchive: ExportWriter {
    /// A file of the archive.
    private struct Entry {
        let name: String
        /// The place of its local header.
        let offset: Int
        var checksum: UInt32 = 0
        var packedBytes = 0
        var bytes = 0
    }

    /// The most compressed bytes.
    static let bytesMax = 32 << 20
    private static let headerBytes = 30
    /// The place of checksum and sizes in a local header.
    private static let checksumOffset = 14
    /// Version 2.0, which compresses.
    private static let version: UInt16 = 20
    /// The names are in UTF-8.
    private static let flags: UInt16 = 1 << 11
    private static let deflated: UInt16 = 8

    private let bytesMax: Int
    private let time: WallTime
    private var output = ByteBuffer()
    private var entries: [Entry] = []
    private var current: (entry: Entry, deflater: Deflater)?

    /// Creates an empty archive.
    ///
    /// - Parameters:
    ///   - time: the time of its files.
    ///   - bytesMax: the most compressed bytes.
    init(at time: WallTime, bytesMax: Int = ZipArchive.bytesMax) {
        self.time = time
        self.bytesMax = bytesMax
    }

    func begin(_ name: String) throws {
        try endFile()
        let entry = Entry(name: name, offset: output.writerIndex)
        write(0x0403_4B50 as UInt32)
        writeFacts(of: entry)
        write(0 as UInt16)
        output.writeString(name)
        current = (entry, Deflater())
    }

    /// - Throws: ``Refusal`` with `export_too_large`.
    func add(_ bytes: some Collection<UInt8>) throws {
        guard let current, !bytes.isEmpty else { return }
        try check(current.deflater.pack(Array(bytes), isLast: false, into: &output))
    }

    /// The finished archive.
    ///
    /// - Throws: ``Refusal`` with `export_too_large`.
    func finished() throws -> ByteBuffer {
        try endFile()
        let start = output.writerIndex
        for entry in entries { writeDirectory(entry) }
        let size = output.writerIndex - start
        write(0x0605_4B50 as UInt32)
        for number in [0, 0, entries.count, entries.count] { write(UInt16(number)) }
        write(UInt32(size))
        write(UInt32(start))
        write(0 as UInt16)
        return output
    }

    private func endFile() throws {
        guard let current else { return }
        self.current = nil
        try check(current.deflater.pack([], isLast: true, into: &output))
        var entry = current.entry
        entry.checksum = current.deflater.checksum
        entry.bytes = current.deflater.count
        entry.packedBytes =
            output.writerIndex - entry.offset - Self.headerBytes - entry.name.utf8.count
        for (place, number) in Self.sizes(of: entry).enumerated() {
            output.setInteger(
                number, at: entry.offset + Self.checksumOffset + 4 * place, endianness: .little)
        }
        entries.append(entry)
    }

    private func check(_ isPacked: Bool) throws {
        guard isPacked, output.readableBytes <= bytesMax else { throw Refusal.exportTooLarge }
    }

    /// The fields that the local header and the directory have in common, up to the length of the
    /// name.
    private func writeFacts(of entry: Entry) {
        for number in [Self.version, Self.flags, Self.deflated] { write(number) }
        let (date, seconds) = (time.date, time.time.secondsSinceMidnight)
        let (hour, minute) = (seconds / 3600, seconds / 60 % 60)
        write(UInt16(hour << 11 | minute << 5 | (seconds % 60) / 2))
        write(UInt16(min(max(0, date.year - 1980), 127) << 9 | date.month << 5 | date.day))
        for number in Self.sizes(of: entry) { write(number) }
        write(UInt16(entry.name.utf8.count))
    }

    private static func sizes(of entry: Entry) -> [UInt32] {
        [entry.checksum, UInt32(entry.packedBytes), UInt32(clamping: entry.bytes)]
    }

    private func writeDirectory(_ entry: Entry) {
        write(0x0201_4B50 as UInt32)
        write(Self.version)
        writeFacts(of: entry)
        // No extra field, comment or disk, and no attributes.
        for _ in 0..<4 { write(0 as UInt16) }
        write(0 as UInt32)
        write(UInt32(entry.offset))
        output.writeString(entry.name)
    }

    private func write(_ number: some FixedWidthInteger) {
        output.writeInteger(number, endianness: .little)
    }
}
