import CZlib
import NIOCore
import Planning
import TestKit
import Testing
import Timekeeping

@testable import Web

/// Archives in the ZIP format.
@Suite struct ZipArchiveTests {
    /// The files of an archive, as its directory lists them.
    static func files(in archive: ByteBuffer) throws -> [(name: String, text: String)] {
        func number<Number: FixedWidthInteger>(_ offset: Int, as: Number.Type) throws -> Int {
            let number: Number? = archive.getInteger(at: offset, endianness: .little)
            return Int(try #require(number))
        }
        let end = archive.writerIndex - 22
        #expect(try number(end, as: UInt32.self) == 0x0605_4B50)
        var place = try number(end + 16, as: UInt32.self)
        var files: [(name: String, text: String)] = []
        for _ in 0..<(try number(end + 10, as: UInt16.self)) {
            #expect(try number(place, as: UInt32.self) == 0x0201_4B50)
            let (packed, size, length) = (
                try number(place + 20, as: UInt32.self), try number(place + 24, as: UInt32.self),
                try number(place + 28, as: UInt16.self)
            )
            let local = try number(place + 42, as: UInt32.self)
            #expect(try number(local, as: UInt32.self) == 0x0403_4B50)
            #expect(try number(local + 18, as: UInt32.self) == packed)
            let name = try #require(archive.getString(at: place + 46, length: length))
            let bytes = try #require(archive.getBytes(at: local + 30 + length, length: packed))
            let octets = try inflated(bytes, size: size)
            let checksum = crc32(0, octets, UInt32(octets.count))
            #expect(try number(place + 16, as: UInt32.self) == Int(checksum))
            #expect(try number(local + 14, as: UInt32.self) == Int(checksum))
            files.append((name, String(decoding: octets, as: UTF8.self)))
            place += 46 + length
        }
        #expect(place == end)
        return files
    }

    private static func inflated(_ packed: [UInt8], size: Int) throws -> [UInt8] {
        var stream = z_stream()
        let size = size + 1
        var (source, target) = (packed, [UInt8](repeating: 0, count: size))
        let begun = inflateInit2_(
            &stream, -MAX_WBITS, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
        try #require(begun == Z_OK)
        defer { inflateEnd(&stream) }
        let status = source.withUnsafeMutableBufferPointer { source in
            target.withUnsafeMutableBufferPointer { target in
                stream.next_in = source.baseAddress
                stream.avail_in = UInt32(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = UInt32(target.count)
                return inflate(&stream, Z_FINISH)
            }
        }
        #expect(status == Z_STREAM_END)
        return Array(target.prefix(Int(stream.total_out)))
    }

    private func time() throws -> WallTime {
        WallTime(
            date: try CivilDate(year: 2026, month: 12, day: 1),
            time: try CivilTime(hour: 12, minute: 30, second: 8))
    }

    @Test func `An archive has its files with their names, sizes and checksums`() throws {
        let archive = ZipArchive(at: try time())
        let long = String(repeating: "All work and no play. ", count: 20_000)
        try archive.begin("a.txt")
        try archive.add("Hello, ".utf8)
        try archive.add("world".utf8)
        try archive.begin("empty.json")
        try archive.begin("long.txt")
        for _ in 0..<3 { try archive.add(long.utf8) }
        let packed = try archive.finished()
        let files = try Self.files(in: packed)
        #expect(files.map(\.name) == ["a.txt", "empty.json", "long.txt"])
        #expect(files.map(\.text) == ["Hello, world", "", long + long + long])
        #expect(packed.readableBytes < 20_000)
        // 12:30:08 on 1 December 2026, in the format of DOS.
        let date: UInt32? = packed.getInteger(at: 10, endianness: .little)
        #expect(date == 0x5D81_63C4)
    }

    @Test func `An archive that grows too large is refused`() throws {
        let archive = ZipArchive(at: try time(), bytesMax: 10_000)
        var state: UInt64 = 1
        let noise = (0..<20_000).map { _ -> UInt8 in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 33)
        }
        try archive.begin("noise")
        let refused = #expect(throws: Refusal.self) {
            for _ in 0..<100 { try archive.add(noise) }
            _ = try archive.finished()
        }
        #expect(refused?.code == "export_too_large")
    }
}
